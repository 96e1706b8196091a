/** The public door: everything the command line does, typed, and without touching the file system unless asked. */

export { type Case, type CaseInit, makeCase, type SetAside } from './data/case.ts';
export { type DataOptions, DEFAULT_DATA_OPTIONS } from './data/data-options.ts';
export type { Format, Role, Row } from './data/format.ts';
export { FORMATS } from './data/formats.ts';
export { type Fields, type Item, type ItemInit, type ItemKind, makeItem, type Side } from './data/item.ts';
export { InputError, type Problem, UsageError } from './data/problems.ts';
export { type CaseReader, type CaseSources, readCases, type ReadNotices } from './data/read-cases.ts';
export type { ReadFile } from './data/read-rows.ts';
export { fileSource, memorySource, type Source, standardInput } from './data/source.ts';

export { assign, type Assign } from './pair/assign.ts';
export type { OwnSimilarity, PairSettings, Threshold } from './pair/criterion.ts';
export type { LeftOver, Pair, Pairing, Rejection } from './pair/pairing.ts';
export { pair, type PairOptions } from './pair/pair-items.ts';

export type { Verdict, VerdictKind } from './judge/verdict.ts';
export type { Direction, Measure, Outcome } from './measure/measure.ts';
export type { CaseResult, Counts, MeasureValue, Slice } from './measure/tally.ts';

export { type Plan, planRecipe } from './recipe/plan.ts';
export { presetNames, presetText } from './recipe/presets.ts';
export type { Recipe } from './recipe/schema.ts';

export { type LedgerRecord, readLedger } from './runs/read-ledger.ts';
export { readRun } from './runs/read-run.ts';
export type { RuleCount } from './runs/rule-counts.ts';
export type { Manifest, Measures, Run } from './runs/run.ts';
export { scoreToFolder, type FolderOptions } from './runs/score-to-folder.ts';
export { makeCaseScorer, type SchemeVerdicts } from './runs/score-case.ts';
export { type CaseTotals, scoreCases, type ScoreResult, type ScoreSink } from './runs/score.ts';
export { type FileInput, score, type ScoreInput, type ScoreOptions } from './report/score.ts';

export { markdownReport } from './report/markdown.ts';
export { jaccard, wordSet } from './text/jaccard.ts';
export { levenshtein, levenshteinSimilarity } from './text/levenshtein.ts';
export { iou } from './text/span.ts';
export { VERSION } from './runs/version.ts';
