/** What our figures are drawn with. Anything else in a figure means that it is not one of ours. */
const ELEMENTS: ReadonlySet<string> = new Set([
  'svg',
  'g',
  'title',
  'desc',
  'rect',
  'line',
  'circle',
  'ellipse',
  'path',
  'polygon',
  'polyline',
  'text',
  'tspan',
]);

const ATTRIBUTES: ReadonlySet<string> = new Set([
  'xmlns',
  'id',
  'class',
  'role',
  'viewBox',
  'width',
  'height',
  'x',
  'y',
  'x1',
  'y1',
  'x2',
  'y2',
  'dx',
  'dy',
  'cx',
  'cy',
  'r',
  'rx',
  'ry',
  'd',
  'points',
  'transform',
  'fill',
  'fill-opacity',
  'fill-rule',
  'opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-linejoin',
  'stroke-linecap',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'letter-spacing',
  'paint-order',
  'shape-rendering',
  'tabindex',
]);

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/** The properties of an element that decide whether it may be shown. */
export interface FigureElement {
  readonly namespace: string | null;
  readonly name: string;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
}

/** Why an element of a figure may not be shown: it could run or fetch something; null where it may. */
export function refusalOf({ namespace, name, attributes }: FigureElement): string | null {
  if (namespace !== SVG_NAMESPACE || !ELEMENTS.has(name)) return `an element ${name}`;
  const wrong = attributes.find((attribute) => !isAllowed(attribute.name, attribute.value));
  return wrong === undefined ? null : `an attribute ${wrong.name}`;
}

function isAllowed(name: string, value: string): boolean {
  if (/^(?:data|aria)-[a-z][a-z0-9-]*$/.test(name)) return true;
  // A reference would be followed: to a gradient at best, to another place at worst.
  return ATTRIBUTES.has(name) && (name === 'xmlns' ? value === SVG_NAMESPACE : !/url\s*\(/i.test(value));
}
