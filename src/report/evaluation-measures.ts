import type { MeasureValue } from '../measure/results.ts';
import type { Evaluation } from '../review/evaluation.ts';
import { PARITY } from '../formats/consult/bilingual.ts';
import { compareNatural } from '../text/compare.ts';
import { betterWord } from './arrows.ts';
import { Footnotes, left, type PageBlock, paragraph, right, table } from './evaluation-page.ts';
import type { EvaluationRecipe } from './evaluation-recipe.ts';
import { isWhole, measureNames, valueCells, valueText, type ValueOf } from './evaluation-values.ts';
import { listed } from './comparison-words.ts';
import { levelText } from '../text/figures.ts';

type Systems = Evaluation['systems'];

export const RULE_AGREEMENT = 'rule_agreement';
/** What people say; all else is worked out without them. */
const BY_PEOPLE: ReadonlySet<string> = new Set(['rating', 'claim', 'tick', 'review', 'outcome']);
/** Slices that are no column of the cases. */
const NO_COLUMNS: ReadonlySet<string> = new Set(['label', 'scheme', 'dimension', 'component', 'measure']);

export interface MeasureGroup {
  readonly title: string;
  readonly names: readonly string[];
}

/** The measures by the heading that the recipe, or else their nature, gives them. What has a section of its own is left out. */
export function measureGroups(systems: Systems, { primary, measures }: EvaluationRecipe): MeasureGroup[] {
  const groupOf = (name: string): string => {
    const facts = measures.get(name);
    if (facts !== undefined && facts.heading !== null) return facts.heading;
    const isOfPeople = BY_PEOPLE.has(facts?.kind ?? '');
    if ((isOfPeople || facts === undefined) && name.endsWith('_coverage')) return COVERAGE;
    // The bounds of a primary measure belong beside it.
    if (primary.some((one) => name === one || name.startsWith(`${one}_`))) return FIRST;
    return isOfPeople ? SECOND : AUTOMATIC;
  };
  const names = measureNames(systems).filter((name) => name !== PARITY && name !== RULE_AGREEMENT);
  return [...new Set([FIRST, SECOND, AUTOMATIC, COVERAGE, ...names.map(groupOf)])]
    .map((title) => ({ title, names: names.filter((name) => groupOf(name) === title) }))
    .filter((group) => group.names.length > 0);
}

const FIRST = 'Primary measures';
const SECOND = 'Secondary measures';
const AUTOMATIC = 'Automatic measures';
export const COVERAGE = 'Coverage of what people were asked';

/** Measures x systems. */
export function measureBlocks(systems: Systems, recipe: EvaluationRecipe, valueOf: ValueOf): PageBlock[] {
  return [
    paragraph(sureSentence(systems)),
    ...measureGroups(systems, recipe).map(({ title, names }) =>
      measureTable(
        title,
        'measure',
        systems,
        names.map((name) => ({ title: name, values: systems.map((system) => valueOf(system, name)) })),
      ),
    ),
  ];
}

/** What stands in brackets; said once for all tables. */
function sureSentence(systems: Systems): string {
  const intervals = systems.flatMap(({ run }) => run.measures.measures.flatMap(({ interval }) => interval ?? []));
  const levels = [...new Set(intervals.map(({ level }) => levelText(level)))];
  const methods = [...new Set(intervals.map(({ method }) => method))];
  if (levels.length === 0) return 'No intervals were asked for: these values do not say how sure they are.';
  return `In brackets is the ${levels.join(' or ')} interval (${methods.join(', ')}); n is what a value was computed over. Numbers in square brackets lead to the reasons below a table.`;
}

export interface MeasureRow {
  readonly title: string;
  /** One a system. */
  readonly values: readonly (MeasureValue | null)[];
}

export function measureTable(caption: string, first: string, systems: Systems, rows: readonly MeasureRow[]): PageBlock {
  const notes = new Footnotes();
  const cells = rows.map(({ title, values }) => [title, directionOf(values), ...valueCells(values, notes)]);
  const columns = [left(first), left('better is'), ...systems.map(({ system }) => right(system))];
  return table(caption, columns, cells, notes.list());
}

function directionOf(values: readonly (MeasureValue | null)[]): string {
  const known = values.find((value) => value !== null);
  return known === undefined || known === null ? '' : betterWord(known);
}

/** Tables of the measures that have values by the labels of one slice: dimensions of a scale, components, classes. */
export function labelBlocks(
  systems: Systems,
  recipe: EvaluationRecipe,
  valueOf: ValueOf,
  slice: string,
  wanted: (name: string) => boolean,
  order: readonly string[] = [],
): PageBlock[] {
  const found = new Map<string, Set<string>>();
  for (const { run } of systems)
    for (const { name, slice: own } of run.measures.measures) {
      const label = own[slice];
      if (label === undefined || Object.keys(own).length > 1 || !wanted(name)) continue;
      found.set(name, (found.get(name) ?? new Set<string>()).add(label));
    }
  return measureNames(systems).flatMap((name) => {
    const labels = found.get(name);
    if (labels === undefined) return [];
    const given = [...(recipe.measures.get(name)?.labels ?? []), ...order].filter((label) => labels.has(label));
    const rest = [...labels].filter((label) => !given.includes(label)).sort(compareNatural);
    const rows = [...new Set([...given, ...rest])].map((label) => ({
      title: label,
      values: systems.map((system) => valueOf(system, name, { [slice]: label })),
    }));
    const what = slice === 'label' ? 'class' : slice;
    return [whyEmpty(`${name} by ${what}`, rows) ?? measureTable(`${name} by ${what}`, what, systems, rows)];
  });
}

/** A table of nothing but one reason is said in a sentence. */
function whyEmpty(caption: string, rows: readonly MeasureRow[]): PageBlock | null {
  const reasons = new Set(rows.flatMap(({ values }) => values.map((value) => value?.undefined ?? null)));
  const [reason] = reasons;
  if (reasons.size !== 1 || reason === undefined || reason === null) return null;
  return paragraph(`${caption} (${rows.map(({ title }) => title).join(', ')}): undefined. ${reason}.`);
}

/** One table a column of the cases: the primary measures that have a value anywhere in it. */
export function columnBlocks(
  systems: Systems,
  recipe: EvaluationRecipe,
  valueOf: ValueOf,
  leftColumns: readonly string[],
): PageBlock[] {
  const columns = new Map<string, Set<string>>();
  for (const { run } of systems)
    for (const { slice } of run.measures.measures) {
      const [column, ...more] = Object.keys(slice);
      if (column === undefined || more.length > 0 || NO_COLUMNS.has(column)) continue;
      columns.set(column, (columns.get(column) ?? new Set<string>()).add(slice[column]!));
    }
  const candidates = measureGroups(systems, recipe).flatMap(({ title, names }) => {
    if (title === FIRST) return names.filter((name) => recipe.primary.includes(name));
    return title === SECOND || recipe.primary.length === 0 ? names : [];
  });
  const names = candidates.filter((name) => systems.some((system) => valueOf(system, name)?.value != null));
  const without = candidates.filter((name) => !names.includes(name));
  const blocks = [...columns].flatMap(([column, values]) =>
    columnBlock(systems, valueOf, names, column, [...values].sort(compareNatural)),
  );
  const unsliced =
    leftColumns.length === 0
      ? []
      : [
          paragraph(
            `Not sliced by ${listed(leftColumns)}: nearly every case has a value of its own there, or all have the same.`,
          ),
        ];
  if (blocks.length === 0) return unsliced;
  const undefinedOnes =
    without.length === 0
      ? []
      : [
          paragraph(
            `Undefined overall and so in every slice: ${listed(without, without.length)}. The reasons stand under Measures.`,
          ),
        ];
  return [...blocks, ...undefinedOnes, ...unsliced];
}

function columnBlock(
  systems: Systems,
  valueOf: ValueOf,
  names: readonly string[],
  column: string,
  values: readonly string[],
): PageBlock[] {
  const rows = values.flatMap((value) =>
    systems.map((system) => ({
      value,
      system,
      measured: names.map((name) => valueOf(system, name, { [column]: value })),
    })),
  );
  const shown = names.filter((_, at) => rows.some(({ measured }) => measured[at]?.value != null));
  const empty = names.filter((name) => !shown.includes(name));
  const notes = new Footnotes();
  const made = table(
    `By ${column}`,
    [left(column), left('system'), ...shown.map(right)],
    rows.map(({ value, system, measured }) => [
      value,
      system.system,
      ...shown.map((name) => valueText(measured[names.indexOf(name)] ?? null, notes)),
    ]),
    notes.list(),
  );
  const why = `undefined for every value of ${column}: ${emptyReasons(
    names,
    empty,
    rows.map((row) => row.measured),
  )}`;
  return shown.length === 0
    ? [paragraph(`By ${column} nothing has a value: ${why}.`)]
    : [{ ...made, notes: [...made.notes, ...(empty.length === 0 ? [] : [why])] }];
}

/** Measures without any value, each reason once. */
function emptyReasons(
  names: readonly string[],
  empty: readonly string[],
  rows: readonly (readonly (MeasureValue | null)[])[],
): string {
  const byReason = Map.groupBy(empty, (name) => {
    const values = rows.map((row) => row[names.indexOf(name)] ?? null);
    return values.find((value) => value !== null)?.undefined ?? 'nothing of this kind occurs in this run';
  });
  return [...byReason].map(([reason, own]) => `${listed(own, own.length)} (${reason})`).join('; ');
}

/** What the recipe says of its measures. */
export function measureAbouts(systems: Systems, { measures }: EvaluationRecipe): { term: string; text: string }[] {
  const shown = new Set(systems.flatMap(({ run }) => run.measures.measures.filter(isWhole).map(({ name }) => name)));
  return [...measures].flatMap(([name, { about }]) =>
    about === null || !shown.has(name) ? [] : [{ term: name, text: about }],
  );
}
