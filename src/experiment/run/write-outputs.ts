import { FileWriter } from '../../data/write-file.ts';
import { SummaryCounter } from '../summary.ts';
import type { AnswerLog } from './answer-log.ts';
import { type FrozenItem, NO_ROOM, readFrozen } from './frozen-dataset.ts';
import type { LogEntry } from './log-entry.ts';
import type { PreparedRun } from './prepare-run.ts';
import { resultRecord } from './result-record.ts';
import { asScorable, outputRecord } from './scorer.ts';
import { resultsFile, runFiles } from './run-files.ts';

export interface Written {
  readonly counter: SummaryCounter;
  /** Outcomes of each repeat, from the first. */
  readonly outcomes: readonly number[];
}

/** Where the answers go as the task's own files have them. */
export interface Results {
  readonly path: string;
  /** Whether the latency of an outcome is that of the system. */
  readonly isTimed: boolean;
}

type LineOf = (item: FrozenItem, entry: LogEntry) => unknown;

/**
 * What was run, in the order of the dataset: the items and beside them the outputs, the same bytes whatever order the
 * answers came in. An item without an outcome is in neither, so that nothing is counted that was never asked.
 */
export async function writeOutputs(
  folder: string,
  log: AnswerLog,
  repeats: number,
  { plan, target }: Pick<PreparedRun, 'plan' | 'target'>,
  results: Results | null = null,
): Promise<Written> {
  const counter = new SummaryCounter();
  const outcomes: number[] = [];
  const prediction: LineOf | null =
    target.prediction === undefined ? null : (item, entry) => target.prediction?.(item, outputRecord(entry));
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    const paths = runFiles(folder, repeat, repeats);
    const files: (readonly [FileWriter, LineOf])[] = [
      [new FileWriter(paths.items, { next: NO_ROOM }), (item) => item],
      [new FileWriter(paths.outputs, { next: NO_ROOM }), (_, entry) => outputRecord(entry)],
    ];
    if (prediction !== null) files.push([new FileWriter(paths.predictions, { next: NO_ROOM }), prediction]);
    if (results !== null)
      files.push([
        new FileWriter(resultsFile(results.path, repeat, repeats), { next: NO_ROOM }),
        (item, entry) => resultRecord(plan, item, results.isTimed ? entry : { ...entry, latencyMs: null }),
      ]);
    let count = 0;
    try {
      for await (const item of readFrozen(folder)) {
        const logged = await log.get(item.id, repeat);
        if (logged === null) continue;
        const entry = await asScorable(plan, item, logged);
        count += 1;
        counter.add(entry);
        for (const [file, lineOf] of files) file.write(`${JSON.stringify(lineOf(item, entry))}\n`);
      }
      for (const [file] of files) file.finish();
    } catch (error) {
      for (const [file] of files) file.abandon();
      throw error;
    }
    outcomes.push(count);
  }
  for await (const entry of log.replaced()) counter.addReplaced(entry);
  return { counter, outcomes };
}
