import { type Case, withFailure } from '../data/case.ts';
import type { Item, Side } from '../data/item.ts';
import { InputError, type Problem, Problems, UsageError } from '../data/problems.ts';
import type { CaseReader, CaseSources } from '../data/read-cases.ts';
import { describe } from '../data/record-fields.ts';
import { caseReader } from '../formats/case-formats.ts';
import type { Plan } from '../recipe/plan.ts';
import { makeCaseScorer } from '../score/score-case.ts';
import { scoreToRun } from '../score/score-to-folder.ts';
import { plural } from '../text/figures.ts';
import { closestNames } from '../text/closest-names.ts';
import { AuditWatch } from './audit-watch.ts';
import { entryOf, Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';
import { recordAt, type ResolvedRecipe, namedRules, stringAt } from './recipe-parts.ts';

/** A record of 20 MB with a fault a line must not fill the memory. */
export const MOST_PROBLEMS = 1000;
/** What the audit knows of files, whatever the score. */
const OF_FILES = [
  'duplicate-cases',
  'span-text-mismatch',
  'spans-within-words',
  'ungrounded-quotes',
  'unresolved-relationships',
  'misplaced-fields',
  'split-words',
];
/** What it can only know where there are gold and predictions. */
const OF_BOTH = ['copied-gold', 'labels-never-predicted', 'labels-never-in-gold'];

/** Something that scoring lets pass and a person should look at. */
export type DataFinding = Pick<Finding, 'name' | 'severity' | 'title' | 'todo' | 'cases' | 'items'>;

/** A label as the files have it, and what the recipe makes of a predicted one; null where it stays as it is. */
export type LabelRow = Readonly<{ label: string; becomes: string | null; gold: number; predicted: number }>;

export interface DataCheck {
  readonly recipe: string;
  readonly task: string;
  readonly files: readonly Readonly<{ role: string; name: string; format: string; rows: number }>[];
  readonly cases: number;
  /** What scoring would refuse: how many, and the first of them. */
  readonly problems: { readonly total: number; readonly shown: readonly Problem[] };
  readonly findings: readonly DataFinding[];
  readonly labels: readonly LabelRow[];
  /** What reading let pass, as a run counts it. */
  readonly notices: Readonly<Record<string, number>>;
  /** What could not be checked, and why. */
  readonly skipped: readonly string[];
}

/** Reads files as scoring does and reports what is wrong with them, and what is odd, without a score. */
export async function checkData(plan: Plan, sources: CaseSources): Promise<DataCheck> {
  const problems = new Problems(null, MOST_PROBLEMS);
  return checkCases(plan, caseReader(sources, plan, problems), problems);
}

/** The same of cases that are read from anywhere, with the problems of reading. */
export async function checkCases(plan: Plan, reader: CaseReader, problems: Problems): Promise<DataCheck> {
  const data = dataTotals(plan);
  const cases = watched(reader, problems, (one) => data.add(one));
  // Without `return`, a case that cannot be scored does not end the reading: the cases after it are checked too.
  const clean: CaseReader = { ...reader, [Symbol.asyncIterator]: () => ({ next: () => cases.next() }) };
  const unscored = { ...plan, interval: null };
  const watch = new AuditWatch(unscored);
  const run = await scoreToRun(unscored, clean, { sink: watch.sink }).catch(async (error: unknown) => {
    if (!(error instanceof UsageError)) {
      await cases.return(undefined);
      throw error;
    }
    // Without a sound case there is nothing to score.
    if (problems.count === 0) await addRefused(unscored, error, cases, reader, problems);
    return null;
  });
  const isClean = problems.count === 0;
  const { hasGold, hasPredictions } = data.seen;
  const names = [...OF_FILES, ...(hasGold && hasPredictions ? OF_BOTH : [])];
  const audit = isClean && run !== null ? (await watch.finish(run)).findings : [];
  const odd = audit.filter(({ name, accepted }) => names.includes(name) && accepted === null);
  return {
    recipe: plan.name,
    task: plan.task,
    files: reader.files().map(({ role, name, format, rows }) => ({ role, name, format, rows })),
    cases: data.seen.cases,
    problems: { total: problems.count, shown: problems.entries() },
    findings: [...data.findings(), ...odd].map(({ name, severity, title, todo, ...behind }) => {
      return { name, severity, title, todo, cases: behind.cases, items: behind.items };
    }),
    labels: data.labels(),
    notices: Object.fromEntries(Object.entries<number>({ ...reader.notices }).filter(([, n]) => n > 0)),
    skipped: [
      ...(hasGold ? [] : ['no gold: --gold FILE']),
      ...(hasPredictions ? [] : ['no predictions: --predictions FILE']),
      ...(isClean ? [] : ['the audit of the data: fix the problems first']),
      ...(data.knowsLabels ? [] : ['labels against a list: the recipe has none (data.labels, prepare.relabel.map)']),
    ],
  };
}

/** Adds a problem for each case that the recipe's rules refuse to score; the first was met while scoring. */
async function addRefused(
  plan: Plan,
  first: UsageError,
  casesAfter: AsyncIterable<Case>,
  reader: CaseReader,
  problems: Problems,
): Promise<void> {
  const scoreCase = makeCaseScorer(plan);
  const refused = [first];
  for await (const input of casesAfter)
    try {
      scoreCase(withFailure(input, plan.data.failed));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      refused.push(error);
    }
  const files = reader.files();
  const file = (files.find(({ role }) => role === 'gold') ?? files[0])?.name ?? '';
  for (const { message, next } of refused) problems.add({ file, line: null, message, next: next ?? undefined });
}

/** Every case is counted; those before the first problem are looked at by the audit. */
async function* watched(reader: CaseReader, problems: Problems, add: (given: Case) => void): AsyncGenerator<Case> {
  try {
    for await (const one of reader) {
      add(one);
      if (problems.count === 0) yield one;
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    for (const problem of error.problems) problems.add(problem);
  }
}

const FIX = 'Leave the case out, or fix what wrote the file.';

/** What there is, counted while the cases go by. */
function dataTotals({ data, resolved }: Plan) {
  const seen = { cases: 0, hasGold: false, hasPredictions: false };
  const maps = { gold: mapOf(resolved, 'gold'), predicted: mapOf(resolved, 'predicted') };
  const knownOn = (side: Side): string[] => [...data.labels, ...maps[side].keys(), ...maps[side].values()];
  const known = { gold: new Set(knownOn('gold')), predicted: new Set(knownOn('predicted')) };
  const labels = new Map<string, Record<Side, number>>();
  const unknown = new Map<string, Evidence>();
  const [empty, withoutText, unanswered] = [new Evidence(), new Evidence(), new Evidence()];

  const addItem = (id: string, side: Side, { label, text, fields }: Item): void => {
    entryOf(labels, label, () => ({ gold: 0, predicted: 0 }))[side] += 1;
    const note = (what: string): void => {
      if (unknown.has(what) || unknown.size < MOST_PROBLEMS)
        entryOf(unknown, what, () => new Evidence()).addItem({ case: id, side, label, text, note: null });
    };
    // Of gold, what the recipe's list does not have is a problem of reading already.
    if (known[side].size > 0 && !known[side].has(label)) note(`${side} label ${describe(label)}`);
    for (const [field, allowed] of Object.entries(data.values)) {
      const value = Object.hasOwn(fields, field) ? (fields[field] ?? null) : null;
      if (value === null || (typeof value === 'string' && allowed.includes(value))) continue;
      note(`${side} value ${describe(value)} of ${field}`);
    }
  };
  const warning = (name: string, title: string, todo: string, { cases, items }: Evidence): DataFinding[] =>
    cases.total === 0 ? [] : [{ name, severity: 'warning', title, todo, cases, items }];
  const ofCases = (name: string, evidence: Evidence, lacking: string, todo = FIX): DataFinding[] =>
    warning(name, `${plural(evidence.cases.total, 'case has', 'cases have')} ${lacking}`, todo, evidence);
  const ofUnknown = (what: string, evidence: Evidence): DataFinding[] => {
    const { total, shown } = evidence.items;
    const [side, label] = [shown[0]?.side ?? 'predicted', shown[0]?.label ?? ''];
    const isLabel = what.startsWith(`${side} label`);
    const [near] = isLabel ? closestNames(label, [...known[side]], 1) : [];
    const todo = isLabel
      ? 'Map it (prepare.relabel.map), or add it to data.labels.'
      : 'Fix it, or add it to data.values.';
    const title = `the ${what} is not in the recipe (${plural(total, 'item')})`;
    const meant = near === undefined ? '' : ` Did you mean ${near}?`;
    return warning(isLabel ? 'unknown-label' : 'unknown-value', title, `${todo}${meant}`, evidence);
  };
  return {
    seen,
    knowsLabels: known.gold.size + known.predicted.size > 0,
    add({ id, text, gold, predicted, answered }: Case): void {
      seen.cases += 1;
      if (text === null) withoutText.addCase(id);
      else if (text.trim() === '') empty.addCase(id);
      if (!answered) unanswered.addCase(id);
      seen.hasPredictions ||= answered;
      seen.hasGold ||= gold.length > 0;
      for (const item of gold) addItem(id, 'gold', item);
      for (const item of predicted) addItem(id, 'predicted', item);
    },
    labels: (): LabelRow[] =>
      [...labels]
        .map(([label, counts]) => {
          const to = maps.predicted.get(label) ?? label;
          return { label, becomes: to === label ? null : to, ...counts };
        })
        .sort((a, b) => b.gold + b.predicted - a.gold - a.predicted || (a.label < b.label ? -1 : 1)),
    findings: (): DataFinding[] => [
      ...[...unknown].flatMap(([what, evidence]) => ofUnknown(what, evidence)),
      ...ofCases('empty-text', empty, 'an empty text'),
      ...(withoutText.cases.total === seen.cases ? [] : ofCases('no-text', withoutText, 'no text')),
      ...(seen.hasPredictions
        ? ofCases(
            'no-prediction',
            unanswered,
            'no prediction: scored as an empty answer',
            'Add a record with an empty list where nothing was found, or --set data.missingPrediction=error.',
          )
        : []),
    ],
  };
}

/** The labels that a recipe translates on one side. */
function mapOf(recipe: ResolvedRecipe, side: Side): ReadonlyMap<string, string> {
  const entries = namedRules(recipe, 'prepare', 'relabel')
    .filter(({ params }) => [side, 'both'].includes(stringAt(params, 'side') ?? ''))
    .flatMap(({ params }) => Object.entries(recordAt(params, 'map')));
  return new Map(entries.flatMap(([from, to]) => (typeof to === 'string' ? [[from, to] as const] : [])));
}
