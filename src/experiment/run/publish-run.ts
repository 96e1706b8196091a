import { UsageError } from '../../data/problems.ts';
import { isOverall } from '../../measure/results.ts';
import { readCaseResults } from '../../score/ledger.ts';
import type { Run } from '../../score/run.ts';
import type { RunCounts, ScoreInit } from '../backend.ts';
import type { Published } from '../summary.ts';
import type { AnswerLog } from './answer-log.ts';
import type { PreparedRun } from './prepare-run.ts';
import type { Publisher } from './publisher.ts';
import type { RunExperimentOptions } from './run-options.ts';
import { loggedOutcomes } from './scorer.ts';
import { scoreIdOf, traceIdsOf } from './trace-ids.ts';

export interface Publishing {
  readonly options: RunExperimentOptions;
  readonly prepared: PreparedRun;
  readonly log: AnswerLog;
  readonly publisher: Publisher;
}

/**
 * What has not arrived yet is sent, then the backend is asked what it has; where that is less than was sent, now or in an
 * earlier session, what it lacks is sent once more. What fails here spoils no result.
 */
export async function publishRun(publishing: Publishing, runs: readonly Run[]): Promise<Published> {
  const { options, log, publisher } = publishing;
  const { backend } = options;
  // What went wrong on the way is tried again now.
  await publisher.flush().catch(() => undefined);
  let sent = await sendAndCount(publishing, runs);
  if (sent.problem === null && isShort(sent.found, publisher.expected(log.size)))
    sent = await sendAndCount(publishing, runs);
  const url = await publisher.url().catch(() => null);
  const { traces, scores } = publisher.expected(log.size);
  // Where it did not come to sending, what was made says how many there should be.
  const expected = { traces, scores: sent.problem === null ? scores : Math.max(scores, await scoresMade(runs)) };
  return { backend: backend.kind, place: backend.place, url, expected, ...sent };
}

/** One for each value of each item, and `error` for an item that failed. */
async function scoresMade(runs: readonly Run[]): Promise<number> {
  let count = 0;
  for (const { folder } of runs)
    for await (const { failed, failedAsEmpty, measures } of readCaseResults(folder))
      count +=
        (failed ?? failedAsEmpty) === undefined ? Object.values(measures).filter((value) => value !== null).length : 1;
  return count;
}

function isShort(found: RunCounts | null, expected: RunCounts): boolean {
  return found !== null && (found.traces < expected.traces || found.scores < expected.scores);
}

async function sendAndCount(
  publishing: Publishing,
  runs: readonly Run[],
): Promise<{ readonly found: RunCounts | null; readonly problem: string | null }> {
  const { options, publisher } = publishing;
  try {
    options.onStage?.('publishing');
    await sendMissing(publishing, runs);
  } catch (error) {
    return { found: null, problem: problemText(error) };
  }
  try {
    options.onStage?.('reading back');
    return { found: await publisher.counts(), problem: null };
  } catch (error) {
    return { found: null, problem: problemText(error) };
  }
}

function problemText(error: unknown): string {
  if (!(error instanceof UsageError)) throw error;
  return error.next === null ? error.message : `${error.message} (${error.next})`;
}

async function sendMissing({ options, prepared, log, publisher }: Publishing, runs: readonly Run[]): Promise<void> {
  const { repeats } = options.loaded.experiment;
  const { record, ids } = prepared;
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    const isMissing = (id: string): boolean => log.has(id, repeat) && !publisher.hasArrived(id, repeat);
    if (!ids.some(isMissing)) continue;
    for await (const outcome of loggedOutcomes(prepared, log, repeat, isMissing)) await publisher.add(outcome, null);
  }
  await publisher.flush();
  const names = runs.map((_, at) => traceIdsOf(record.id, 'all items', at + 1).traceId);
  await publisher.scoreRuns(runs.map((run, at) => pooledScores(run, names[at]!)));
}

/** What all items give together, which no average over traces says: for the run as a whole. */
function pooledScores({ measures }: Run, run: string): ScoreInit[] {
  return measures.measures
    .filter(({ slice }) => isOverall(slice))
    .flatMap(({ name, value, n, interval }) =>
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
