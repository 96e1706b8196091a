import type { Waterfall, WaterfallStep } from '../../compare/waterfall/waterfall.ts';
import { casesOfWaterfall, creditNotes, keptSentence, shownValue, stepName, valuesOf } from '../waterfall-words.ts';
import { columnDigits, shownChange } from '../../text/figures.ts';
import { type Block, svgFigure, textBlock } from './frame.ts';
import { label } from './label.ts';
import { legendBlock } from './legend.ts';
import { element, type Markup } from './markup.ts';
import { AXIS, GRID, MARGIN, PAPER, TEXT, WIDTH } from './paper.ts';
import { linearScale, type Scale } from './scale.ts';
import { oneLine, textWidth } from './text-width.ts';
import { drawable, niceTicks, tickText, type Ticks } from './ticks.ts';
import { waterfallSentences } from './waterfall-sentences.ts';

/** Told apart without colour too: what is better is full, what is worse is pale with an outline. */
const COLOURS = { whole: '#4a6fa5', good: '#2a7f4f', bad: '#c0504d' } as const;

const ID = 'waterfall';
const BAR = 9;
/** A row is its name with its number, and the bar below. */
const NAME_LINE = 12;
const ROW = NAME_LINE + BAR + 9;
const MOST_ROWS = 40;

/** From strict matching to the score: one row a step, each bar from the value before to the value after. */
export function waterfallFigure(waterfall: Waterfall, measure: string = waterfall.shown): string {
  const { steps, measures } = waterfall;
  const values = valuesOf(steps, measure);
  const lower = measures.find(({ name }) => name === measure)?.direction === 'lower';
  const title = `${oneLine(measure)}, rule by rule`;
  const notes = [
    `n = ${casesOfWaterfall(waterfall)}.`,
    keptSentence(waterfall),
    ...creditNotes(waterfall),
    ...(lower ? ['Lower is better.'] : []),
    ...(steps.length > MOST_ROWS ? [`The first ${MOST_ROWS - 1} rows and the last of ${steps.length} are drawn.`] : []),
  ].filter((note) => note !== '');
  const desc = waterfallSentences(waterfall, measure).join(' ');
  const given = values.filter(drawable);
  if (given.length === 0)
    return svgFigure({ id: ID, title, desc, blocks: [textBlock([`${measure} has no value in any row.`])], notes });
  const [low, high] = [Math.min(0, ...given), Math.max(0, ...given)];
  const ticks = niceTicks(low, low === high ? 1 : high, 4);
  const place = linearScale(ticks.ends, [MARGIN, WIDTH - MARGIN]);
  const rows = rowsOf(steps, values);
  return svgFigure({
    id: ID,
    title,
    desc,
    blocks: [
      legendBlock([
        { name: 'value', wide: 12, sample: sample('whole') },
        { name: 'better', wide: 12, sample: sample('good') },
        { name: 'worse', wide: 12, sample: sample('bad') },
      ]),
      rowsBlock(rows, ticks, place, columnDigits(values), lower),
    ],
    notes,
  });
}

interface Row {
  readonly step: WaterfallStep;
  /** Its place among the steps. */
  readonly at: number;
  readonly from: number | null;
  readonly to: number | null;
  readonly isEnd: boolean;
}

function rowsOf(steps: readonly WaterfallStep[], values: readonly (number | null)[]): Row[] {
  const last = steps.length - 1;
  const rows = steps.map((step, at): Row => ({
    step,
    at,
    from: values[at - 1] ?? null,
    to: values[at]!,
    isEnd: at === 0,
  }));
  const shown = rows.length <= MOST_ROWS ? rows : [...rows.slice(0, MOST_ROWS - 1), rows[last]!];
  // The score stands once more below, as a bar from 0: that is what a reader takes away.
  if (last === 0) return shown;
  const end: WaterfallStep = { ...steps[last]!, path: 'score' };
  return [...shown, { step: end, at: last, from: null, to: values[last]!, isEnd: true }];
}

function rowsBlock(rows: readonly Row[], ticks: Ticks, place: Scale, digits: number, lower: boolean): Block {
  const height = rows.length * ROW;
  // Behind the bars alone: a line through a name is hard to read.
  const grid = rows.flatMap((_, at) =>
    ticks.values.map((value) =>
      element('line', {
        class: value === 0 ? 'axis' : 'grid',
        x1: place(value),
        y1: at * ROW + NAME_LINE + 1,
        x2: place(value),
        y2: at * ROW + NAME_LINE + BAR + 3,
        stroke: value === 0 ? AXIS : GRID,
        'stroke-width': 0.7,
      }),
    ),
  );
  const axis = ticks.values.flatMap((value, at) => {
    // Every other one where they would stand too close.
    if (ticks.values.length > 6 && at % 2 === 1) return [];
    const anchor = at === 0 ? 'start' : at === ticks.values.length - 1 ? 'end' : 'middle';
    return [label(place(value), height + TEXT, tickText(value, ticks.step), { anchor })];
  });
  return {
    height: height + TEXT + 6,
    content: [...grid, ...rows.map((row, at) => rowGroup(row, at * ROW, place, digits, lower)), ...axis],
  };
}

function rowGroup(
  { step, at, from, to, isEnd }: Row,
  top: number,
  place: Scale,
  digits: number,
  lower: boolean,
): Markup {
  const number = isEnd ? shownValue(to, digits) : shownChange(from, to, digits);
  const value = isEnd || number === '' ? '' : ` → ${shownValue(to, digits)}`;
  const text = `${number}${value}`;
  const room = WIDTH - 2 * MARGIN - textWidth(text, TEXT) - 8;
  const y = top + NAME_LINE + 2;
  const bar = isEnd ? barOf('whole', 0, to, y, place) : changeBar(from, to, y, place, lower);
  return element('g', { class: 'waterfall-row', 'data-step': String(at) }, [
    element('title', {}, [`${stepName(step)}: ${oneLine(step.setting)}`]),
    // Holds the whole row, so that there is something to point at between its parts.
    element('rect', { x: 0, y: top, width: WIDTH, height: ROW, fill: PAPER, 'fill-opacity': 0 }),
    label(MARGIN, top + TEXT - 1, stepName(step), { width: room }),
    label(WIDTH - MARGIN, top + TEXT - 1, text, { anchor: 'end' }),
    ...bar,
  ]);
}

/** From the value before to the value after, which a line marks; what changes nothing is that line alone. */
function changeBar(from: number | null, to: number | null, y: number, place: Scale, lower: boolean): Markup[] {
  if (!drawable(from) || !drawable(to)) return [];
  const mark = { x1: place(to), y1: y - 1.5, x2: place(to), y2: y + BAR + 1.5 };
  const kind = to > from === lower ? 'bad' : 'good';
  return [
    ...(from === to ? [] : barOf(kind, from, to, y, place)),
    element('line', { class: 'ink', ...mark, stroke: AXIS, 'stroke-width': 1.2 }),
  ];
}

function barOf(kind: BarKind, from: number, to: number | null, y: number, place: Scale): Markup[] {
  if (!drawable(to)) return [];
  const [low, high] = [place(Math.min(from, to)), place(Math.max(from, to))];
  return [element('rect', { class: classOf(kind), x: low, y, width: high - low, height: BAR, ...lookOf(kind) })];
}

type BarKind = keyof typeof COLOURS;

function classOf(kind: BarKind): string {
  return `bar bar-${kind}`;
}

function lookOf(kind: BarKind): Readonly<Record<string, string | number>> {
  const colour = COLOURS[kind];
  return kind === 'bad' ? { fill: colour, 'fill-opacity': 0.35, stroke: colour, 'stroke-width': 1 } : { fill: colour };
}

function sample(kind: BarKind): Markup {
  return element('rect', { class: classOf(kind), x: -5, y: -BAR / 2, width: 10, height: BAR, ...lookOf(kind) });
}
