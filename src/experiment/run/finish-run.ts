import type { Gate } from '../../compare/gate/judge-gate.ts';
import type { UsageError } from '../../data/problems.ts';
import type { MeasureValue } from '../../measure/results.ts';
import type { Plan } from '../../recipe/plan.ts';
import { readCaseResults } from '../../score/ledger-files.ts';
import type { Run } from '../../score/run.ts';
import { type ItemAverage, type ScoredItem, itemAverages } from '../item-averages.ts';
import type { ExperimentSummary, SummaryCounter, SummaryFrame, SummaryTarget } from '../summary.ts';
import { judgeGates } from './experiment-gate.ts';
import type { Stopped } from './generate.ts';
import type { PreparedRun } from './prepare-run.ts';
import { type Publishing, publishRun, traceFieldsOf } from './publish-run.ts';
import type { RunExperimentOptions } from './run-settings.ts';

export interface FinishedRun {
  /** Without a word on the gate, which reports have words for. */
  readonly summary: ExperimentSummary;
  /** Of each repeat; empty where the experiment has no gate, or nothing was scored. */
  readonly gates: readonly Gate[];
  /** Why the gate could not be judged. */
  readonly gateProblem: UsageError | null;
}

interface Finishing extends Publishing {
  readonly counter: SummaryCounter;
  readonly runs: readonly Run[];
  readonly stopped: Stopped;
  /** Outcomes that were not there before. */
  readonly added: number;
  /** Of performance.now(). */
  readonly started: number;
}

/** What is left once answers are scored: the last traces, the gate, the summary. */
export async function finishRun(finishing: Finishing): Promise<FinishedRun> {
  const { options, prepared, counter, runs, stopped, added, started } = finishing;
  const { loaded } = options;
  const { repeats } = loaded.experiment;
  const { folder, record } = prepared;
  const published = await publishRun(finishing, runs);
  const judged = await judgeGates(
    loaded,
    runs.map((run) => run.folder),
  );
  const traces = traceFieldsOf(loaded.experiment);
  const frame: SummaryFrame = {
    name: loaded.experiment.name,
    folder,
    dataset: { name: record.dataset.name, version: record.dataset.version, items: record.dataset.items },
    target: summaryTarget(prepared),
    ...(Object.keys(traces).length === 0 ? {} : { traces }),
    repeats,
    seconds: (performance.now() - started) / 1000,
    added,
    stopped: stopped ?? limited(options, counter.answered + counter.failed < record.dataset.items * repeats),
    scores: runs.length === 0 ? null : await averages(runs, prepared.plan),
    measures: runs.length === 1 ? runs[0]!.measures.measures.filter(isOverall) : null,
    notScored: runs.length > 0 ? null : (prepared.notScored ?? 'no item has an outcome'),
    published,
    gate: null,
    scoreFolder: runs.length === 1 ? runs[0]!.folder : null,
    rejected: noticed(runs, 'rejectedBySystem'),
    takenOff: noticed(runs, 'fieldsTakenOff'),
  };
  return { summary: counter.summary(frame), ...judged };
}

function noticed(runs: readonly Run[], name: string): number {
  return runs.reduce((sum, { manifest }) => sum + (manifest.notices[name] ?? 0), 0);
}

/** Who is asked, as summaries say it. */
export function summaryTarget({ record, target }: PreparedRun): SummaryTarget {
  const { temperature } = target.modelParameters;
  return {
    kind: target.kind,
    model: target.model,
    promptName: record.prompt?.name ?? null,
    promptLabel: record.prompt?.label ?? null,
    promptVersion: record.prompt?.version ?? null,
    temperature: typeof temperature === 'number' ? temperature : null,
  };
}

function limited({ limit = null }: RunExperimentOptions, isPartial: boolean): SummaryFrame['stopped'] {
  return limit === null || !isPartial ? null : { by: 'limit', text: `--limit ${limit}` };
}

function isOverall({ slice }: MeasureValue): boolean {
  return Object.keys(slice).length === 0;
}

/** Several repeats of one item count as one cluster of values. */
async function averages(runs: readonly Run[], plan: Plan | null): Promise<readonly ItemAverage[]> {
  async function* scored(): AsyncGenerator<ScoredItem> {
    for (const { folder } of runs) yield* readCaseResults(folder);
  }
  const measures = runs[0]!.measures.measures.filter(isOverall);
  const { level, resamples, seed } = plan?.interval ?? {};
  return itemAverages(scored(), {
    measures,
    ...(level === undefined ? {} : { level }),
    ...(resamples === undefined ? {} : { resamples }),
    ...(seed === undefined ? {} : { seed }),
  });
}
