import type { Comparison } from '../compare/comparison.ts';
import type { Case } from '../data/case.ts';
import { UsageError } from '../data/problems.ts';
import type { CaseSources } from '../data/read-cases.ts';
import { type NamedFiles, openFiles } from '../data/named-files.ts';
import { type Source } from '../data/source.ts';
import { defined } from '../experiment/defined.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { CaseResult } from '../measure/tally.ts';
import { openSystems } from '../formats/case-formats.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { joinSinks, type ScoredCase, type ScoreResult, type ScoreSink } from '../score/score.ts';
import { ledgerRecord, type LedgerRecord } from '../score/ledger.ts';
import type { LedgerFormat } from '../score/ledger-format.ts';
import { makeCaseScorer } from '../score/score-case.ts';
import { readLedger } from '../score/run-file.ts';
import { type RunQueries, runQueries } from '../score/run-queries.ts';
import { type CaseInput, readerOf } from '../score/score-to-folder.ts';
import type { RunNaming } from '../score/run-about.ts';
import type { Run } from '../score/run.ts';
import type { Texts } from './html/report-data.ts';
import { scoreRun } from './score-run.ts';

/** Files by name (several are read as one) or as sources, or cases from anywhere. */
export type ScoreInput = FileInput | Iterable<Case> | AsyncIterable<Case>;

export interface FileInput {
  readonly cases?: NamedFiles;
  readonly gold?: NamedFiles;
  readonly predictions?: NamedFiles;
}

export interface ScoreOptions extends ScoreSink, RunNaming {
  /** Told of the verdicts of each case, once per scheme. */
  readonly verdicts?: (verdicts: readonly Verdict[], given: Case) => void;
  /** Told of what the recipe's own verdicts of a case add up to. */
  readonly case?: (result: CaseResult, given: Case) => void;
  /** Lines laid over the recipe, as `--set` does: `['pair.assign=optimal']`. */
  readonly set?: readonly string[];
  /** Writes a run folder here; without it nothing is written. */
  readonly out?: string;
  /** How its ledger is written: `jsonl` unless told otherwise. */
  readonly ledger?: LedgerFormat;
  /** How much of the texts its report.html holds: `full` unless told otherwise; `off`: no report.html. */
  readonly texts?: Texts | 'off';
  /** Threads that may be used for a file; by its size and the number of cores, unless told otherwise. */
  readonly workers?: number;
}

/**
 * Scores by a preset, a recipe file or a recipe object, as the command line does. Cases stream through; the
 * verdicts of each go to `options.verdicts`, what they add up to goes to `options.case`.
 *
 * @example const { measures } = await score('spans/strict', { gold: 'gold.jsonl', predictions: 'out.jsonl' })
 */
export async function score(
  recipe: string | object,
  input: ScoreInput,
  options: ScoreOptions = {},
): Promise<ScoreResult & RunQueries> {
  const { set = [], out, ledger: format = 'jsonl', texts = 'full', workers, name, note, tags } = options;
  const plan = await planRecipe(recipe, set);
  // Verdicts that nobody hears of need not be made.
  const isHeard = options.verdicts !== undefined || options.case !== undefined;
  const sink = isHeard ? joinSinks([options, { scored: (scored) => tell(scored, options) }]) : options;
  const settings = { set, ledger: format, sink, texts, audit: false, ...defined({ workers, name, note, tags }) };
  const { run } = await scoreRun(plan, openInput(input), { ...settings, out: out ?? null });
  const ledger =
    out === undefined
      ? () => scoredAgain(plan, openInput(input), run)
      : (ids?: ReadonlySet<string>) => readLedger(out, ids);
  return { ...resultOf(run), ...runQueries(run, ledger) };
}

/** Verdicts are not kept while cases stream through, so the cases are scored again. */
async function* scoredAgain(plan: Plan, input: CaseInput, { measures }: Run): AsyncGenerator<LedgerRecord> {
  const scoreCase = makeCaseScorer(plan);
  let cases = 0;
  for await (const given of readerOf(input, plan)) {
    cases += 1;
    for (const { case: scored, verdicts } of scoreCase(given))
      for (const verdict of verdicts) yield ledgerRecord(verdict, scored.offsets);
  }
  if (cases !== measures.cases.total)
    throw new UsageError(
      `the cases can be gone through once only (${cases} of ${measures.cases.total} the second time), and verdicts are not kept`,
      'give an array or files, or name a run folder with out',
    );
}

/** The files of several systems over the same cases. */
export interface SystemsInput extends Pick<FileInput, 'cases' | 'gold'> {
  /** What each system said, by its name. */
  readonly predictions: Readonly<Record<string, NamedFiles>>;
}

export interface SystemsScore {
  /** By system. */
  readonly systems: Readonly<Record<string, ScoreResult>>;
  /** Each system against the first; null where there is one. */
  readonly comparison: Comparison | null;
}

/**
 * Scores several systems by one recipe and compares them with the first, as `assay score` does with several
 * `--predictions`: a run folder for each in `out`, nothing kept without it.
 *
 * @example const { comparison } = await scoreSystems('spans/strict', { gold: 'gold.jsonl', predictions: { old: 'a.jsonl', new: 'b.jsonl' } })
 */
export async function scoreSystems(
  recipe: string | object,
  input: SystemsInput,
  { set = [], out, texts = 'full', ...naming }: Pick<ScoreOptions, 'set' | 'out' | 'texts' | keyof RunNaming> = {},
): Promise<SystemsScore> {
  const plan = await planRecipe(recipe, set);
  const systems = Object.entries(input.predictions).map(([system, given]) => ({ system, source: open(given) }));
  const opened = await openSystems({ cases: open(input.cases), gold: open(input.gold), systems }, plan);
  const { compareSystems } = await import('../compare/compare-systems.ts');
  const { reportFiles } = await import('./html/watch-report.ts');
  const scored = await compareSystems(opened, null, {
    ...naming,
    out: out ?? null,
    set,
    watch: reportFiles({ texts }),
  });
  return {
    systems: Object.fromEntries(scored.systems.map(({ system, run }) => [system, resultOf(run)])),
    comparison: scored.comparison,
  };
}

function resultOf(run: Run): ScoreResult {
  const { comparable, notices } = run.manifest;
  return { ...run.measures, comparable, worst: run.worst, notices };
}

function tell({ variants }: ScoredCase, options: ScoreOptions): void {
  for (const { case: scored, verdicts, schemes, result } of variants) {
    options.verdicts?.(verdicts, scored);
    options.case?.(result, scored);
    for (const other of schemes) options.verdicts?.(other.verdicts, scored);
  }
}

/** Cases as they are, files with their names looked up. */
export function openInput(input: FileInput): CaseSources;
export function openInput(input: ScoreInput): CaseInput;
export function openInput(input: ScoreInput): CaseInput {
  if (Symbol.iterator in input || Symbol.asyncIterator in input) return input;
  const { cases, gold, predictions } = input;
  return { cases: open(cases), gold: open(gold), predictions: open(predictions) };
}

function open(given: NamedFiles | undefined): Source | undefined {
  return given === undefined ? undefined : openFiles(given);
}
