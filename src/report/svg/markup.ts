import { safeText } from '../safe-text.ts';

/** A finished piece of a page or a figure. Plain strings are text and get escaped, so that neither is taken for the other. */
export interface Markup {
  readonly markup: string;
}

/** An attribute that is undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/**
 * One element. Names are ours; values and text may come from files.
 *
 * @example element('circle', { cx: 1.005, r: 2 }).markup // '<circle cx="1" r="2"/>'
 */
export function element(name: string, attributes: Attributes, children: readonly (Markup | string)[] = []): Markup {
  const written = Object.entries(attributes)
    .map(([key, value]) =>
      value === undefined ? '' : ` ${key}="${typeof value === 'number' ? coordinate(value) : xmlText(value)}"`,
    )
    .join('');
  if (children.length === 0) return { markup: `<${name}${written}/>` };
  // One element a line in what holds elements only, so that two versions of a file can be compared.
  const between = name === 'g' || name === 'svg' ? '\n' : '';
  const inner = children.map((child) => (typeof child === 'string' ? xmlText(child) : child.markup));
  return { markup: `<${name}${written}>${between}${inner.join(between)}${between}</${name}>` };
}

/** Several pieces, moved to (x, y). */
export function group(children: readonly Markup[], x: number, y: number): Markup {
  return element('g', { transform: moved(x, y) }, children);
}

export function moved(x: number, y: number): string {
  return `translate(${coordinate(x)} ${coordinate(y)})`;
}

/**
 * A place in a figure, in hundredths of a unit and the same on every machine. What is not a number is a bug of ours and
 * never reaches a file.
 *
 * @example coordinate(12.3456) // '12.35'
 * @example coordinate(-0.001) // '0'
 */
export function coordinate(value: number): string {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e9) throw new RangeError(`a figure has no place for ${value}`);
  const text = value.toFixed(2).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}

const MEANING: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Text for an XML document: markup is escaped; what XML forbids or what reorders a line is shown as a picture of itself.
 */
export function xmlText(text: string): string {
  return safeText(text)
    .replaceAll(/[\ufffe\uffff]/g, (character) => `‹U+${character.charCodeAt(0).toString(16).toUpperCase()}›`)
    .replaceAll(/[&<>"']/g, (character) => MEANING[character]!);
}
