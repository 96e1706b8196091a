import type { Waterfall, WaterfallStep } from '../../compare/waterfall/waterfall.ts';
import { columnDigits, rounded, shownChange } from '../../text/figures.ts';
import { casesOfWaterfall, creditNotes, keptSentence, shownValue, stepName, valuesOf } from '../waterfall-words.ts';
import { AXIS, PAPER } from './look.ts';
import type { Mark } from './marks.ts';
import { axisOf, plot } from './plot.ts';
import { singleLine } from './text-width.ts';
import { drawable, niceTicks } from './ticks.ts';

/** Distinct without colour too: what is better is full, what is worse is pale with an outline. */
const LOOKS = {
  whole: { fill: '#4a6fa5', class: 'bar bar-whole', key: 'value' },
  good: { fill: '#2a7f4f', class: 'bar bar-good', key: 'better' },
  bad: { fill: '#c0504d', opacity: 0.35, stroke: '#c0504d', class: 'bar bar-bad', key: 'worse' },
} as const;

const MOST_ROWS = 40;
/** A row is its name with its number, and the bar below. */
const [ROW, BAR] = [36, { top: 19, bottom: 29 }];

/** From strict matching to the score: one row a step, each bar from the value before to the value after. */
export function waterfallFigure(waterfall: Waterfall, measure: string = waterfall.shown, width?: number): string {
  const { steps, measures } = waterfall;
  const values = valuesOf(steps, measure);
  const isLower = measures.find(({ name }) => name === measure)?.direction === 'lower';
  const notes = [
    `n = ${casesOfWaterfall(waterfall)}.`,
    keptSentence(waterfall),
    ...creditNotes(waterfall),
    ...(isLower ? ['Lower is better.'] : []),
    ...(steps.length > MOST_ROWS ? [`The first ${MOST_ROWS - 1} rows and the last of ${steps.length} are drawn.`] : []),
  ].filter((note) => note !== '');
  const title = `${singleLine(measure)}, rule by rule`;
  const about = waterfallSentences(waterfall, measure).join(' ');
  const known = values.filter(drawable);
  if (known.length === 0)
    return plot({ width, id: 'waterfall', title, about, parts: [`${measure} has no value in any row.`], notes });
  const [low, high] = [Math.min(0, ...known), Math.max(0, ...known)];
  const rows = rowsOf(steps, values);
  const digits = columnDigits(values);
  return plot({
    width,
    id: 'waterfall',
    title,
    about,
    parts: [
      {
        height: rows.length * ROW,
        room: { left: 0, right: 0, top: 0 },
        x: { ...axisOf(niceTicks(low, low === high ? 1 : high, 4)), grid: true },
        y: { ends: [rows.length * ROW, 0], ticks: [] },
        marks: rows.map((row, at) => rowMark(row, at * ROW, digits, isLower)),
      },
    ],
    notes,
  });
}

interface WaterfallRow {
  readonly step: WaterfallStep;
  /** Its place among the steps. */
  readonly at: number;
  readonly from: number | null;
  readonly to: number | null;
  /** A bar from 0. */
  readonly isEnd: boolean;
}

function rowsOf(steps: readonly WaterfallStep[], values: readonly (number | null)[]): WaterfallRow[] {
  const last = steps.length - 1;
  const rows = steps.map((step, at) => ({ step, at, from: values[at - 1] ?? null, to: values[at]!, isEnd: at === 0 }));
  const shown = rows.length <= MOST_ROWS ? rows : [...rows.slice(0, MOST_ROWS - 1), rows[last]!];
  // The score is repeated below, as a bar from 0: that is what a reader takes away.
  if (last === 0) return shown;
  return [...shown, { step: { ...steps[last]!, path: 'score' }, at: last, from: null, to: values[last]!, isEnd: true }];
}

function rowMark({ step, at, from, to, isEnd }: WaterfallRow, top: number, digits: number, isLower: boolean): Mark {
  const change = shownChange(from, to, digits);
  const value = shownValue(to, digits);
  const number = isEnd ? value : change === '' ? '' : `${change} → ${value}`;
  const y = top + 9;
  return {
    mark: 'group',
    title: `${stepName(step)}: ${singleLine(step.setting)}`,
    class: 'waterfall-row',
    data: { step: String(at) },
    marks: [
      // Holds the whole row, so that there is something to point at between its parts.
      { mark: 'bar', y: [top, top + ROW], fill: PAPER, opacity: 0 },
      // A line of the grid through a name is hard to read.
      { mark: 'bar', y: [top, top + 17], fill: PAPER },
      { mark: 'label', x: -Infinity, y, text: stepName(step), width: 200 },
      { mark: 'label', x: Infinity, y, text: number, anchor: 'end' },
      ...(isEnd ? barMarks('whole', 0, to, top) : changeMarks(from, to, top, isLower)),
    ],
  };
}

/** From the value before to the value after, which a line marks; what changes nothing is that line alone. */
function changeMarks(from: number | null, to: number | null, top: number, isLower: boolean): Mark[] {
  if (!drawable(from) || !drawable(to)) return [];
  return [
    ...(from === to ? [] : barMarks(to > from === isLower ? 'bad' : 'good', from, to, top)),
    { mark: 'rule', x: to, y: [top + BAR.top - 2, top + BAR.bottom + 2], colour: AXIS, width: 1.3, class: 'ink' },
  ];
}

function barMarks(kind: keyof typeof LOOKS, from: number, to: number | null, top: number): Mark[] {
  if (!drawable(to)) return [];
  return [{ mark: 'bar', x: [from, to], y: [top + BAR.top, top + BAR.bottom], ...LOOKS[kind] }];
}

const MOST_SENTENCES = 20;

/** What the figure shows, for those who cannot see it. */
export function waterfallSentences(waterfall: Waterfall, measure: string = waterfall.shown): string[] {
  const { steps } = waterfall;
  const values = valuesOf(steps, measure);
  const digits = columnDigits(values);
  const name = singleLine(measure);
  const [first, last] = [values[0] ?? null, values.at(-1) ?? null];
  if (steps.length === 1) return [`${name} is ${shownValue(last, digits)}; the recipe is strict matching.`];
  const moved = steps
    .map((step, at) => ({ step, at, change: at === 0 ? '' : shownChange(values[at - 1] ?? null, values[at]!, digits) }))
    .filter(({ change }) => change !== '0' && change !== '');
  const idle = steps.length - 1 - moved.length;
  const isSame = first === null || last === null || rounded(first, digits) === rounded(last, digits);
  const inAll = isSame ? '' : `, ${shownChange(first, last, digits)} in all`;
  return [
    `${name} is ${shownValue(first, digits)} under strict matching and ${shownValue(last, digits)} under the whole recipe${inAll}.`,
    ...moved.slice(0, MOST_SENTENCES).map(({ step, at, change }) => {
      const by = change === '–' ? '' : `${change}, `;
      return `${singleLine(stepName(step))}: ${by}to ${shownValue(values[at]!, digits)}.`;
    }),
    ...(moved.length > MOST_SENTENCES ? [`${moved.length - MOST_SENTENCES} further steps change it.`] : []),
    ...(idle === 0 ? [] : [`${idle} ${idle === 1 ? 'step changes' : 'steps change'} nothing.`]),
  ];
}
