import type { KindCounts, Move, Moves, Waterfall, WaterfallStep } from '../compare/waterfall/waterfall.ts';
import { columnDigits, count, counted, shownChange } from '../text/figures.ts';
import { prose } from './prose.ts';
import { type Style, VERDICT_LOOKS } from './style.ts';
import { type Cell, type Column, tableLines } from './table.ts';
import { casesOfWaterfall, creditNotes, movesNote } from './waterfall-notes.ts';
import { keptSentence, shownValue, stepName, valuesOf } from './waterfall-values.ts';
import { truncate } from './display-width.ts';
import { safeText } from './safe-text.ts';

export interface WaterfallTextOptions {
  /** A measure to follow beside the counts. */
  readonly measure?: string | null;
  /** How many moved items to show of each step. */
  readonly moves?: number;
}

const FEW_MOVES = 3;
const INDENT = '    ';

/** The waterfall for a terminal: the way down, each rule taken away, and what moved. */
export function waterfallText(waterfall: Waterfall, style: Style, options: WaterfallTextOptions = {}): string {
  const { measure = null, moves = FEW_MOVES } = options;
  const { recipe, steps, without } = waterfall;
  const kinds = steps[0]!.kinds.map(({ kind }) => kind);
  const followed = measure ?? (isAnF1(waterfall) ? null : waterfall.shown);
  const lines = [
    style.paint(`${recipe}: from strict matching to the score, rule by rule`, 'strong'),
    ...prose(`${casesOfWaterfall(waterfall)}. ${keptSentence(waterfall)}`.trim(), style, '', '', 'quiet'),
    ...(steps.length === 1 ? ['', ...prose('The recipe is strict matching: there is no rule to show.', style)] : []),
    ...kinds.flatMap((kind, at) => ['', ...kindLines(steps, at, kinds.length === 1 ? 'step' : kind, style)]),
    ...creditNotes(waterfall).flatMap((note) => prose(note, style, '', '', 'quiet')),
    ...(followed === null ? [] : ['', ...measureLines(waterfall, steps, followed, style)]),
    ...(without.length < 2 ? [] : ['', ...withoutLines(waterfall, followed, style)]),
    ...(moves === 0 ? [] : movedLines(steps, moves, style)),
    '',
    ...prose(
      'Changes are between the numbers as they are shown, so that they add up. – stands where there is no value.',
      style,
      '',
      '',
      'quiet',
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** Whether the measure of the figure is the F1 that the counts show anyway. */
function isAnF1({ steps, shown }: Waterfall): boolean {
  return steps[0]!.kinds.some((_, at) => steps.every(({ kinds, measures }) => kinds[at]?.f1 === measures[shown]));
}

const NUMBERS = ['TP', 'FP', 'FN', 'P', 'R', 'F1', 'change'] as const;

function columnsOf(first: string, numbers: readonly string[]): Column[] {
  return [{ title: first, shrinks: true }, ...numbers.map((title): Column => ({ title, align: 'right' }))];
}

/** The counts of one kind; of several kinds, only the steps that did something to it. */
function kindLines(steps: readonly WaterfallStep[], kind: number, title: string, style: Style): string[] {
  const several = steps[0]!.kinds.length > 1;
  const rows = steps.map((step, at) => ({ step, own: step.kinds[kind]!, before: steps[at - 1]?.kinds[kind] ?? null }));
  const shown = rows.filter(({ own, before }) => !several || before === null || !isSame(own, before));
  const digits = columnDigits(rows.flatMap(({ own }) => [own.precision, own.recall, own.f1]));
  const table = tableLines(
    columnsOf(title, NUMBERS),
    [
      ...shown.map(({ step, own, before }) => [stepName(step), ...countCells(own, before, digits)]),
      ...inAll(rows[0]!.own.f1, rows.at(-1)!.own.f1, digits, steps.length, 6),
    ],
    style,
  );
  const idle = rows.length - shown.length;
  return [
    ...withSettings(
      table,
      shown.map(({ step }) => step),
      style,
    ),
    ...(idle === 0
      ? []
      : prose(
          `${counted(idle, 'further step changes', 'further steps change')} nothing here.`,
          style,
          '',
          '',
          'quiet',
        )),
  ];
}

function isSame(a: KindCounts, b: KindCounts): boolean {
  return a.hit === b.hit && a.missed === b.missed && a.spurious === b.spurious && a.excused === b.excused;
}

function countCells(own: KindCounts, before: KindCounts | null, digits: number): Cell[] {
  return [
    count(own.hit),
    count(own.spurious),
    count(own.missed),
    shownValue(own.precision, digits),
    shownValue(own.recall, digits),
    { text: shownValue(own.f1, digits), tone: 'strong' },
    changeCell(before === null ? null : before.f1, own.f1, digits, before === null),
  ];
}

function changeCell(from: number | null, to: number | null, digits: number, isStart: boolean): Cell {
  if (isStart) return '';
  const text = shownChange(from, to, digits);
  return { text, tone: text === '0' ? 'quiet' : null };
}

/** Below each row what the step says. */
function withSettings(table: readonly string[], steps: readonly WaterfallStep[], style: Style): string[] {
  const [titles = '', ...rows] = table;
  return [
    titles,
    ...rows.flatMap((row, at) => {
      const step = steps[at];
      // The last row is of no step: it is the sum.
      if (step === undefined) return [row];
      const said = safeText(step.setting);
      const room = style.width - INDENT.length;
      return [
        row,
        ...(style.terminal
          ? [`${INDENT}${style.paint(truncate(said, room), 'quiet')}`]
          : prose(said, style, INDENT, INDENT, 'quiet')),
      ];
    }),
  ];
}

function measureLines(waterfall: Waterfall, steps: readonly WaterfallStep[], measure: string, style: Style): string[] {
  const values = valuesOf(steps, measure);
  const digits = columnDigits(values);
  const lower = waterfall.measures.find(({ name }) => name === measure)?.direction === 'lower';
  return tableLines(
    columnsOf(lower ? `${measure} (lower is better)` : measure, ['value', 'change']),
    steps
      .map((step, at): Cell[] => [
        stepName(step),
        { text: shownValue(values[at]!, digits), tone: 'strong' },
        changeCell(values[at - 1] ?? null, values[at]!, digits, at === 0),
      ])
      .concat(inAll(values[0] ?? null, values.at(-1) ?? null, digits, steps.length, 1)),
    style,
  );
}

/** The whole way, which the changes above it add up to. */
function inAll(first: number | null, last: number | null, digits: number, steps: number, blanks: number): Cell[][] {
  if (steps < 2) return [];
  return [
    [
      { text: 'in all', tone: 'quiet' },
      ...Array.from({ length: blanks }, () => ''),
      changeCell(first, last, digits, false),
    ],
  ];
}

/** The whole recipe less one rule each: what is lost with it once all others are there. */
function withoutLines(waterfall: Waterfall, followed: string | null, style: Style): string[] {
  const { steps, without } = waterfall;
  const whole = steps.at(-1)!;
  const head = ['', ...prose('Each rule alone taken away from the whole recipe, since order matters:', style)].slice(1);
  if (followed === null && whole.kinds.length === 1) {
    const own = [whole, ...without];
    const digits = columnDigits(own.flatMap(({ kinds }) => [kinds[0]!.precision, kinds[0]!.recall, kinds[0]!.f1]));
    const rows = own.map((step, at): Cell[] => [
      at === 0 ? 'whole recipe' : `less ${step.path}`,
      ...countCells(step.kinds[0]!, at === 0 ? null : whole.kinds[0]!, digits),
    ]);
    return [...head, ...tableLines(columnsOf('', NUMBERS), rows, style)];
  }
  const columns =
    followed === null
      ? whole.kinds.map(({ kind }, at) => ({ title: `${kind} F1`, of: (step: WaterfallStep) => step.kinds[at]!.f1 }))
      : [{ title: followed, of: (step: WaterfallStep) => valuesOf([step], followed)[0]! }];
  const digits = columns.map(({ of }) => columnDigits([whole, ...without].map(of)));
  const rows = [whole, ...without].map((step, row): Cell[] => [
    row === 0 ? 'whole recipe' : `less ${step.path}`,
    ...columns.flatMap(({ of }, at): Cell[] => [
      { text: shownValue(of(step), digits[at]!), tone: 'strong' },
      changeCell(of(whole), of(step), digits[at]!, row === 0),
    ]),
  ]);
  return [
    ...head,
    ...tableLines(
      columnsOf(
        '',
        columns.flatMap(({ title }) => [title, 'change']),
      ),
      rows,
      style,
    ),
  ];
}

function movedLines(steps: readonly WaterfallStep[], most: number, style: Style): string[] {
  const moved = steps.filter(({ moves }) => moves !== null && moves.total > 0);
  if (moved.length === 0) return [];
  const note = movesNote(steps);
  return [
    '',
    style.paint('What moved', 'strong'),
    ...(note === null ? [] : prose(note, style, '', '', 'quiet')),
    ...moved.flatMap(({ path, moves }) => (moves === null ? [] : stepMoveLines(path, moves, most, style))),
  ];
}

function stepMoveLines(path: string, moves: Moves, most: number, style: Style): string[] {
  const ways = moves.by.map(({ side, from, to, n }) => `${count(n)} ${side} ${wayText({ from, to })}`);
  const shown = moves.shown.slice(0, most);
  const more = moves.total - shown.length;
  return [
    ...prose(`${path}: ${ways.join(', ')}`, style, '', INDENT),
    ...shown.map((move) => moveLine(move, style)),
    ...(more > 0 ? [`${INDENT}${style.paint(`… and ${count(more)} more`, 'quiet')}`] : []),
  ];
}

/** `missed → hit`; what is no more, or was not there, is said. */
export function wayText({ from, to }: Pick<Move, 'from' | 'to'>): string {
  return `${from ?? 'not there'} → ${to ?? 'gone'}`;
}

function moveLine(move: Move, style: Style): string {
  const { symbol, tone } = move.to === null ? { symbol: ' ', tone: null } : VERDICT_LOOKS[move.to];
  const rule = move.rule === null || move.rule === 'pair' || move.rule === 'no-match' ? '' : ` (${move.rule})`;
  const said = `${move.case}  ${wayText(move)}${rule}  ${move.side} ${move.label} “${move.text}”`;
  return `  ${style.paint(symbol, tone)} ${style.paint(truncate(safeText(said), style.width - INDENT.length))}`;
}
