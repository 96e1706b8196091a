import { element, type Markup } from './markup.ts';
import { coordinate } from './coordinate.ts';

const CAP = 2;

/** An interval as a bar with short caps at its ends, from (x1, y1) to (x2, y2), upright or level. */
export function intervalBar(x1: number, y1: number, x2: number, y2: number, colour: string): Markup {
  const [dx, dy] = x1 === x2 ? [CAP, 0] : [0, CAP];
  const stroke = (ax: number, ay: number, bx: number, by: number): string =>
    `M${coordinate(ax)} ${coordinate(ay)}L${coordinate(bx)} ${coordinate(by)}`;
  const d =
    stroke(x1, y1, x2, y2) + stroke(x1 - dx, y1 - dy, x1 + dx, y1 + dy) + stroke(x2 - dx, y2 - dy, x2 + dx, y2 + dy);
  return element('path', { d, fill: 'none', stroke: colour, 'stroke-width': 1 });
}
