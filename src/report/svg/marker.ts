import { coordinate } from './coordinate.ts';
import { type Attributes, element, type Markup } from './markup.ts';
import { PAPER } from './paper.ts';

export type Shape = 'circle' | 'square' | 'up' | 'down' | 'diamond' | 'plus' | 'cross' | 'star' | 'tick';

export interface MarkerStyle {
  readonly colour: string;
  readonly hollow?: boolean;
  readonly opacity?: number;
  /** Colour of the rim of a filled sign; a thin white one keeps signs apart that touch. */
  readonly rim?: string;
}

/** Corners for a radius of 1, of about equal area. */
const CORNERS: Readonly<Record<'square' | 'up' | 'down' | 'diamond' | 'star', readonly (readonly [number, number])[]>> =
  {
    square: [
      [-0.89, -0.89],
      [0.89, -0.89],
      [0.89, 0.89],
      [-0.89, 0.89],
    ],
    up: [
      [0, -1.25],
      [1.15, 0.85],
      [-1.15, 0.85],
    ],
    down: [
      [0, 1.25],
      [1.15, -0.85],
      [-1.15, -0.85],
    ],
    diamond: [
      [0, -1.3],
      [1.3, 0],
      [0, 1.3],
      [-1.3, 0],
    ],
    star: [
      [0, -1.5],
      [0.38, -0.52],
      [1.43, -0.46],
      [0.62, 0.2],
      [0.88, 1.21],
      [0, 0.65],
      [-0.88, 1.21],
      [-0.62, 0.2],
      [-1.43, -0.46],
      [-0.38, -0.52],
    ],
  };

/** A sign at a place. With a title, a viewer shows it when the reader points there. */
export function marker(shape: Shape, x: number, y: number, radius: number, style: MarkerStyle, title?: string): Markup {
  const faint: Attributes = style.opacity === undefined ? {} : { opacity: style.opacity };
  const children = title === undefined ? [] : [element('title', {}, [title])];
  if (shape === 'plus' || shape === 'cross' || shape === 'tick') {
    const d = strokes(shape, x, y, radius);
    const width = shape === 'tick' ? 1.1 : radius * 0.6;
    return element('path', { d, fill: 'none', stroke: style.colour, 'stroke-width': width, ...faint }, children);
  }
  const paint =
    style.hollow === true
      ? { fill: PAPER, stroke: style.colour, 'stroke-width': 1.1 }
      : { fill: style.colour, stroke: style.rim ?? PAPER, 'stroke-width': style.rim === undefined ? 0.5 : 1.2 };
  if (shape === 'circle') return element('circle', { cx: x, cy: y, r: radius, ...paint, ...faint }, children);
  const points = CORNERS[shape].map(([dx, dy]) => `${coordinate(x + dx * radius)},${coordinate(y + dy * radius)}`);
  return element('polygon', { points: points.join(' '), ...paint, ...faint }, children);
}

function strokes(shape: 'plus' | 'cross' | 'tick', x: number, y: number, radius: number): string {
  const line = (dx: number, dy: number): string =>
    `M${coordinate(x - dx)} ${coordinate(y - dy)}L${coordinate(x + dx)} ${coordinate(y + dy)}`;
  if (shape === 'tick') return line(0, radius);
  return shape === 'plus'
    ? line(radius * 1.2, 0) + line(0, radius * 1.2)
    : line(radius, radius) + line(radius, -radius);
}
