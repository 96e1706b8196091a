import { VERDICTS, type VerdictKind } from '../judge/verdict.ts';
import type { Counts, MeasureValue, Slice } from '../measure/tally.ts';
import type { RuleCount, Run } from '../score/run.ts';
import { compareNatural, compareText } from '../text/compare.ts';
import { count } from '../text/figures.ts';
import { isUnsliced } from './comparison-words.ts';
import { numberColumns, type Table, textColumns } from './document.ts';
import { labelCounts } from './label-counts.ts';
import { labelSlice, type RecipeFacts } from './recipe-facts.ts';

/** Measures and counts side by side: one row per label, scheme or value of a field. */
export interface GroupTable {
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly GroupRow[];
  /** What must be known to read the rows. */
  readonly note?: string;
}

export interface GroupRow {
  readonly name: string;
  /** One for each heading; null where the run has no such value. */
  readonly values: readonly (MeasureValue | null)[];
  readonly n: number | null;
  readonly counts: Counts | null;
}

/** What the overall value is, without slice. */
export function overall(run: Run): MeasureValue[] {
  return run.measures.measures.filter(isUnsliced);
}

/** Values by the heading that the recipe gives their measure, in its order; those without one come first. */
export function byHeading(
  values: readonly MeasureValue[],
  facts: Pick<RecipeFacts, 'measures'>,
): { readonly title: string | null; readonly values: readonly MeasureValue[] }[] {
  const groups = Map.groupBy(values, ({ name }) => facts.measures[name]?.heading ?? null);
  const plain = groups.get(null);
  groups.delete(null);
  return [...(plain === undefined ? [] : [[null, plain] as const]), ...groups].map(([title, own]) => ({
    title,
    values: own,
  }));
}

/** One table per kind of item, the labels with most items first. */
export function labelTables(run: Run, facts: RecipeFacts): (GroupTable & { readonly kind: string })[] {
  const own = run.measures.rules.filter((rule) => rule.scheme === null);
  const kinds = [...new Set(own.map((rule) => rule.kind))].sort(compareText);
  const counts = labelCounts(run.measures);
  const slices = new Set(run.measures.measures.flatMap(({ slice }) => Object.keys(slice)));
  return kinds.flatMap((kind) => {
    const columns = precisionRecallF1(facts, kind);
    const names = columns.map(({ name }) => labelSlice(facts.measures[name]!));
    const slice = names.find((name) => name !== null) ?? 'label';
    if (!slices.has(slice) || !own.some((rule) => rule.kind === kind && rule.verdict !== 'excused')) return [];
    const row = rowMaker(
      run,
      columns.map(({ name }) => name),
    );
    const rows = [...(counts.get(kind) ?? [])].map(([label, n]) => row(label, { [slice]: label }, n));
    const apart = new Set(columns.flatMap(({ name }) => facts.measures[name]?.requireByLabel ?? []));
    const isApart = run.measures.confusion.some((cell) => cell.kind === kind && (cell.wrong ?? 0) > 0);
    return {
      kind,
      ...(isApart ? { note: takenApart(kind, [...apart]) } : {}),
      title: kinds.length === 1 ? 'By label' : `By label: ${kind}`,
      headings: columns.map(({ form }) => form),
      rows: rows.sort((a, b) => total(b.counts) - total(a.counts) || compareText(a.name, b.name)),
    };
  });
}

/** Why the rows do not add up to the overall hits. */
function takenApart(kind: string, attributes: readonly string[]): string {
  return `${kind} with a wrong ${attributes.join(' or ')}: a hit overall, here missed under the gold label and spurious under the predicted one`;
}

/** The recipe's own way of matching and the schemes beside it; null where there are none. */
export function schemeTable(run: Run, facts: RecipeFacts): GroupTable | null {
  const found = new Set(run.measures.measures.flatMap(({ slice }) => slice['scheme'] ?? []));
  if (found.size === 0) return null;
  const schemes = [...new Set([...facts.schemes.filter((scheme) => found.has(scheme)), ...found])];
  const columns = mainMeasures(run, facts);
  const row = rowMaker(
    run,
    columns.map(({ name }) => name),
  );
  const countsFor = (scheme: string | null): Counts =>
    ruleCounts(run.measures.rules.filter((rule) => rule.scheme === scheme));
  return {
    title: 'By scheme',
    headings: columns.map(({ heading }) => heading),
    rows: [
      row('(the recipe’s own)', {}, countsFor(null)),
      ...schemes.map((scheme) => row(scheme, { scheme }, countsFor(scheme))),
    ],
  };
}

/** One table per field that the recipe slices by, of the measures named or the main ones. */
export function fieldTables(run: Run, facts: RecipeFacts, names?: readonly string[]): GroupTable[] {
  const columns = names?.map((name) => ({ name, heading: name })) ?? mainMeasures(run, facts);
  const row = rowMaker(
    run,
    columns.map(({ name }) => name),
  );
  const ownSlices = new Set(['label', 'scheme', ...Object.values(facts.measures).map(labelSlice)]);
  const values = new Map<string, Set<string>>();
  for (const { slice } of run.measures.measures) {
    const [field, ...more] = Object.keys(slice);
    if (field === undefined || more.length > 0 || ownSlices.has(field)) continue;
    const own = values.get(field) ?? new Set<string>();
    values.set(field, own.add(slice[field]!));
  }
  return [...values].map(([field, found]) => ({
    title: `By ${field}`,
    headings: columns.map(({ heading }) => heading),
    rows: [...found].sort(compareNatural).map((value) => row(value, { [field]: value }, null)),
  }));
}

/** One table for the measures whose values by label have their own name, such as the dimensions of a scale. */
export function partTables(run: Run, facts: RecipeFacts): { title: string; rows: readonly MeasureValue[] }[] {
  const shown = new Set(Object.values(facts.measures).map(labelSlice));
  const parts = run.measures.measures.filter(({ slice, name }) => {
    const [key, ...more] = Object.keys(slice);
    const own = facts.measures[name];
    return key !== undefined && more.length === 0 && key !== 'label' && shown.has(key) && own?.of === 'field-mean';
  });
  return [...Map.groupBy(parts, ({ slice }) => Object.keys(slice)[0]!)].map(([key, rows]) => ({
    title: `By ${key}`,
    rows,
  }));
}

export interface VerdictSource {
  readonly verdict: VerdictKind;
  readonly n: number;
  readonly by: readonly { readonly kind: string; readonly rule: string; readonly n: number }[];
}

/** Which rules made the verdicts of the recipe's own pairing, the largest part first. */
export function verdictSources(run: Run): VerdictSource[] {
  const own = run.measures.rules.filter((rule) => rule.scheme === null);
  return (['hit', 'missed', 'spurious', 'excused'] as const).map((verdict) => {
    const by = new Map<string, { kind: string; rule: string; n: number }>();
    for (const rule of own) {
      if (rule.verdict !== verdict) continue;
      const key = `${rule.kind} ${rule.rule}`;
      const held = by.get(key) ?? { kind: rule.kind, rule: rule.rule, n: 0 };
      by.set(key, { ...held, n: held.n + rule.n });
    }
    const parts = [...by].sort(([a, x], [b, y]) => y.n - x.n || compareText(a, b)).map(([, part]) => part);
    return { verdict, n: parts.reduce((sum, part) => sum + part.n, 0), by: parts };
  });
}

export function ruleCounts(rules: readonly RuleCount[]): Counts {
  const counts = { hit: 0, spurious: 0, missed: 0, excused: 0 };
  for (const rule of rules) counts[rule.verdict] += rule.n;
  return counts;
}

function total(counts: Counts | null): number {
  return counts === null ? 0 : VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0);
}

/** The files of one or several runs, those they share once. */
export function inputTable(systems: readonly { readonly system: string | null; readonly run: Run }[]): Table {
  const rows = systems.flatMap(({ system, run: { manifest } }) =>
    manifest.inputs.map(({ role, name, format, rows: records, sha256 }) => {
      const owner = system === null || role !== 'predictions' ? role : `${role} of ${system}`;
      return [owner, name, format, count(records), sha256];
    }),
  );
  return {
    columns: [...textColumns('role', 'file', 'format'), ...numberColumns('records'), { title: 'sha256' }],
    rows: [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()],
  };
}

const FORMS = ['precision', 'recall', 'f1'] as const;

/** The plain precision, recall and F1 of a kind of item, whatever the recipe calls them. */
function precisionRecallF1(facts: RecipeFacts, kind: string): { form: string; name: string }[] {
  const plain = Object.entries(facts.measures).filter(
    ([, measure]) => measure.require.length === 0 && !measure.countExcused && measure.beta === 1,
  );
  return FORMS.flatMap((form) => {
    const found =
      plain.find(([, measure]) => measure.of === form && measure.kind === kind) ??
      plain.find(([, measure]) => measure.of === form && measure.kind === null);
    return found === undefined ? [] : [{ form, name: found[0] }];
  });
}

const MOST_COLUMNS = 4;

/** What to show of a slice: precision, recall and F1 of the one kind there is, or the F1s and means of several, or anything. */
function mainMeasures(run: Run, facts: RecipeFacts): { heading: string; name: string }[] {
  const kinds = new Set(run.measures.rules.map((rule) => rule.kind));
  const defined = new Set(run.measures.measures.flatMap(({ name, value }) => (value === null ? [] : [name])));
  const first = facts.primary.filter((name) => defined.has(name));
  if (first.length > 0) return first.slice(0, MOST_COLUMNS).map((name) => ({ heading: name, name }));
  const ofKind = kinds.size > 1 ? [] : precisionRecallF1(facts, [...kinds][0] ?? '');
  if (ofKind.length > 0) return ofKind.map(({ form, name }) => ({ heading: form, name }));
  const all = Object.entries(facts.measures);
  const means = all.filter(
    ([, measure]) => (measure.of === 'f1' && measure.require.length === 0) || measure.of === 'mean',
  );
  return (means.length > 0 ? means : all).slice(0, MOST_COLUMNS).map(([name]) => ({ heading: name, name }));
}

type RowMaker = (name: string, slice: Readonly<Record<string, string>>, counts: Counts | null) => GroupRow;

/** Makes rows of some measures; the values are looked up, since a run can have thousands of labels. */
function rowMaker(run: Run, measures: readonly string[]): RowMaker {
  const keyOf = (name: string, slice: Slice): string => JSON.stringify([name, slice]);
  const values = new Map(run.measures.measures.map((value) => [keyOf(value.name, value.slice), value]));
  return (name, slice, counts) => {
    const own = measures.map((measure) => values.get(keyOf(measure, slice)) ?? null);
    return { name, values: own, n: own.at(-1)?.n ?? null, counts };
  };
}
