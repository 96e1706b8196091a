import type { Case } from '../data/case.ts';
import type { Item, Side } from '../data/item.ts';
import { InputError, type Problem, Problems, UsageError } from '../data/problems.ts';
import type { CaseReader, CaseSources } from '../data/read-cases.ts';
import { describe } from '../data/record-fields.ts';
import { caseReader } from '../formats/case-formats.ts';
import type { Plan } from '../recipe/plan.ts';
import { scoreToRun } from '../score/score-to-folder.ts';
import { counted } from '../text/figures.ts';
import { nearestNames } from '../text/nearest.ts';
import { AuditWatch } from './audit-watch.ts';
import { entryOf, Evidence } from './evidence.ts';
import type { Finding } from './finding.ts';
import { recordAt, rulesOf, stringAt } from './recipe-parts.ts';

/** A record of 20 MB with a fault a line must not fill the memory. */
const MOST_PROBLEMS = 1000;
/** What the audit knows of files, whatever the score. */
const OF_FILES = ['duplicate-cases', 'span-text', 'ungrounded', 'unresolved', 'stray-fields', 'shredded-words'];
/** What it can only know where there are gold and predictions. */
const OF_BOTH = ['copied-gold', 'never-predicted', 'never-gold'];

/** Something that scoring lets pass and a person should look at. */
export type DataFinding = Pick<Finding, 'name' | 'severity' | 'title' | 'todo' | 'cases' | 'items'>;

export interface LabelRow {
  /** As the files have it. */
  readonly label: string;
  /** What the recipe makes of a predicted one; null where it stays as it is. */
  readonly becomes: string | null;
  readonly gold: number;
  readonly predicted: number;
}

export interface DataCheck {
  readonly recipe: string;
  readonly task: string;
  readonly files: readonly Readonly<{ role: string; name: string; format: string; rows: number }>[];
  readonly cases: number;
  /** What scoring would refuse: how many, and the first of them. */
  readonly problems: { readonly total: number; readonly shown: readonly Problem[] };
  readonly findings: readonly DataFinding[];
  readonly labels: readonly LabelRow[];
  /** What could not be checked, and why. */
  readonly skipped: readonly string[];
}

/** Reads files as scoring does and tells what is wrong with them, and what is odd, without a score. */
export async function checkData(plan: Plan, sources: CaseSources): Promise<DataCheck> {
  const problems = new Problems(null, MOST_PROBLEMS);
  const reader = caseReader(sources, plan, problems);
  const data = new DataTotals(plan);
  const clean: CaseReader = { ...reader, [Symbol.asyncIterator]: () => watched(reader, problems, data) };
  const unscored = { ...plan, interval: null };
  const watch = new AuditWatch(unscored);
  const run = await scoreToRun(unscored, clean, { sink: watch.sink }).catch((error: unknown) => {
    // Without a sound case there is nothing to score.
    if (problems.count > 0 && error instanceof UsageError) return null;
    throw error;
  });
  const isClean = problems.count === 0;
  const { hasGold, hasPredictions } = data;
  const names = [...OF_FILES, ...(hasGold && hasPredictions ? OF_BOTH : [])];
  const audit = isClean && run !== null ? (await watch.finish(run)).findings : [];
  const odd = audit.filter(({ name, accepted }) => names.includes(name) && accepted === null);
  return {
    recipe: plan.name,
    task: plan.task,
    files: reader.files().map(({ role, name, format, rows }) => ({ role, name, format, rows })),
    cases: data.cases,
    problems: { total: problems.count, shown: problems.entries() },
    findings: [
      ...data.findings(),
      ...odd.map(({ name, severity, title, todo, cases, items }) => ({ name, severity, title, todo, cases, items })),
    ],
    labels: data.labels(),
    skipped: [
      ...(hasGold ? [] : ['no gold: --gold FILE']),
      ...(hasPredictions ? [] : ['no predictions: --predictions FILE']),
      ...(isClean ? [] : ['the audit of the data: fix the problems first']),
      ...(data.knowsLabels ? [] : ['labels against a list: the recipe has none (data.labels, prepare.relabel.map)']),
    ],
  };
}

/** Every case is counted; those before the first problem are looked at by the audit. */
async function* watched(reader: CaseReader, problems: Problems, data: DataTotals): AsyncGenerator<Case> {
  try {
    for await (const one of reader) {
      data.add(one);
      if (problems.count === 0) yield one;
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    for (const problem of error.problems) problems.add(problem);
  }
}

/** What there is, counted while the cases go by. */
class DataTotals {
  readonly #plan: Plan;
  readonly #maps: Readonly<Record<Side, ReadonlyMap<string, string>>>;
  readonly #known: Readonly<Record<Side, ReadonlySet<string>>>;
  readonly #labels = new Map<string, Record<Side, number>>();
  readonly #unknown = new Map<string, Evidence>();
  readonly #empty = new Evidence();
  readonly #withoutText = new Evidence();
  readonly #unanswered = new Evidence();
  cases = 0;
  hasGold = false;
  hasPredictions = false;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#maps = { gold: mapOf(plan, 'gold'), predicted: mapOf(plan, 'predicted') };
    const known = (side: Side): Set<string> =>
      new Set([...plan.data.labels, ...this.#maps[side].keys(), ...this.#maps[side].values()]);
    this.#known = { gold: known('gold'), predicted: known('predicted') };
  }

  get knowsLabels(): boolean {
    return this.#known.gold.size + this.#known.predicted.size > 0;
  }

  add({ id, text, gold, predicted, answered }: Case): void {
    this.cases += 1;
    if (text === null) this.#withoutText.addCase(id);
    else if (text.trim() === '') this.#empty.addCase(id);
    if (!answered) this.#unanswered.addCase(id);
    this.hasPredictions ||= answered;
    this.hasGold ||= gold.length > 0;
    for (const item of gold) this.#addItem(id, 'gold', item);
    for (const item of predicted) this.#addItem(id, 'predicted', item);
  }

  #addItem(id: string, side: Side, { label, text, fields }: Item): void {
    entryOf(this.#labels, label, () => ({ gold: 0, predicted: 0 }))[side] += 1;
    const note = (what: string): void => {
      if (!this.#unknown.has(what) && this.#unknown.size >= MOST_PROBLEMS) return;
      const evidence = entryOf(this.#unknown, what, () => new Evidence());
      evidence.addItem({ case: id, side, label, text, note: null });
    };
    // Of gold, what the recipe's list does not have is a problem of reading already.
    if (this.#known[side].size > 0 && !this.#known[side].has(label)) note(`${side} label ${describe(label)}`);
    for (const [field, allowed] of Object.entries(this.#plan.data.values)) {
      const value = Object.hasOwn(fields, field) ? (fields[field] ?? null) : null;
      if (value === null || (typeof value === 'string' && allowed.includes(value))) continue;
      note(`${side} value ${describe(value)} of ${field}`);
    }
  }

  labels(): LabelRow[] {
    return [...this.#labels]
      .map(([label, counts]) => {
        const to = this.#maps.predicted.get(label) ?? label;
        return { label, becomes: to === label ? null : to, ...counts };
      })
      .sort((a, b) => b.gold + b.predicted - a.gold - a.predicted || (a.label < b.label ? -1 : 1));
  }

  findings(): DataFinding[] {
    const todo = 'Leave the case out, or fix what wrote the file.';
    const lacksAll = this.#withoutText.cases.total === this.cases;
    return [
      ...[...this.#unknown].map(([what, evidence]) => this.#unknownFinding(what, evidence)),
      ...ofCases('empty-text', this.#empty, 'an empty text', todo),
      ...(lacksAll ? [] : ofCases('no-text', this.#withoutText, 'no text', todo)),
      ...(this.hasPredictions
        ? ofCases(
            'no-prediction',
            this.#unanswered,
            'no prediction: scored as an empty answer',
            'Add a record with an empty list where nothing was found, or --set data.missingPrediction=error.',
          )
        : []),
    ];
  }

  #unknownFinding(what: string, { cases, items }: Evidence): DataFinding {
    const side = items.shown[0]?.side ?? 'predicted';
    const isLabel = what.startsWith(`${side} label`);
    const [near] = isLabel ? nearestNames(items.shown[0]?.label ?? '', [...this.#known[side]], 1) : [];
    return {
      name: isLabel ? 'unknown-label' : 'unknown-value',
      severity: 'warning',
      title: `the ${what} is not in the recipe (${counted(items.total, 'item')})`,
      todo: `${isLabel ? 'Map it (prepare.relabel.map), or add it to data.labels.' : 'Fix it, or add it to data.values.'}${near === undefined ? '' : ` Did you mean ${near}?`}`,
      cases,
      items,
    };
  }
}

function ofCases(name: string, { cases, items }: Evidence, lacking: string, todo: string): DataFinding[] {
  const title = `${counted(cases.total, 'case has', 'cases have')} ${lacking}`;
  return cases.total === 0 ? [] : [{ name, severity: 'warning', title, todo, cases, items }];
}

/** The labels that a recipe translates on one side. */
function mapOf({ resolved }: Plan, side: Side): ReadonlyMap<string, string> {
  const rules = rulesOf(resolved, 'prepare', 'relabel').filter(({ params }) =>
    [side, 'both'].includes(stringAt(params, 'side') ?? ''),
  );
  const entries = rules.flatMap(({ params }) => Object.entries(recordAt(params, 'map')));
  return new Map(entries.flatMap(([from, to]) => (typeof to === 'string' ? [[from, to] as const] : [])));
}
