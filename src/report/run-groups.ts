import type { MeasureValue } from '../measure/results.ts';
import type { Run } from '../score/run.ts';
import { count, figure, NONE } from '../text/figures.ts';
import { type FilledColumn, filledTable, quiet, type Section, type Table, type Text } from './document.ts';
import type { RecipeFacts } from './recipe-facts.ts';
import { type GroupRow, type GroupTable, labelTables } from './run-tables.ts';
import { intervalText } from './value-text.ts';

const LABELS_SHOWN = 10;
const LABELS_OF_KIND = 3;
const COUNTS = ['hit', 'missed', 'spurious', 'excused'] as const;
const right = { align: 'right' } as const;

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
  const notes = table.note === undefined ? [] : [table.note];
  const visible = scored.slice(0, scored.length > most + 1 ? most : undefined);
  return {
    title: table.title,
    blocks: [
      {
        ...groupTable(table, scored, (value) => figure(value.value ?? 0)),
        shown: most,
        rest: ' with fewer items',
        remarks: [
          ...notes,
          ...(excused.length > 0 ? [`excused only: ${excused.join(', ')}`] : []),
          ...reasons(visible),
        ],
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
