import { safeText } from '../safe-text.ts';
import { coordinate } from './coordinate.ts';

/** A finished piece of a figure. Plain strings are text and get escaped, so that neither is taken for the other. */
export interface Markup {
  readonly markup: string;
}

export type Attributes = Readonly<Record<string, string | number>>;

/**
 * One element. Names are ours; values and text may come from files.
 *
 * @example element('circle', { cx: 1.005, r: 2 }).markup // '<circle cx="1" r="2"/>'
 */
export function element(name: string, attributes: Attributes, children: readonly (Markup | string)[] = []): Markup {
  const given = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? coordinate(value) : xmlText(value)}"`)
    .join('');
  if (children.length === 0) return { markup: `<${name}${given}/>` };
  // One element a line in what holds elements only, for those who compare two versions of a file.
  const between = name === 'g' || name === 'svg' ? '\n' : '';
  const inner = children.map((child) => (typeof child === 'string' ? xmlText(child) : child.markup));
  return { markup: `<${name}${given}>${between}${inner.join(between)}${between}</${name}>` };
}

/** Several pieces, moved to a place of their own. */
export function group(children: readonly Markup[], x = 0, y = 0): Markup {
  const moved = x === 0 && y === 0 ? {} : { transform: `translate(${coordinate(x)} ${coordinate(y)})` };
  return element('g', moved, children);
}

const MEANING: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Text as it may stand in an XML document: markup is escaped; what XML forbids or what reorders a line is shown as a
 * picture of itself.
 */
export function xmlText(text: string): string {
  return safeText(text)
    .replaceAll(/[\ufffe\uffff]/g, (character) => `‹U+${character.charCodeAt(0).toString(16).toUpperCase()}›`)
    .replaceAll(/[&<>"']/g, (character) => MEANING[character]!);
}
