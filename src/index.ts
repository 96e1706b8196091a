/** Scoring, comparing and auditing, without SQLite, servers, SDKs or models: the other doors of the package have those. */

export { type Case, type CaseInit, type Logged, makeCase, type SetAside } from './data/case.ts';
export { type DataOptions, DEFAULT_DATA_OPTIONS } from './data/data-options.ts';
export type { Format, Role, Row } from './data/format.ts';
export { FORMATS } from './data/formats.ts';
export { type Fields, type Item, type ItemInit, type ItemKind, makeItem, type Side } from './data/item.ts';
export { InputError, type Problem, UsageError } from './data/problems.ts';
export { type CaseReader, type CaseSources, readCases, type ReadNotices } from './data/read-cases.ts';
export type { ReadFile } from './data/read-rows.ts';
export { fileSource, memorySource, type Source, standardInput } from './data/source.ts';
export type { CustomSimilarity, PairSettings, Threshold } from './pair/criterion.ts';
export type { LeftOver, Pair, Pairing, Rejection } from './pair/pairing.ts';
export { pair, type PairOptions } from './pair/pair.ts';
export { type Verdict, type VerdictKind, VERDICTS } from './judge/verdict.ts';
export type { OpenedSystems, SystemAnswers, SystemFiles } from './formats/case-format.ts';
export { formatOf, openSystems, refuseUse } from './formats/case-formats.ts';
export type { Direction, Measure, Outcome } from './measure/measure.ts';
export type { CaseResult, Counts, Interval, MeasureValue, Slice } from './measure/tally.ts';
export { defineFormat, defineMeasure, defineRule, defineSimilarity, type Ruling } from './recipe/define.ts';
export type { Definition } from './recipe/definition.ts';
export { defineCheck } from './audit/define-check.ts';
export { type Plan, planRecipe } from './recipe/plan.ts';
export { presetAbout, presetNames, presetText } from './recipe/presets.ts';
export type { Recipe } from './recipe/schema.ts';
export { type CompareOptions, compareRuns } from './compare/compare-runs.ts';
export type { Comparison, ComparisonVerdict, MeasureComparison } from './compare/comparison.ts';
export type { GateVerdict } from './compare/gate/check.ts';
export { type Gate, judgeGate } from './compare/gate/judge-gate.ts';
export { parseRules, readRules, type RulesFile, USUAL_FILE } from './compare/gate/rules.ts';
export { type LedgerRecord } from './score/ledger.ts';
export { readCaseResults, readLedger, unlistedNotices } from './score/run-file.ts';
export { openRun as readRun, readRunWith, type RunQueries, type VerdictFilter } from './score/run-queries.ts';
export type { RepeatedInput } from './compare/repeats/read-runs.ts';
export { repeatFiles, repeatRuns, type Repeats, type RepeatsOptions } from './compare/repeats/repeats.ts';
export type { CaseTotals, Manifest, Measures, RuleCount, Run } from './score/run.ts';
export { runFolder, runName } from './score/run-folder.ts';
export { type FolderOptions, scoreToFolder } from './score/score-to-folder.ts';
export { makeCaseScorer, type SchemeVerdicts } from './score/score-case.ts';
export {
  joinSinks,
  scoreCases,
  type ScoredCase,
  type ScoredVariant,
  type ScoreResult,
  type ScoreSink,
  Scoring,
} from './score/score.ts';
export {
  type FileInput,
  score,
  scoreRun,
  type ScoreInput,
  type ScoreOptions,
  scoreSystems,
  type SystemsInput,
  type SystemsScore,
} from './report/score.ts';
export { acceptanceLines } from './audit/acceptance.ts';
export { checkData, type DataCheck } from './audit/check-data.ts';
export { type Audit, type Finding, type FindingItem, SEVERITIES, type Severity } from './audit/finding.ts';
export { auditFolder, type AuditFolderOptions } from './report/audit-folder.ts';
export { ERROR_TYPES, type ErrorType } from './judge/error-type.ts';
export { errorTypes } from './judge/error-types.ts';
export type { AttributeTable, Calibration, Ceiling, ErrorClass, RunFigures, Taxonomy } from './figures/run-figures.ts';
export { type OpenRunWatch, type RunFiles, type RunWatch } from './score/score-to-folder.ts';
export {
  type Sweep,
  type SweepOptions,
  type SweepPoint,
  sweepRecipe,
  type SweepSystem,
} from './compare/sweep/sweep.ts';
export { makeVariantScorer } from './compare/variants/score-variants.ts';
export { waterfallOf } from './compare/waterfall/make-waterfall.ts';
export type { Move, Moves, Waterfall, WaterfallStep } from './compare/waterfall/waterfall.ts';
/** Exporters of other results than a run: what each is for, without loading it. */
export { default as OTHER_EXPORTERS } from './score/exporters.json' with { type: 'json' };
export { SCORE_EXPORTERS } from './score/file-exporter.ts';
export { VERSION } from './score/version.ts';
export { signatureDifferences, signatureParts } from './compare/signature-differences.ts';
export type { FileExporter } from './score/file-exporter.ts';
