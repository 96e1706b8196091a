import { element, type Markup } from './markup.ts';
import { label } from './label.ts';
import { AXIS, GRID, LINE, TEXT, WIDTH } from './paper.ts';
import type { Scale } from './scale.ts';
import { textWidth } from './text-width.ts';

/** The rectangle in which data is drawn; y grows downwards. */
export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

export interface Tick {
  readonly value: number;
  readonly text: string;
}

/** Room that an axis below takes: its numbers and its title. */
export const BELOW = 2 * LINE + 6;

/** What most numbers need, so that panels one below the other begin at the same place. */
const USUAL = 34;

/** Room that the numbers of an axis on the left take. */
export function widthOfTicks(ticks: readonly Tick[]): number {
  return Math.max(USUAL, ...ticks.map(({ text }) => textWidth(text, TEXT) + 6));
}

/** Lines across the area with their numbers on the left. */
export function leftAxis(area: Area, scale: Scale, ticks: readonly Tick[]): Markup[] {
  return [
    ...ticks.flatMap(({ value, text }) => {
      const y = scale(value);
      return [
        element('line', {
          class: 'grid',
          x1: area.left,
          y1: y,
          x2: area.right,
          y2: y,
          stroke: GRID,
          'stroke-width': 0.7,
        }),
        label(area.left - 4, y + 4, text, { anchor: 'end' }),
      ];
    }),
    axisLine(area.left, area.top, area.left, area.bottom),
  ];
}

/** The line below the area with short strokes, numbers that have room, and a title. */
export function bottomAxis(area: Area, scale: Scale, ticks: readonly Tick[], title: string): Markup[] {
  const { left, right, bottom } = area;
  const shown: Markup[] = [];
  let free = -Infinity;
  for (const { value, text } of ticks) {
    const x = scale(value);
    const half = textWidth(text, TEXT) / 2;
    shown.push(axisLine(x, bottom, x, bottom + 3));
    if (x - half < free) continue;
    shown.push(label(x, bottom + LINE + 1, text, { anchor: 'middle' }));
    free = x + half + 3;
  }
  return [
    axisLine(left, bottom, right, bottom),
    ...shown,
    ...(title === ''
      ? []
      : [
          label((left + right) / 2, bottom + 2 * LINE + 1, title, {
            anchor: 'middle',
            width: 2 * Math.min(WIDTH - (left + right) / 2, (left + right) / 2) - 4,
          }),
        ]),
  ];
}

function axisLine(x1: number, y1: number, x2: number, y2: number): Markup {
  return element('line', { class: 'axis', x1, y1, x2, y2, stroke: AXIS, 'stroke-width': 1 });
}
