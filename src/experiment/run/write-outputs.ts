import { FileWriter } from '../../data/write-file.ts';
import { SummaryCounter } from '../summary.ts';
import type { AnswerLog } from './answer-log.ts';
import { NO_ROOM, readFrozen } from './frozen-dataset.ts';
import type { PreparedRun } from './prepare-run.ts';
import { answersExporter, type Exporter, EXPORTERS } from './exporters.ts';
import { asScorable } from './scorer.ts';
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
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    const paths = runFiles(folder, repeat, repeats);
    const files: (readonly [FileWriter, Exporter])[] = [];
    const exportTo = (path: string, exporter: Exporter): void =>
      void files.push([new FileWriter(path, { next: NO_ROOM }), exporter]);
    exportTo(paths.items, (item) => item);
    exportTo(paths.outputs, EXPORTERS.outputs);
    if (target.predictions !== undefined) exportTo(paths.predictions, EXPORTERS[target.predictions]);
    if (results !== null)
      exportTo(resultsFile(results.path, repeat, repeats), (item, entry) =>
        answersExporter(plan)(item, results.isTimed ? entry : { ...entry, latencyMs: null }, plan),
      );
    let count = 0;
    try {
      for await (const item of readFrozen(folder)) {
        const logged = await log.get(item.id, repeat);
        if (logged === null) continue;
        const entry = await asScorable(plan, item, logged);
        count += 1;
        counter.add(entry);
        for (const [file, exporter] of files) file.write(`${JSON.stringify(exporter(item, entry, plan))}\n`);
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
