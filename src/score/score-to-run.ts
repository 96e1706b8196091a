import { basename } from 'node:path';

import type { Case } from '../data/case.ts';
import type { CaseReader } from '../data/read-cases.ts';
import type { MeasureValue } from '../measure/results.ts';
import type { Plan } from '../recipe/plan.ts';
import { type Run, RUN_FORMAT } from './run.ts';
import { scoreCases, type ScoreResult, type ScoreSink } from './score.ts';
import { VERSION } from './version.ts';

export interface RunOptions {
  /** The `--set` lines, shown in the manifest. */
  readonly set?: readonly string[];
  readonly sink?: ScoreSink;
  /** Further figures of the run, asked for once all cases are scored. */
  readonly alsoMeasured?: () => Promise<readonly MeasureValue[]>;
}

/** Scores cases that are read from somewhere and keeps what a report needs, writing nothing. */
export async function scoreToRun(plan: Plan, reader: CaseReader, options: RunOptions = {}): Promise<Run> {
  const result = await scoreCases(plan, reader as AsyncIterable<Case>, options.sink);
  return runOf(plan, reader, await withMeasures(result, options.alsoMeasured), options.set ?? [], '', {});
}

export async function withMeasures(result: ScoreResult, also: RunOptions['alsoMeasured']): Promise<ScoreResult> {
  return also === undefined ? result : { ...result, measures: [...result.measures, ...(await also())] };
}

/** The run as its folder will hold it. */
export function runOf(
  plan: Plan,
  reader: CaseReader,
  result: ScoreResult,
  set: readonly string[],
  folder: string,
  outputs: Run['manifest']['outputs'],
): Run {
  return {
    folder,
    worst: result.worst,
    measures: {
      signature: result.signature,
      cases: result.cases,
      measures: result.measures,
      ...(result.failedOtherwise === undefined ? {} : { failedOtherwise: result.failedOtherwise }),
      rules: result.rules,
      confusion: result.confusion,
      ungrounded: result.ungrounded,
    },
    manifest: {
      format: RUN_FORMAT,
      assay: VERSION,
      signature: result.signature,
      comparable: result.comparable,
      task: plan.task,
      recipe: { name: plan.name, about: plan.about, set, resolved: plan.resolved },
      inputs: reader.files().map(({ path: _, ...file }) => ({ ...file, name: basename(file.name) })),
      notices: { ...reader.notices, ...result.notices },
      outputs,
    },
  };
}
