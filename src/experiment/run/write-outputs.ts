import { SummaryCounter } from '../summary.ts';
import type { AnswerLog } from './answer-log.ts';
import { readFrozen } from './frozen-dataset.ts';
import type { PreparedRun } from './prepare-run.ts';
import { asScorable, outputRecord } from './scorer.ts';
import { runFiles } from './run-files.ts';
import { WholeFile } from './whole-file.ts';

export interface Written {
  readonly counter: SummaryCounter;
  /** Outcomes of each repeat, from the first. */
  readonly outcomes: readonly number[];
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
): Promise<Written> {
  const counter = new SummaryCounter();
  const outcomes: number[] = [];
  for (let repeat = 1; repeat <= repeats; repeat += 1) {
    const files = runFiles(folder, repeat, repeats);
    const items = new WholeFile(files.items);
    const outputs = new WholeFile(files.outputs);
    const predictions = target.prediction === undefined ? null : new WholeFile(files.predictions);
    let count = 0;
    try {
      for await (const item of readFrozen(folder)) {
        const logged = await log.get(item.id, repeat);
        if (logged === null) continue;
        const entry = await asScorable(plan, item, logged);
        count += 1;
        counter.add(entry);
        items.line(JSON.stringify(item));
        const output = outputRecord(entry);
        outputs.line(JSON.stringify(output));
        predictions?.line(JSON.stringify(target.prediction?.(item, output)));
      }
      items.finish();
      outputs.finish();
      predictions?.finish();
    } catch (error) {
      items.abandon();
      outputs.abandon();
      predictions?.abandon();
      throw error;
    }
    outcomes.push(count);
  }
  for await (const entry of log.replaced()) counter.addReplaced(entry);
  return { counter, outcomes };
}
