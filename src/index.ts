/**
 * Scoring, comparing and auditing, without SQLite, servers, SDKs or models. What a function needs is loaded when it is first
 * called, so that importing this costs next to nothing. The steps themselves are in `assay/pipeline`.
 */
import type { DataCheck } from './audit/check-data.ts';
import type { Audit } from './audit/finding.ts';
import type { CompareOptions } from './compare/compare-runs.ts';
import type { Comparison } from './compare/comparison.ts';
import type { Converted, ConvertOptions } from './data/convert.ts';
import { fileSource } from './data/source.ts';
import type { Gate, GateOptions } from './compare/gate/judge-gate.ts';
import type { RepeatedInput } from './compare/repeats/read-runs.ts';
import type { Repeats, RepeatsOptions } from './compare/repeats/repeats.ts';
import type { Sweep, SweepOptions } from './compare/sweep/sweep.ts';
import type { Waterfall } from './compare/waterfall/waterfall.ts';
import type { Source } from './data/source.ts';
import type { AuditFolderOptions } from './report/audit-folder.ts';
import type { Rendered, RenderFormat, RenderOptions } from './report/render.ts';
import type { ImportedRun, ImportLogOptions } from './report/import-log.ts';
import type { FileInput, ScoreInput, ScoreOptions, SystemsInput, SystemsScore } from './report/score.ts';
import type { Run } from './score/run.ts';
import type { RunQueries } from './score/run-queries.ts';
import type { ScoreResult } from './score/score.ts';
import type { ShardRecord } from './score/shard-folder.ts';
import type { RatingsAgreement, RatingsOptions } from './stats/agreement/agreement-of-ratings.ts';
import type { Ratings } from './stats/agreement/rating.ts';

export { type Case, type CaseInit, type Logged, makeCase, type SetAside } from './data/case.ts';
export type { DataOptions } from './data/data-options.ts';
export type { Format, Role, Row } from './data/format.ts';
export { type Fields, type Item, type ItemInit, type ItemKind, makeItem, type Side } from './data/item.ts';
export { InputError, type Problem, UsageError } from './data/problems.ts';
export type { CaseReader, CaseSources, ReadNotices } from './data/read-cases.ts';
export type { ReadFile } from './data/read-rows.ts';
export { fileSource, memorySource, type Source, standardInput } from './data/source.ts';
export type { Converted, ConvertOptions } from './data/convert.ts';
export type { CustomSimilarity, PairSettings, Threshold } from './pair/criterion.ts';
export type { LeftOver, Pair, Pairing, Rejection } from './pair/pairing.ts';
export type { PairOptions } from './pair/pair.ts';
export type { ErrorType } from './judge/error-type.ts';
export type { Verdict, VerdictKind } from './judge/verdict.ts';
export type { OpenedSystems, SystemAnswers, SystemFiles } from './formats/case-format.ts';
export type { Direction, Measure, Outcome } from './measure/measure.ts';
export type { CaseResult, Counts, Interval, MeasureValue, Slice } from './measure/tally.ts';
export { defineFormat, defineMeasure, defineRule, defineSimilarity } from './recipe/define.ts';
export type { Definition, Ruling } from './recipe/definition.ts';
export { defineCheck } from './audit/define-check.ts';
export type { Plan } from './recipe/plan.ts';
export type { Recipe } from './recipe/schema.ts';
export type { FileExporter } from './score/file-exporter.ts';
export type { LedgerRecord } from './score/ledger.ts';
export type { RunAbout, RunNaming } from './score/run-about.ts';
export type { CaseTotals, Manifest, Measures, RuleCount, Run } from './score/run.ts';
export type { FolderOptions, OpenRunWatch, RunWatch } from './score/score-to-folder.ts';
export type { RunFiles } from './score/run-writer.ts';
export type { SchemeVerdicts } from './score/score-case.ts';
export type { ScoredCase, ScoredVariant, ScoreResult, ScoreSink } from './score/score.ts';
export { VERSION } from './score/version.ts';
export type { CompareOptions } from './compare/compare-runs.ts';
export type { Comparison, ComparisonVerdict, MeasureComparison } from './compare/comparison.ts';
export type { GateCheck, GateVerdict } from './compare/gate/check.ts';
export type { ValueLimit } from './compare/gate/fail-under.ts';
export type { Gate, GateOptions } from './compare/gate/judge-gate.ts';
export type { RulesFile } from './compare/gate/rules.ts';
export type { RunQueries, VerdictFilter } from './score/run-queries.ts';
export type { RepeatedInput } from './compare/repeats/read-runs.ts';
export type { Repeats, RepeatsOptions } from './compare/repeats/repeats.ts';
export type { Sweep, SweepOptions, SweepPoint, SweepSystem } from './compare/sweep/sweep.ts';
export type { Move, Moves, Waterfall, WaterfallStep } from './compare/waterfall/waterfall.ts';
export type { AttributeTable, Calibration, Ceiling, ErrorClass, RunFigures, Taxonomy } from './figures/run-figures.ts';
export type { DataCheck } from './audit/check-data.ts';
export type { DataFileCheck } from './audit/check-file.ts';
export type { Audit, Finding, FindingItem, Severity } from './audit/finding.ts';
export type { AuditFolderOptions } from './report/audit-folder.ts';
export type { Rendered, RenderFormat, RenderOptions } from './report/render.ts';
export type { ImportedRun, ImportLogOptions } from './report/import-log.ts';
export type { FileInput, ScoreInput, ScoreOptions, SystemsInput, SystemsScore } from './report/score.ts';

/** Changes laid over a recipe, as `--set` does: `['pair.assign=optimal']`. */
type RecipeChanges = Pick<ScoreOptions, 'set'>;

/** Files of predictions of one system, and the recipe that compares their items. */
export type RepeatedFiles = RepeatedInput & { readonly recipe: string | object };

/**
 * Scores by a preset, a recipe file or a recipe object, as the command line does. Cases stream through; the
 * verdicts of each go to `options.verdicts`, what they add up to goes to `options.case`.
 *
 * @example const { measures } = await score('spans/strict', { gold: 'gold.jsonl', predictions: 'out.jsonl' })
 */
export async function score(
  recipe: string | object,
  input: ScoreInput,
  options?: ScoreOptions,
): Promise<ScoreResult & RunQueries> {
  return (await import('./report/score.ts')).score(recipe, input, options);
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
  options?: Pick<ScoreOptions, 'set' | 'out' | 'texts'>,
): Promise<SystemsScore> {
  return (await import('./report/score.ts')).scoreSystems(recipe, input, options);
}

/**
 * Scores one of several parts of the cases into a folder, for `merge`; parts can be scored anywhere and in any order.
 *
 * @example await scoreShard('spans/strict', { cases: 'docs.jsonl' }, { shard: '3/16', out: 'parts/3' })
 */
export async function scoreShard(
  recipe: string | object,
  input: FileInput,
  { shard, out, set = [], texts = 'full' }: Pick<ScoreOptions, 'set' | 'texts'> & Record<'shard' | 'out', string>,
): Promise<ShardRecord> {
  const [{ openInput }, { planRecipe }, { parseShard }, { scoreShard: scorePart }] = await Promise.all([
    import('./report/score.ts'),
    import('./recipe/plan.ts'),
    import('./formats/shard-cases.ts'),
    import('./report/score-run.ts'),
  ]);
  const options = { out, set, texts, exports: [] };
  return scorePart(await planRecipe(recipe, set), openInput(input), parseShard(shard, 'shard'), options);
}

/**
 * Merges all shards of a run into its folder: the same files as if it had been scored at once.
 *
 * @example const run = await merge(['parts/1', 'parts/2', 'parts/3'], { out: 'runs/a' })
 */
export async function merge(
  shards: readonly string[],
  options: Pick<ScoreOptions, 'ledger'> & { readonly out: string; readonly recipe?: string },
): Promise<Run & RunQueries> {
  const { run } = await (await import('./report/score-run.ts')).mergeRun(shards, options);
  return readRun(run.folder);
}

/**
 * Writes annotations in another format, reads the result back and lists what it does not hold.
 *
 * @example const { losses } = await convert('corpus/', 'gold.jsonl')
 * @example await convert('gold.jsonl', 'corpus', { to: 'brat' })
 */
export async function convert(file: string, out: string, options: ConvertOptions = {}): Promise<Converted> {
  return (await import('./data/convert.ts')).convert(fileSource(file), out, options);
}

/**
 * Makes runs of the logs of other evaluation tools (Inspect, promptfoo, DeepEval, lm-evaluation-harness, Langfuse), as
 * `assay import` does: each score is a measure, each sample a case. Several systems get a folder each below `out`.
 *
 * @example const [imported] = await importLog('logs/popularity.eval', { out: 'runs/popularity' })
 */
export async function importLog(
  logs: string | Source | readonly (string | Source)[],
  options: ImportLogOptions,
): Promise<readonly ImportedRun[]> {
  return (await import('./report/import-log.ts')).importLog(logs, options);
}

/** Reads files as `score` does and reports what is wrong with them, and what is odd, without a score. */
export async function validate(
  recipe: string | object,
  input: FileInput,
  { set = [] }: RecipeChanges = {},
): Promise<DataCheck> {
  const [{ openInput }, { planRecipe }, { checkData }] = await Promise.all([
    import('./report/score.ts'),
    import('./recipe/plan.ts'),
    import('./audit/check-data.ts'),
  ]);
  return checkData(await planRecipe(recipe, set), openInput(input));
}

/** A run folder; refuses one that is cut off or was written by another format. */
export async function readRun(folder: string): Promise<Run & RunQueries> {
  return (await import('./score/run-queries.ts')).openRun(folder);
}

/**
 * Compares run folders over the same cases with the first of them.
 *
 * @example const { measures } = await compare(['runs/a', 'runs/b'], { measures: ['f1'] })
 */
export async function compare(folders: readonly string[], options?: CompareOptions): Promise<Comparison> {
  return (await import('./compare/compare-runs.ts')).compareRuns(folders, options);
}

/**
 * Judges a run folder by rules: the path of a file, or what such a file holds.
 *
 * @example const { verdict } = await gate('runs/b', { rules: [{ measure: 'f1', atLeast: 0.8 }] })
 */
export async function gate(folder: string, rules: string | object, options?: GateOptions): Promise<Gate> {
  const [{ judgeGate }, { parseRules, readRules }, { compareRuns }] = await Promise.all([
    import('./compare/gate/judge-gate.ts'),
    import('./compare/gate/rules.ts'),
    import('./compare/compare-runs.ts'),
  ]);
  const read = typeof rules === 'string' ? readRules(rules) : parseRules(JSON.stringify(rules), 'rules');
  return judgeGate(folder, read, compareRuns, options);
}

/**
 * Looks for what makes a run folder misleading, with the texts of the files that were scored if they can still be read.
 *
 * @example const { findings } = await audit('runs/first', { train: ['train.jsonl'] })
 */
export async function audit(folder: string, options?: AuditFolderOptions): Promise<Audit> {
  return (await import('./report/audit-folder.ts')).auditFolder(folder, options);
}

/** What each rule of a recipe does to the score, from strict matching on. */
export async function waterfall(
  recipe: string | object,
  input: ScoreInput,
  { set = [] }: RecipeChanges = {},
): Promise<Waterfall> {
  const [{ openInput }, { planRecipe }, { readerOf }, { waterfallOf }] = await Promise.all([
    import('./report/score.ts'),
    import('./recipe/plan.ts'),
    import('./score/score-to-folder.ts'),
    import('./compare/waterfall/make-waterfall.ts'),
  ]);
  const plan = await planRecipe(recipe, set);
  return waterfallOf(plan, readerOf(openInput(input), plan));
}

/**
 * Scores a recipe at every value of one or two of its parameters.
 *
 * @example await sweep({ recipe: 'pii/piranha', over: ['pair.threshold=0.1..0.9'], systems: [{ name: 'a', sources }] })
 */
export async function sweep(options: SweepOptions): Promise<Sweep> {
  return (await import('./compare/sweep/sweep.ts')).sweepRecipe(options);
}

/**
 * How steady one system is: several run folders of it, or several files of predictions with a recipe, without gold if there
 * is none.
 *
 * @example await repeats(['runs/1', 'runs/2', 'runs/3'])
 * @example await repeats({ recipe: 'journal/ashwam', cases: 'journals.jsonl', predictions: ['run1.jsonl', 'run2.jsonl'] })
 */
export async function repeats(
  runs: readonly string[] | RepeatedFiles,
  options?: RepeatsOptions & { readonly recipe?: string | object },
): Promise<Repeats> {
  const { repeatFiles, repeatRuns } = await import('./compare/repeats/repeats.ts');
  return 'recipe' in runs ? repeatFiles(runs.recipe, runs, options) : repeatRuns(runs, options);
}

/**
 * Inter-annotator agreement: every coefficient that fits the scale, with intervals, and the votes. A row per item, a column
 * per rater, null where a rating is missing.
 *
 * @example const { coefficients } = await agree([['vata', 'vata'], ['pitta', 'vata']])
 */
export async function agree(ratings: Ratings, options?: RatingsOptions): Promise<RatingsAgreement> {
  return (await import('./stats/agreement/agreement-of-ratings.ts')).agreementOfRatings(ratings, options);
}

/**
 * A result as a page of Markdown or HTML, or as text for a terminal.
 *
 * @example await render(await readRun('runs/first'), 'html')
 */
export async function render(result: Rendered, format?: RenderFormat, options?: RenderOptions): Promise<string> {
  return (await import('./report/render.ts')).renderResult(result, format, options);
}
