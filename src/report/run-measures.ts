import type { MeasureValue } from '../measure/results.ts';
import type { Run } from '../score/run.ts';
import { count, figure, levelText, NONE, quantities } from '../text/figures.ts';
import { arrow, arrowLegend, betterWord } from './arrows.ts';
import {
  type FilledColumn,
  filledTable,
  type Piece,
  present,
  quiet,
  type TableRow,
  type Section,
  type Table,
  type Text,
} from './document.ts';
import { CASE_MEAN, CASE_MEAN_MEANING, isCaseMean, poolingRemarks, poolingWord, poolsDiffer } from './pooling.ts';
import type { RecipeFacts } from './recipe-facts.ts';
import { type GroupRow, type GroupTable, byHeading, labelTables, overall, type partTables } from './run-tables.ts';
import { intervalText, nameText, sharedRemarks, whyNone } from './value-text.ts';

const right = { align: 'right' } as const;

/** The overall measures under the headings that the recipe gives them; the bar is full up to the value. */
export function measureTable(run: Run, facts: RecipeFacts): Table {
  const values = overall(run);
  const level = values.find(({ interval }) => interval !== null)?.interval?.level ?? null;
  const hasSpread = facts.spread && run.measures.cases.total > 1;
  const spread = (title: string, drop: number, of: 'mean' | 'sd' | 'min' | 'max'): FilledColumn<MeasureValue> => [
    { title, ...right, drop, ...(hasSpread ? {} : { on: 'page' }) },
    ({ cases }) => numberOrNone(cases?.[of]),
  ];
  const differ = poolsDiffer(values);
  const columns: readonly (FilledColumn<MeasureValue> | null)[] = [
    [{ title: 'measure', shrinks: 'last' }, nameText],
    [{ title: 'value', ...right, value: true }, (value) => valueCell(value, facts)],
    [{ title: '', on: 'terminal' }, (value) => quiet(arrow(value))],
    differ ? [{ title: 'over cases', on: 'page' }, poolingWord] : null,
    [{ title: 'n', ...right }, ({ n }) => quiet(count(n))],
    [{ title: 'cases', ...right, on: 'page' }, ({ units }) => count(units)],
    level === null ? null : [{ title: `${levelText(level)} interval` }, (value) => intervalCell(value)],
    level === null ? null : [{ title: 'method', on: 'page' }, ({ interval }) => interval?.method ?? NONE],
    [{ title: 'better', on: 'page' }, betterWord],
    differ ? [{ title: '', on: 'terminal' }, (value) => quiet(isCaseMean(value) ? CASE_MEAN : '')] : null,
    spread(CASE_MEAN, 1, 'mean'),
    spread('sd', 2, 'sd'),
    spread('min', 3, 'min'),
    spread('max', 3, 'max'),
    [{ title: '', drop: 4, on: 'terminal', drawn: true }, barCell],
  ];
  const groups = byHeading(values, facts);
  const rows = groups.flatMap(({ title, values: own }): TableRow[] => [
    ...(title === null ? [] : [{ group: title, tone: 'quiet' } as const]),
    ...filledTable(columns, own).rows,
  ]);
  const others = differ ? 'other values' : 'values';
  const spreadText = hasSpread ? '; sd, min and max are of these too' : '';
  const means =
    differ || hasSpread ? [`${CASE_MEAN}: ${CASE_MEAN_MEANING}${spreadText}; ${others} pool all cases`] : [];
  return {
    ...filledTable(columns, values),
    rows,
    remarks: [...arrowLegend(values), ...means, ...valueRemarks(values)],
  };
}

function valueCell({ name, value }: MeasureValue, facts: RecipeFacts): Text {
  if (value === null) return quiet(NONE);
  return { text: facts.measures[name]?.of === 'count' ? count(value) : figure(value), tone: 'strong' };
}

function intervalCell(value: MeasureValue): Text {
  return value.interval === null ? quiet(NONE) : intervalText(value);
}

function numberOrNone(value: number | null | undefined): Text {
  return value == null ? quiet(NONE) : figure(value);
}

const BAR = 20;

/** Full up to the value, or up to the interval's low end and dashed through the interval. */
function barCell({ value, range, interval }: MeasureValue): readonly Piece[] {
  if (value === null || range[0] !== 0 || range[1] !== 1) return [];
  const cells = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * BAR);
  const solid = cells(interval?.low ?? value);
  const dashed = cells(interval?.high ?? value);
  return [{ text: '━'.repeat(solid) }, { text: '╍'.repeat(dashed - solid) }, quiet('─'.repeat(BAR - dashed))];
}

/** What the measures note of themselves, and why some have no interval. */
export function measureNotes(run: Run): string[] {
  return sharedRemarks(
    overall(run).flatMap((value) => {
      const why = whyNone(value);
      const texts = [...(value.note === null ? [] : [value.note]), ...(why === null ? [] : [`no interval: ${why}`])];
      return texts.map((text) => ({ name: value.name, text }));
    }),
  );
}

/** Values by what the labels of measures are called: the dimensions of a scale. A terminal shows those with a value. */
export function partSection({ title, rows }: ReturnType<typeof partTables>[number]): Section {
  const table = (values: readonly MeasureValue[]): Table =>
    filledTable<MeasureValue>(
      [
        [{ title: 'measure', shrinks: true }, nameText],
        [{ title: title.replace(/^By /, ''), shrinks: true }, ({ slice }) => Object.values(slice)[0] ?? ''],
        [
          { title: 'value', ...right },
          ({ value }) => (value === null ? NONE : { text: figure(value), tone: 'strong' }),
        ],
        [{ title: 'n', ...right }, ({ n }) => quiet(count(n))],
        [{ title: 'interval' }, intervalCell],
      ],
      values,
    );
  const known = rows.filter(({ value }) => value !== null);
  return {
    title,
    blocks: [
      { ...table(known), on: 'terminal' },
      { ...table(rows), remarks: [...poolingRemarks(rows), ...valueRemarks(rows)], on: 'page' },
    ],
  };
}

/** Why measures have no value, each reason once with the measures it holds for. */
function valueRemarks(values: readonly MeasureValue[]): string[] {
  return sharedRemarks(
    values.flatMap((value) =>
      value.value === null
        ? [{ name: nameText(value), text: `undefined: ${value.undefined ?? 'no reason given'}` }]
        : [],
    ),
  );
}

/** One system with its overall values by name. */
export interface NamedValues {
  readonly name: string;
  readonly values: ReadonlyMap<string, MeasureValue>;
}

/** A few measures of several systems side by side, each value with its interval. */
export function sideBySideTable(systems: readonly NamedValues[], measures: readonly string[]): Table {
  const shown = measures.flatMap((name) => systems.find(({ values }) => values.has(name))?.values.get(name) ?? []);
  const level = shown.find(({ interval }) => interval !== null)?.interval?.level;
  const cells = systems.map(({ values }) => alignedCells(shown.map(({ name }) => values.get(name))));
  return {
    columns: [{ title: 'measure' }, { title: '' }, ...systems.map(({ name }) => ({ title: name, value: true }))],
    rows: shown.map((measure, at) => [nameText(measure), quiet(arrow(measure)), ...cells.map((own) => own[at]!)]),
    remarks: [
      ...undefinedRemarks(systems, measures),
      ...(level === undefined ? [] : [`beside each value its ${levelText(level)} interval, over cases`]),
      ...arrowLegend(shown),
      ...poolingRemarks(shown),
    ],
    continues: true,
  };
}

/** Why values are undefined, each reason once with the measures and the systems it holds for. */
export function undefinedRemarks(systems: readonly NamedValues[], measures: readonly string[]): string[] {
  const remarks = measures.flatMap((name) => {
    const open = systems.flatMap(({ name: system, values }) => {
      const value = values.get(name);
      return value?.value === null
        ? [{ system, title: nameText(value), why: value.undefined ?? 'no reason given' }]
        : [];
    });
    return [...Map.groupBy(open, ({ why }) => why)].map(([why, own]) => ({
      name: own[0]!.title,
      text: `undefined${own.length === systems.length ? '' : ` in ${own.map(({ system }) => system).join(', ')}`}: ${why}`,
    }));
  });
  return sharedRemarks(remarks);
}

function alignedCells(values: readonly (MeasureValue | undefined)[]): Text[] {
  const texts = values.map((value) => (value?.value == null ? NONE : figure(value.value, value)));
  const width = Math.max(...texts.map(({ length }) => length));
  return texts.map((text, at) => {
    const value = values[at];
    const ends = value?.interval == null ? [] : quantities(value.interval.low, value.interval.high, value);
    return [{ text: text.padStart(width), tone: text === NONE ? 'quiet' : 'strong' }, quiet(`  ${ends.join('–')}`)];
  });
}

const LABELS_SHOWN = 10;
const LABELS_OF_KIND = 3;
const COUNTS = ['hit', 'missed', 'spurious', 'excused'] as const;

/** The labels by kind. A terminal has one table of them, with the first few of each kind, if all are measured alike. */
export function labelSections(run: Run, facts: RecipeFacts): Section[] {
  const tables = labelTables(run, facts);
  const headings = tables[0]?.headings ?? [];
  const isAlike = tables.every((table) => table.headings.join() === headings.join());
  if (tables.length < 2 || !isAlike) return tables.map((table) => groupSection(table, LABELS_SHOWN));
  const rows = tables.flatMap(({ kind, rows: own }) =>
    own.map((row, at) => ({ ...row, name: `${kind} ${row.name}`, isFirst: at < LABELS_OF_KIND })),
  );
  const first = rows.filter(({ isFirst }) => isFirst);
  const note = tables.flatMap(({ note: own }) => own ?? []).join('; ');
  const merged = {
    title: 'By label',
    headings,
    rows: [...first, ...rows.filter(({ isFirst }) => !isFirst)],
    ...(note === '' ? {} : { note }),
  };
  return [
    { ...groupSection(merged, first.length), on: 'terminal' },
    ...tables.map((table): Section => ({ ...groupSection(table), on: 'page' })),
  ];
}

/** Labels, schemes or values of a field. A terminal shows the first of them, and leaves out what has no score. */
export function groupSection(table: GroupTable, most = Infinity): Section {
  const scored = table.rows.filter((row) => !isExcusedOnly(row));
  const excused = table.rows.filter(isExcusedOnly).map(({ name, counts }) => `${name} ${count(counts?.excused ?? 0)}`);
  const values = table.rows.flatMap((row) => row.values.filter((value) => value != null));
  const notes = [...(table.note === undefined ? [] : [table.note]), ...poolingRemarks(values)];
  const visible = scored.slice(0, scored.length > most + 1 ? most : undefined);
  return {
    title: table.title,
    blocks: [
      {
        ...groupTable(table, scored, (value) => figure(value.value ?? 0)),
        shown: most,
        rest: ' with fewer items',
        remarks: present([...notes, excused.length > 0 && `excused only: ${excused.join(', ')}`, ...reasons(visible)]),
        on: 'terminal',
      },
      { ...groupTable(table, table.rows, valueWithInterval), remarks: [...notes, ...reasons(table.rows)], on: 'page' },
    ],
  };
}

function groupTable(table: GroupTable, rows: readonly GroupRow[], text: (value: MeasureValue) => string): Table {
  const verdicts = COUNTS.filter((verdict) => table.rows.some(({ counts }) => (counts?.[verdict] ?? 0) > 0));
  return filledTable<GroupRow>(
    [
      [{ title: table.title.replace(/^By /, ''), shrinks: true }, ({ name }) => name],
      ...table.headings.map((title, at): FilledColumn<GroupRow> => [
        { title, ...right },
        ({ values }) => (values[at]?.value == null ? quiet(NONE) : text(values[at])),
      ]),
      [{ title: 'n', ...right, drop: 3 }, ({ n }) => quiet(n === null ? '' : count(n))],
      ...verdicts.map((verdict): FilledColumn<GroupRow> => [
        { title: verdict, ...right, drop: verdict === 'excused' ? 2 : 1 },
        ({ counts }): Text => (counts?.[verdict] ? count(counts[verdict]) : quiet('0')),
      ]),
    ],
    rows,
  );
}

function valueWithInterval(value: MeasureValue): string {
  const text = figure(value.value ?? 0);
  return value.interval === null ? text : `${text} (${intervalText(value)})`;
}

/** A label of which nothing counts: it has no score to show. */
function isExcusedOnly({ values, counts }: GroupRow): boolean {
  return (
    counts !== null &&
    counts.hit + counts.missed + counts.spurious === 0 &&
    values.every((value) => value?.value == null)
  );
}

/** Why cells are empty, each reason once. */
function reasons(rows: readonly GroupRow[]): string[] {
  const texts = new Set(rows.flatMap(({ values }) => values.flatMap((value) => value?.undefined ?? [])));
  return texts.size === 0 ? [] : [`${NONE} undefined: ${[...texts].join('; ')}`];
}
