import { marker, type Shape } from './marker.ts';
import { element, type Markup } from './markup.ts';
import { INK } from './paper.ts';
import type { Scale } from './scale.ts';
import { COLOURS } from './series-style.ts';
import type { DecisionOutcome } from './timeline-data.ts';

/** A sign on a row of the timeline. */
export interface Sign {
  readonly name: string;
  readonly shape: Shape;
  readonly colour: string;
  readonly hollow: boolean;
  readonly radius: number;
}

function sign(name: string, shape: Shape, colour: string, radius = 2.6, hollow = false): Sign {
  return { name, shape, colour, radius, hollow };
}

const FLUSHES: Readonly<Record<string, Sign>> = {
  boundary_cue: sign('boundary cue', 'tick', INK, 4),
  max_words: sign('max words', 'square', COLOURS.green),
  silence_timer: sign('silence', 'circle', COLOURS.vermilion, 2.6, true),
  max_wait_timeout: sign('max wait', 'down', COLOURS.purple),
  end_of_trace: sign('end of trace', 'diamond', COLOURS.blue),
  turn_end: sign('turn end', 'up', COLOURS.sky),
};
const OTHER_FLUSH = sign('other reason', 'plus', INK);

export function flushSign(reason: string): Sign {
  return Object.hasOwn(FLUSHES, reason) ? FLUSHES[reason]! : OTHER_FLUSH;
}

const DECISIONS: Readonly<Record<DecisionOutcome, Sign>> = {
  buffer: sign('buffer', 'tick', '#777777', 2),
  summarise: sign('summarise', 'up', COLOURS.blue, 2.8),
  discard: sign('discard', 'square', INK, 2.4, true),
  failed: sign('failed call', 'cross', COLOURS.vermilion, 2.8),
};

export function decisionSign(outcome: DecisionOutcome): Sign {
  return DECISIONS[outcome];
}

/** In the order of the legend. */
export const FLUSH_SIGNS: readonly Sign[] = [...Object.values(FLUSHES), OTHER_FLUSH];
export const DECISION_SIGNS: readonly Sign[] = Object.values(DECISIONS);

export const SUMMARY_SIGN = sign('at the end of its window', 'circle', COLOURS.blue, 1.8);
export const FAILED_SUMMARY_SIGN = sign('schema failure', 'cross', COLOURS.vermilion, 2.8);

export interface Mark {
  readonly atMs: number;
  readonly sign: Sign;
}

/** Width of a column of a crowded row. */
const COLUMN = 3;
/** On a crowded row a kind has one sign in so much room. */
const CELL = 5;

/** Whether signs side by side would cover one another. */
export function crowded(count: number, width: number): boolean {
  return count > width / 2.4;
}

/**
 * Marks on one row. Where they are too many, the frequent kinds become columns, as high as they are many there; kinds
 * that make up a tenth or less keep their signs. A row never has more parts than it has room for.
 */
export function markRow(marks: readonly Mark[], x: Scale, middle: number, left: number, width: number): Markup[] {
  const full = crowded(marks.length, width);
  const kinds = [...Map.groupBy(marks, (mark) => mark.sign)].map(([kind, same]) => ({
    kind,
    places: same.map(({ atMs }) => x(atMs)),
    column: full && same.length * 10 > marks.length,
  }));
  const often = kinds.filter(({ column }) => column).flatMap(({ places }) => places);
  const signs = kinds
    .filter(({ column }) => !column)
    .sort((a, b) => b.places.length - a.places.length)
    .flatMap(({ kind, places }) =>
      (full ? oneInCell(places) : places).map((place) => marker(kind.shape, place, middle, kind.radius, kind)),
    );
  return [...columns(often, middle, left, width), ...signs];
}

function oneInCell(places: readonly number[]): number[] {
  return [...new Map(places.map((place) => [Math.floor(place / CELL), place])).values()];
}

function columns(places: readonly number[], middle: number, left: number, width: number): Markup[] {
  const counts = new Map<number, number>();
  const last = Math.ceil(width / COLUMN) - 1;
  for (const place of places) {
    const at = Math.max(0, Math.min(last, Math.floor((place - left) / COLUMN)));
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const most = Math.max(1, ...counts.values());
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([at, count]) => {
      const height = Math.max(0.8, (count / most) * 9);
      return element('rect', {
        x: left + at * COLUMN,
        y: middle + 4.5 - height,
        width: COLUMN - 0.4,
        height,
        fill: '#777777',
      });
    });
}
