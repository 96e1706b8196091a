import type { Block } from './frame.ts';
import { label } from './label.ts';
import { element, group, type Markup } from './markup.ts';
import { marker, type MarkerStyle, type Shape } from './marker.ts';
import { INK, LINE, MARGIN, TEXT, WIDTH } from './paper.ts';
import { type SeriesStyle, seriesStyle } from './series-style.ts';
import { fitted, oneLine, textWidth } from './text-width.ts';

export interface LegendEntry {
  readonly name: string;
  /** Drawn around (0, 0), up to half of `wide` to both sides. */
  readonly sample: Markup;
  readonly wide: number;
}

const GAP = 12;
const ROOM = WIDTH - 2 * MARGIN;

/** Entries side by side, in as many rows as they need, after a word that says of what. */
export function legendBlock(entries: readonly LegendEntry[], lead = ''): Block {
  const content: Markup[] = lead === '' ? [] : [label(MARGIN, 11, lead)];
  let x = lead === '' ? 0 : textWidth(lead, TEXT) + 4;
  let row = 0;
  for (const { name, sample, wide } of entries) {
    const room = ROOM - wide - 4;
    const width = wide + 4 + textWidth(fitted(oneLine(name), room, TEXT), TEXT);
    if (x > 0 && x + width > ROOM) {
      x = 0;
      row += 1;
    }
    const y = row * LINE;
    content.push(
      group([sample], MARGIN + x + wide / 2, y + 7),
      label(MARGIN + x + wide + 4, y + 11, name, { width: room }),
    );
    x += width + GAP;
  }
  return { height: entries.length === 0 ? 0 : (row + 1) * LINE, content };
}

/** A series drawn as a line with its sign. */
export function lineEntry(name: string, at: number): LegendEntry {
  const style = seriesStyle(at);
  const line = element('line', { x1: -12, y1: 0, x2: 12, y2: 0, ...lineStyle(style) });
  return { name, wide: 24, sample: group([line, marker(style.shape, 0, 0, 3, style)]) };
}

export function signEntry(name: string, shape: Shape, style: MarkerStyle, radius = 3): LegendEntry {
  return { name, wide: Math.max(9, 3 * radius), sample: marker(shape, 0, 0, radius, style) };
}

export function lineStyle({ colour, dashes }: SeriesStyle): Readonly<Record<string, string | number>> {
  const dashed = dashes === '' ? {} : { 'stroke-dasharray': dashes };
  return { fill: 'none', stroke: colour, 'stroke-width': 1.5, ...dashed };
}

/** An arrow towards the corner of a panel where things are better: down, to the left or to the right. */
export function betterEntry(side: 'left' | 'right'): LegendEntry {
  const [tip, tail] = side === 'right' ? [4, -4] : [-4, 4];
  const d = `M${tail} -4L${tip} 4M${tail / 2} 4L${tip} 4L${tip} -2`;
  return { name: 'better', wide: 10, sample: element('path', { d, fill: 'none', stroke: INK, 'stroke-width': 1.2 }) };
}
