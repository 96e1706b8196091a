import { PARITY } from '../formats/consult/bilingual.ts';
import type { MeasureValue } from '../measure/results.ts';
import { compareNatural } from '../text/compare.ts';
import { count, levelText } from '../text/figures.ts';
import { betterWord } from './arrows.ts';
import { nameList } from './comparison-words.ts';
import { type Block, numberColumns, present, type Table, textColumns } from './document.ts';
import { type EvaluationContext, Footnotes, measureNames, valueCells } from './evaluation-values.ts';
import { poolingRemarks } from './pooling.ts';
import { groupSection } from './run-measures.ts';
import { fieldTables } from './run-tables.ts';

export const RULE_AGREEMENT = 'rule_agreement';
/** Kinds of items that reviewers give; all others are computed without them. */
const BY_REVIEWERS: ReadonlySet<string> = new Set(['rating', 'claim', 'tick', 'review', 'outcome']);

const FIRST = 'Primary measures';
const SECOND = 'Secondary measures';
const AUTOMATIC = 'Automatic measures';
const COVERAGE = 'Coverage of what people were asked';

/** The measures by heading, from the recipe or else their kind. Those with a separate section are left out. */
function measureGroups({ systems, facts: { primary, measures } }: EvaluationContext): Map<string, string[]> {
  const groupOf = (name: string): string => {
    const form = measures[name];
    if (form?.heading !== undefined) return form.heading;
    const isByReviewers = BY_REVIEWERS.has(form?.kind ?? form?.over?.kind ?? '');
    if ((isByReviewers || form === undefined) && name.endsWith('_coverage')) return COVERAGE;
    // The bounds of a primary measure belong beside it.
    if (primary.some((one) => name === one || name.startsWith(`${one}_`))) return FIRST;
    return isByReviewers ? SECOND : AUTOMATIC;
  };
  const names = measureNames(systems).filter((name) => name !== PARITY && name !== RULE_AGREEMENT);
  const groups = Map.groupBy(names, groupOf);
  const order = [...new Set([FIRST, SECOND, AUTOMATIC, COVERAGE, ...groups.keys()])];
  return new Map(order.flatMap((title) => (groups.has(title) ? [[title, groups.get(title)!]] : [])));
}

/** Measures x systems. A terminal leaves out the coverage: it shows which answers are missing. */
export function measureBlocks(context: EvaluationContext): Block[] {
  const { systems, valueOf } = context;
  const groups = measureGroups(context);
  const grouped = new Set([...groups.values()].flat());
  const values = systems.flatMap(({ run }) => run.measures.measures.filter(({ name }) => grouped.has(name)));
  const tables = [...groups].map(([lead, names]): Block => ({
    ...systemsTable(
      context,
      'measure',
      names.map((name) => ({ title: name, values: systems.map((system) => valueOf(system, name)) })),
    ),
    lead,
    ...(lead === COVERAGE ? { on: 'page' } : {}),
  }));
  // Once for all tables: one may have means of cases alone.
  return [{ text: intervalSentence(context) }, { list: poolingRemarks(values) }, ...tables];
}

/** What is in brackets, once for all tables. */
function intervalSentence({ systems }: EvaluationContext): string {
  const intervals = systems.flatMap(({ run }) => run.measures.measures.flatMap(({ interval }) => interval ?? []));
  const levels = [...new Set(intervals.map(({ level }) => levelText(level)))];
  const methods = [...new Set(intervals.map(({ method }) => method))];
  if (levels.length === 0) return 'The recipe asks for no intervals: these values do not show how certain they are.';
  return `In brackets is the ${levels.join(' or ')} interval (${methods.join(', ')}); n is what a value was computed over. Numbers in square brackets refer to the reasons below a table.`;
}

interface MeasureRow {
  readonly title: string;
  /** One a system. */
  readonly values: readonly (MeasureValue | null)[];
}

export function systemsTable({ systems }: EvaluationContext, first: string, rows: readonly MeasureRow[]): Table {
  const notes = new Footnotes();
  const cells = rows.map(({ title, values }) => {
    const known = values.find((value) => value !== null);
    return [title, known == null ? '' : betterWord(known), ...valueCells(values, notes)];
  });
  return {
    columns: [...textColumns(first), { title: 'better is' }, ...numberColumns(...systems.map(({ system }) => system))],
    rows: cells,
    remarks: notes.list(),
    continues: true,
  };
}

/** Tables of the measures that have values by the labels of one slice: dimensions of a scale, components, classes. */
export function labelBlocks(
  context: EvaluationContext,
  slice: string,
  isWanted: (name: string) => boolean,
  order: readonly string[] = [],
): Block[] {
  const { systems, facts, valueOf } = context;
  const labelsOf = new Map<string, Set<string>>();
  for (const { run } of systems)
    for (const { name, slice: own } of run.measures.measures) {
      const label = own[slice];
      if (label === undefined || Object.keys(own).length > 1 || !isWanted(name)) continue;
      labelsOf.set(name, (labelsOf.get(name) ?? new Set<string>()).add(label));
    }
  return measureNames(systems).flatMap((name): Block[] => {
    const labels = labelsOf.get(name);
    if (labels === undefined) return [];
    const { by } = facts.measures[name] ?? {};
    const first = [...(typeof by === 'object' ? by.labels : []), ...order].filter((label) => labels.has(label));
    const rows = [...new Set([...first, ...[...labels].sort(compareNatural)])].map((label) => ({
      title: label,
      values: systems.map((system) => valueOf(system, name, { [slice]: label })),
    }));
    const what = slice === 'label' ? 'class' : slice;
    const lead = `${name} by ${what}`;
    // A table that would have nothing but one reason is a sentence.
    const reasons = new Set(rows.flatMap(({ values }) => values.map((value) => value?.undefined ?? null)));
    const [reason] = reasons;
    if (reasons.size === 1 && reason != null)
      return [{ text: `${lead} (${rows.map(({ title }) => title).join(', ')}): undefined. ${reason}.` }];
    return [{ ...systemsTable(context, what, rows), lead }];
  });
}

const CLASS = 'class';
const NO_CLASS = '(no class)';

/** Accuracy by class, and which class was taken for which. */
export function classBlocks(context: EvaluationContext): Block[] {
  const { systems, facts, truth } = context;
  const matrices = systems.map(({ system, run }): Block => {
    const pairs = run.measures.confusion.filter(({ kind, scheme }) => kind === CLASS && scheme === null);
    if (pairs.length === 0) return { text: `${system}: no case has a class to be taken for another.` };
    const inOrder = (names: ReadonlySet<string>): string[] => {
      const rest = [...names].filter((name) => name !== NO_CLASS).sort(compareNatural);
      return [...new Set([...(facts.classes ?? []).filter((name) => names.has(name)), ...rest, ...names])];
    };
    const predicted = inOrder(new Set(pairs.map((pair) => pair.predicted ?? NO_CLASS)));
    const counts = new Map(
      pairs.map((pair) => [JSON.stringify([pair.gold ?? NO_CLASS, pair.predicted ?? NO_CLASS]), pair.n]),
    );
    return {
      lead: `Classes of ${system}: what each case is (rows) and what it was taken for (columns), in cases`,
      columns: [{ title: 'the case is' }, ...numberColumns(...predicted, 'all')],
      rows: inOrder(new Set(pairs.map(({ gold }) => gold ?? NO_CLASS))).map((gold) => {
        const row = predicted.map((name) => counts.get(JSON.stringify([gold, name])) ?? 0);
        return [
          gold,
          ...row.map((n, at) => ({
            text: count(n),
            tone: n === 0 ? ('quiet' as const) : gold === predicted[at] ? ('good' as const) : null,
          })),
          count(row.reduce((sum, n) => sum + n, 0)),
        ];
      }),
    };
  });
  const accuracies = labelBlocks(context, 'label', (name) => name === 'accuracy', facts.classes ?? []);
  return [...accuracies, ...(truth === null ? [] : matrices)];
}

/** One table a column of the cases: the primary measures that have a value anywhere in it. */
export function columnBlocks(context: EvaluationContext): Block[] {
  const { systems, facts, valueOf, leftColumns } = context;
  const candidates = [...measureGroups(context)].flatMap(([title, names]) => {
    if (title === FIRST) return names.filter((name) => facts.primary.includes(name));
    return title === SECOND || facts.primary.length === 0 ? names : [];
  });
  const names = candidates.filter((name) => systems.some((system) => valueOf(system, name)?.value != null));
  const without = candidates.filter((name) => !names.includes(name));
  const tables = systems.flatMap(({ system, run }) =>
    fieldTables(run, facts, names).map(({ rows, ...table }) => ({
      ...table,
      rows: rows.map((row) => ({ ...row, name: `${row.name}, ${system}` })),
    })),
  );
  const blocks = [...Map.groupBy(tables, ({ title }) => title)].flatMap(([lead, own]): Block[] => {
    const rows = own.flatMap((table) => table.rows).toSorted((a, b) => compareNatural(a.name, b.name));
    const { blocks: shown } = groupSection({ ...own[0]!, rows });
    return shown.flatMap((block) => (block === null ? [] : [{ ...block, lead }]));
  });
  const undefinedNames = nameList(without, without.length);
  return present([
    ...blocks,
    blocks.length > 0 &&
      without.length > 0 && {
        text: `Undefined overall and so in every slice: ${undefinedNames}. The reasons are under Measures.`,
      },
    leftColumns.length > 0 && {
      text: `Not sliced by ${nameList(leftColumns)}: nearly every case has a different value there, or all have the same.`,
    },
  ]);
}

/** Measures with the recipe's descriptions of them. */
export function measureAbouts({ systems, facts }: EvaluationContext): [name: string, about: string][] {
  return measureNames(systems).flatMap((name) => {
    const { about = '' } = facts.measures[name] ?? {};
    return about === '' ? [] : [[name, about]];
  });
}
