import type { Area } from './axes.ts';
import { counted } from '../../text/figures.ts';
import type { Block } from './frame.ts';
import { label } from './label.ts';
import { marker } from './marker.ts';
import { element, type Markup } from './markup.ts';
import { BOLDER, GRID, HEADING, LINE, MARGIN, PAPER, TEXT, WIDTH } from './paper.ts';
import type { Scale } from './scale.ts';
import { COLOURS } from './series-style.ts';
import { textWidth } from './text-width.ts';
import type { TimelineSummary, TimelineVariant } from './timeline-data.ts';
import {
  crowded,
  decisionSign,
  FAILED_SUMMARY_SIGN,
  flushSign,
  type Mark,
  markRow,
  SUMMARY_SIGN,
} from './timeline-marks.ts';

const HEAD = 17;
const ROW = 14;

/** What one variant did: flushes, decisions and summaries, each on a row of its own; a row without records is left out. */
export function variantBlock(variant: TimelineVariant, x: Scale, { left, right }: Pick<Area, 'left' | 'right'>): Block {
  const { flushes, decisions, summaries } = variant;
  const width = right - left;
  const counts = [
    ...(flushes.length === 0 ? [] : [counted(flushes.length, 'flush', 'flushes')]),
    ...(decisions.length === 0 ? [] : [counted(decisions.length, 'decision')]),
    counted(summaries.length, 'summary', 'summaries'),
  ].join(', ');
  const rows: ['flushes' | 'decisions' | 'summaries', (middle: number) => Markup[]][] = [
    ['flushes', (middle) => markRow(flushes.map(flushMark), x, middle, left, width)],
    ['decisions', (middle) => markRow(decisions.map(decisionMark), x, middle, left, width)],
    [
      'summaries',
      (middle) =>
        crowded(summaries.length, width)
          ? markRow(summaries.map(summaryMark), x, middle, left, width)
          : windows(summaries, x, middle),
    ],
  ];
  const shown = rows.filter(([name]) => name === 'summaries' || variant[name].length > 0);
  const room = WIDTH - 2 * MARGIN;
  const beside = textWidth(variant.name, HEADING) * BOLDER + 8 + textWidth(counts, TEXT) <= room;
  const head = HEAD + (beside ? 0 : LINE);
  return {
    height: head + shown.length * ROW + 1,
    content: [
      element('line', {
        class: 'grid',
        x1: MARGIN,
        y1: 0,
        x2: WIDTH - MARGIN,
        y2: 0,
        stroke: GRID,
        'stroke-width': 0.7,
      }),
      label(MARGIN, 12, variant.name, { heading: true, width: room / BOLDER }),
      label(WIDTH - MARGIN, head - 5, counts, { anchor: 'end' }),
      ...shown.flatMap(([name, draw], at) => {
        const middle = head + at * ROW + ROW / 2;
        return [label(MARGIN + 4, middle + 4, name, { width: left - MARGIN - 8 }), ...draw(middle)];
      }),
    ],
  };
}

function flushMark({ atMs, reason }: TimelineVariant['flushes'][number]): Mark {
  return { atMs, sign: flushSign(reason) };
}

function decisionMark({ atMs, outcome }: TimelineVariant['decisions'][number]): Mark {
  return { atMs, sign: decisionSign(outcome) };
}

function summaryMark({ endMs, schemaOk }: TimelineSummary): Mark {
  return { atMs: endMs, sign: signOf(schemaOk) };
}

/** Whether a row has more records than signs have room. */
export function isCrowded({ flushes, decisions, summaries }: TimelineVariant, width: number): boolean {
  return [flushes, decisions, summaries].some(({ length }) => crowded(length, width));
}

function signOf(ok: boolean): Mark['sign'] {
  return ok ? SUMMARY_SIGN : FAILED_SUMMARY_SIGN;
}

/** Windows on two levels in turn, so that one can be told from the next. */
function windows(summaries: readonly TimelineSummary[], x: Scale, middle: number): Markup[] {
  return summaries.flatMap(({ startMs, endMs, schemaOk }, at) => {
    const y = middle + (at % 2 === 0 ? -2.7 : 2.7);
    const [from, to] = [x(startMs), x(endMs)];
    const paint = schemaOk
      ? { fill: '#a6cbe3' }
      : { fill: PAPER, stroke: COLOURS.vermilion, 'stroke-width': 0.7, 'stroke-dasharray': '1.5 1' };
    const { shape, radius, ...style } = signOf(schemaOk);
    return [
      element('rect', { x: from, y: y - 1.7, width: Math.max(0.6, to - from), height: 3.4, ...paint }),
      marker(shape, to, y, radius, style),
    ];
  });
}
