/** The steps that `score` and its neighbours put together: a recipe, cases, pairs, verdicts, measures, a run folder. */

export { DEFAULT_DATA_OPTIONS } from './data/data-options.ts';
export { type Converted, convert, writableFormats } from './data/convert.ts';
export { FORMATS } from './data/formats.ts';
export { readCases } from './data/read-cases.ts';
export { pair } from './pair/pair.ts';
export { ERROR_TYPES } from './judge/error-type.ts';
export { errorTypes } from './judge/error-types.ts';
export { VERDICTS } from './judge/verdict.ts';
export { planRecipe } from './recipe/plan.ts';
export { presetAbout, presetNames, presetText } from './recipe/presets.ts';
export { formatOf, openSystems, refuseUse } from './formats/case-formats.ts';
export { parseShard, type Shard } from './formats/shard-cases.ts';
export { exportFiles, exportsNamed, SCORE_EXPORTERS } from './score/file-exporter.ts';
/** Exporters of other results than a run: what each is for, without loading it. */
export { default as OTHER_EXPORTERS } from './score/exporters.json' with { type: 'json' };
export { LEDGER_FORMATS } from './score/ledger-format.ts';
export { readCaseResults, readLedger } from './score/run-file.ts';
export { type QueryResult, queryRun } from './score/query-run.ts';
export { runFolder, runName, unlistedNotices } from './score/run-folder.ts';
export { readRunWith } from './score/run-queries.ts';
export { makeCaseScorer } from './score/score-case.ts';
export { scoreToFolder } from './score/score-to-folder.ts';
export { joinSinks, scoreCases, Scoring } from './score/score.ts';
export { compareRuns } from './compare/compare-runs.ts';
export { judgeGate } from './compare/gate/judge-gate.ts';
export { parseRules, readRules, USUAL_FILE } from './compare/gate/rules.ts';
export { repeatFiles, repeatRuns } from './compare/repeats/repeats.ts';
export { signatureDifferences, signatureParts } from './compare/signature-differences.ts';
export { sweepRecipe } from './compare/sweep/sweep.ts';
export { makeVariantScorer } from './compare/variants/score-variants.ts';
export { waterfallOf } from './compare/waterfall/make-waterfall.ts';
export { acceptanceLines } from './audit/acceptance.ts';
export { checkData } from './audit/check-data.ts';
export { SEVERITIES } from './audit/finding.ts';
export { auditFolder } from './report/audit-folder.ts';
export { mergeRun, scoreRun, scoreShard } from './report/score-run.ts';
export type { ShardRecord } from './score/shard-folder.ts';
