import { UsageError } from '../../data/problems.ts';
import { fileSource } from '../../data/source.ts';
import type { MeasureValue } from '../../measure/results.ts';
import type { Plan } from '../../recipe/plan.ts';
import type { Gate } from '../../runs/gate/judge-gate.ts';
import { readCaseResults } from '../../runs/read-ledger.ts';
import type { Run } from '../../runs/run.ts';
import { scoreToFolder } from '../../runs/score-to-folder.ts';
import type { ScoreInit } from '../backend.ts';
import { type ItemAverage, itemAverages, type ScoredItem } from '../item-averages.ts';
import type { ExperimentSummary, Published, SummaryFrame, SummaryTarget } from '../summary.ts';
import type { AnswerLog } from './answer-log.ts';
import { judgeGates } from './experiment-gate.ts';
import { readFrozen } from './frozen-dataset.ts';
import type { Stopped } from './generate.ts';
import { madeBy } from './open-publisher.ts';
import type { PreparedRun } from './prepare-run.ts';
import type { Publisher } from './publisher.ts';
import type { RunExperimentOptions } from './run-options.ts';
import { scoreIdOf, traceIdsOf } from './trace-ids.ts';
import { runFiles } from './run-files.ts';
import { writeOutputs } from './write-outputs.ts';

export interface FinishedRun {
  /** Without a word on the gate, which reports have words for. */
  readonly summary: ExperimentSummary;
  /** Of each repeat; empty where the experiment has no gate, or nothing was scored. */
  readonly gates: readonly Gate[];
}

interface Finishing {
  readonly options: RunExperimentOptions;
  readonly prepared: PreparedRun;
  readonly log: AnswerLog;
  readonly publisher: Publisher;
  readonly stopped: Stopped;
  /** Outcomes that were not there before. */
  readonly added: number;
  /** Of performance.now(). */
  readonly started: number;
}

/** From the log to everything that a person looks at: outputs, scores, traces, gate, summary. */
export async function finishRun(finishing: Finishing): Promise<FinishedRun> {
  const { options, prepared, log, stopped, added, started } = finishing;
  const { loaded } = options;
  const { repeats } = loaded.experiment;
  const { folder, record } = prepared;
  const { counter, outcomes } = await writeOutputs(folder, log, repeats);
  options.onStage?.('scoring');
  const runs = await scoreRuns(finishing, outcomes);
  const published = await publish(finishing, runs);
  const gates = await judgeGates(
    loaded,
    runs.map((run) => run.folder),
  );
  const frame: SummaryFrame = {
    name: loaded.experiment.name,
    folder,
    dataset: { name: record.dataset.name, version: record.dataset.version, items: record.dataset.items },
    target: summaryTarget(prepared),
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
  };
  return { summary: counter.summary(frame), gates };
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

/** A run folder for each repeat that has outcomes. Where not one item was answered, there is nothing to score. */
async function scoreRuns({ options, prepared }: Finishing, outcomes: readonly number[]): Promise<Run[]> {
  const { plan, folder } = prepared;
  if (plan === null) return [];
  const { repeats, set } = options.loaded.experiment;
  const runs: Run[] = [];
  for (const [at, count] of outcomes.entries()) {
    if (count === 0) continue;
    const files = runFiles(folder, at + 1, repeats);
    const sources = { cases: fileSource(files.items), predictions: fileSource(files.outputs) };
    runs.push(
      await scoreToFolder(plan, sources, {
        out: files.score,
        set,
        madeBy: madeBy(prepared),
        ...(options.scoreFiles === undefined ? {} : { files: options.scoreFiles }),
      }),
    );
  }
  return runs;
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

/** What has not arrived yet is sent, then the backend is asked what it has. What fails here spoils no result. */
async function publish({ options, prepared, log, publisher }: Finishing, runs: readonly Run[]): Promise<Published> {
  const { backend, loaded } = options;
  const { folder } = prepared;
  options.onStage?.('publishing');
  // What went wrong on the way is tried again below.
  await publisher.flush().catch(() => undefined);
  let problem: string | null = null;
  try {
    for await (const item of readFrozen(folder))
      for (let repeat = 1; repeat <= loaded.experiment.repeats; repeat += 1) {
        if (!log.has(item.id, repeat) || publisher.hasArrived(item.id, repeat)) continue;
        const entry = await log.get(item.id, repeat);
        if (entry !== null) await publisher.add(item, entry);
      }
    await publisher.flush();
    await publisher.scoreRuns(
      runs.map((run, at) => pooledScores(run, traceIdsOf(prepared.record.id, 'all items', at + 1).traceId)),
    );
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    problem = error.next === null ? error.message : `${error.message} (${error.next})`;
  }
  options.onStage?.('reading back');
  const expected = publisher.expected(log.size);
  const found = await publisher.counts().catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    problem ??= error.message;
    return null;
  });
  const url = await publisher.url().catch(() => null);
  return { backend: backend.kind, place: backend.place, url, expected, found, problem };
}

/** What all items give together, which no average over traces says: for the run as a whole. */
function pooledScores({ measures }: Run, run: string): ScoreInit[] {
  return measures.measures.filter(isOverall).flatMap(({ name, value, n, interval }) =>
    value === null || !Number.isFinite(value)
      ? []
      : [
          {
            id: scoreIdOf(run, name),
            name: `pooled_${name}`,
            value,
            comment: `over all items together, n ${n}${interval === null || interval === undefined ? '' : `, ${interval.level * 100} % interval ${interval.low} to ${interval.high}`}`,
          },
        ],
  );
}
