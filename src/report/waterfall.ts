import type { KindCounts, Move, Waterfall, WaterfallStep } from '../compare/waterfall/waterfall.ts';
import { columnDigits, count, plural, shownChange } from '../text/figures.ts';
import type { Block, Column, Document, List, Section, Table, Text } from './document.ts';
import { kindTitle } from './kind-name.ts';
import { VERDICT_LOOKS } from './style.ts';
import {
  casesOfWaterfall,
  creditNotes,
  keptSentence,
  movesNote,
  moveText,
  shownValue,
  stepName,
  valuesOf,
} from './waterfall-words.ts';

export interface WaterfallOptions {
  /** A measure to follow beside the counts. */
  readonly measure?: string | null;
  /** How many moved items to show of each step. */
  readonly moves?: number;
}

const FEW_MOVES = 3;
const right = { align: 'right' } as const;

/** From strict matching to the score: the way down, each rule taken away, and what moved. */
export function waterfallDocument(waterfall: Waterfall, options: WaterfallOptions = {}): Document {
  const { measure = null, moves = FEW_MOVES } = options;
  const { recipe, steps, without } = waterfall;
  const followed = measure ?? (isKindF1(waterfall) ? null : waterfall.shown);
  return {
    title: `${recipe}: from strict matching to the score, rule by rule`,
    about: `${casesOfWaterfall(waterfall)}. ${keptSentence(waterfall)}`.trim(),
    sections: [
      { blocks: [steps.length > 1 ? null : { text: 'The recipe is strict matching: it has no rule to show.' }] },
      ...steps[0]!.kinds.map((_, kind) => kindSection(steps, kind)),
      { blocks: [{ list: creditNotes(waterfall), bullets: true, tone: 'quiet' }] },
      ...(followed === null ? [] : [measureSection(waterfall, followed)]),
      // Less its only rule, a recipe is strict matching.
      ...(without.length < 2 ? [] : withoutSections(waterfall, followed)),
      ...(moves === 0 ? [] : [movedSection(steps, moves)]),
      {
        blocks: [
          { text: 'Changes are differences of the numbers as shown, so they add up. – means no value.', tone: 'quiet' },
        ],
      },
    ],
  };
}

/** Whether the measure of the figure is the F1 that the counts show anyway. */
function isKindF1({ steps, shown }: Waterfall): boolean {
  return steps[0]!.kinds.some((_, at) => steps.every(({ kinds, measures }) => kinds[at]?.f1 === measures[shown]));
}

/** The rows of a table: the steps, each against the one before and summed up; or recipes that are all against the first. */
interface Rows {
  readonly isLadder: boolean;
  readonly rows: readonly {
    readonly name: string;
    readonly step: WaterfallStep;
    readonly before: WaterfallStep | null;
  }[];
}

function ladder(steps: readonly WaterfallStep[]): Rows {
  return {
    isLadder: true,
    rows: steps.map((step, at) => ({ name: stepName(step), step, before: steps[at - 1] ?? null })),
  };
}

function lessOneRule({ steps, without }: Waterfall): Rows {
  const whole = steps.at(-1)!;
  const others = without.map((step) => ({ name: `less ${step.path}`, step, before: whole }));
  return { isLadder: false, rows: [{ name: 'whole recipe', step: whole, before: null }, ...others] };
}

/** The counts of one kind. If there are several, a terminal leaves out the steps that do nothing to this one. */
function kindSection(steps: readonly WaterfallStep[], kind: number): Section {
  const kinds = steps[0]!.kinds;
  const all = ladder(steps);
  const active = all.rows.filter(
    ({ step, before }) => before === null || !isSame(step.kinds[kind]!, before.kinds[kind]!),
  );
  const idle = all.rows.length - active.length;
  const isShort = kinds.length > 1 && idle > 0;
  const remarks = [`${plural(idle, 'further step changes', 'further steps change')} nothing here.`];
  const blocks: Block[] = isShort
    ? [
        { ...countTable({ ...all, rows: active }, kind), remarks, on: 'terminal' },
        { ...countTable(all, kind), on: 'page' },
      ]
    : [countTable(all, kind)];
  return { title: kindTitle(kinds[kind]!.kind), blocks };
}

function isSame(a: KindCounts, b: KindCounts): boolean {
  return a.hit === b.hit && a.missed === b.missed && a.spurious === b.spurious && a.excused === b.excused;
}

function countTable({ rows, isLadder }: Rows, kind: number): Table {
  const digits = columnDigits(
    rows.flatMap(({ step }) => {
      const { precision, recall, f1 } = step.kinds[kind]!;
      return [precision, recall, f1];
    }),
  );
  const columns: Column[] = [
    firstColumn(isLadder),
    { title: 'setting', ...(isLadder ? { below: true } : { on: 'page' }) },
    ...['TP', 'FP', 'FN'].map((title): Column => ({ title, ...right })),
    { title: 'excused', ...right, drop: 1 },
    ...['P', 'R', 'F1', 'change'].map((title): Column => ({ title, ...right })),
  ];
  const cells = rows.map(({ name, step, before }): Text[] => {
    const { hit, spurious, missed, excused, precision, recall, f1 } = step.kinds[kind]!;
    return [
      name,
      isLadder || before !== null ? step.setting : '',
      ...[hit, spurious, missed, excused].map(count),
      shownValue(precision, digits),
      shownValue(recall, digits),
      { text: shownValue(f1, digits), tone: 'strong' },
      before === null ? '' : changeText(before.kinds[kind]!.f1, f1, digits),
    ];
  });
  const f1s = rows.map(({ step }) => step.kinds[kind]!.f1);
  return { columns, rows: isLadder ? [...cells, ...totalRow(f1s, digits, columns.length)] : cells };
}

/** Values of the rows, each with its change. */
function valueTable(
  { rows, isLadder }: Rows,
  values: readonly { readonly title: string; readonly of: (step: WaterfallStep) => number | null }[],
): Table {
  const digits = values.map(({ of }) => columnDigits(rows.map(({ step }) => of(step))));
  const columns: Column[] = [
    firstColumn(isLadder),
    ...values.flatMap(({ title }): Column[] => [
      { title, ...right },
      { title: 'change', ...right },
    ]),
  ];
  const cells = rows.map(({ name, step, before }): Text[] => [
    name,
    ...values.flatMap(({ of }, at): Text[] => [
      { text: shownValue(of(step), digits[at]!), tone: 'strong' },
      before === null ? '' : changeText(of(before), of(step), digits[at]!),
    ]),
  ]);
  const total = values.flatMap(({ of }, at) =>
    totalRow(
      rows.map(({ step }) => of(step)),
      digits[at]!,
      columns.length,
    ),
  );
  return { columns, rows: isLadder ? [...cells, ...total] : cells };
}

function firstColumn(isLadder: boolean): Column {
  return { title: isLadder ? 'step' : 'recipe', shrinks: true };
}

function changeText(from: number | null, to: number | null, digits: number): Text {
  const text = shownChange(from, to, digits);
  return { text, tone: text === '0' ? 'quiet' : null };
}

/** The whole way, which the changes above it add up to. */
function totalRow(values: readonly (number | null)[], digits: number, columns: number): Text[][] {
  if (values.length < 2) return [];
  const blanks = Array.from({ length: columns - 2 }, () => '');
  return [[{ text: 'in all', tone: 'quiet' }, ...blanks, changeText(values[0]!, values.at(-1)!, digits)]];
}

function measureSection({ steps, measures }: Waterfall, measure: string): Section {
  const isLower = measures.find(({ name }) => name === measure)?.direction === 'lower';
  return {
    title: isLower ? `${measure} (lower is better)` : measure,
    blocks: [valueTable(ladder(steps), [{ title: 'value', of: (step) => valuesOf([step], measure)[0]! }])],
  };
}

/** What is lost with a rule once all others are there. Of several kinds, a terminal has room for their F1. */
function withoutSections(waterfall: Waterfall, followed: string | null): Section[] {
  const rows = lessOneRule(waterfall);
  const kinds = waterfall.steps[0]!.kinds.map(({ kind }) => kind);
  const remarks = ['Each rule alone is taken away from the whole recipe, since order matters.'];
  const isPlain = followed === null && kinds.length === 1;
  const values =
    followed === null
      ? kinds.map((kind, at) => ({ title: `${kind} F1`, of: (step: WaterfallStep) => step.kinds[at]!.f1 }))
      : [{ title: followed, of: (step: WaterfallStep) => valuesOf([step], followed)[0]! }];
  const table = isPlain ? countTable(rows, 0) : valueTable(rows, values);
  return [
    { title: 'Without one rule', blocks: [{ ...table, remarks }] },
    ...(isPlain ? [] : kinds).map((kind, at): Section => {
      return { title: `${kindTitle(kind)}, without one rule`, level: 3, on: 'page', blocks: [countTable(rows, at)] };
    }),
  ];
}

/** Items whose verdict a step changed, with their texts: a page, which may be passed on, does not have them. */
function movedSection(steps: readonly WaterfallStep[], most: number): Section {
  const lists = steps.flatMap(({ path, moves }): List[] => {
    if (moves === null || moves.total === 0) return [];
    const ways = moves.by.map((way) => `${count(way.n)} ${way.side} ${moveText(way)}`);
    return [
      { lead: `${path}: ${ways.join(', ')}`, list: moves.shown.slice(0, most).map(movedItem), total: moves.total },
    ];
  });
  const note = lists.length === 0 ? null : movesNote(steps);
  return {
    title: 'What moved',
    on: 'terminal',
    blocks: [note === null ? null : { text: note, tone: 'quiet' }, ...lists],
  };
}

function movedItem(move: Move): Text {
  const { symbol, tone } = move.to === null ? { symbol: '·', tone: null } : VERDICT_LOOKS[move.to];
  const rule = move.rule === null || move.rule === 'pair' || move.rule === 'no-match' ? '' : ` (${move.rule})`;
  return [
    { text: symbol, tone },
    { text: ` ${move.case}: ${moveText(move)}${rule}, ${move.side} ${move.label} “${move.text}”` },
  ];
}
