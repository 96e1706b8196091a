import { memorySource } from '../../data/source.ts';
import { InputError } from '../../data/problems.ts';
import { type CaseReader, readCases } from '../../data/read-cases.ts';
import type { CaseResult } from '../../measure/tally.ts';
import { type Plan, planRecipe } from '../../recipe/plan.ts';
import { scoreCases } from '../../runs/score.ts';
import type { FrozenItem } from './frozen-dataset.ts';
import type { LogEntry } from './log-entry.ts';

/** Outputs of a run are written in one form a task, so that a first answer that failed leaves no doubt what they are. */
const FORMAT_OF_TASK: Readonly<Record<Plan['task'], string>> = {
  journal: 'journal',
  pii: 'spans',
  graph: 'graph',
  stream: 'auto',
};

/** The plan of a recipe, for dataset items and outputs. */
export async function planFor(recipe: string, set: readonly string[]): Promise<Plan> {
  const plan = await planRecipe(recipe, set);
  const { format } = plan.data;
  return { ...plan, data: { ...plan.data, format: format === 'auto' ? FORMAT_OF_TASK[plan.task] : format } };
}

/** A line of outputs.jsonl. */
export function outputRecord(entry: LogEntry): object {
  return entry.outcome === 'answered'
    ? { id: entry.item, output: entry.output }
    : { id: entry.item, error: `${entry.kind}: ${entry.message}` };
}

/** Reads all cases for the faults in them, which are thrown. */
export async function readToEnd(reader: CaseReader): Promise<void> {
  const cases = reader[Symbol.asyncIterator]();
  while ((await cases.next()).done !== true);
}

/** What keeps an output from being scored; null where nothing does. */
export async function unreadable(plan: Plan, item: FrozenItem, output: unknown): Promise<string | null> {
  const reader = readCases(
    {
      cases: memorySource('item', JSON.stringify(item)),
      predictions: memorySource('output', JSON.stringify({ id: item.id, output })),
    },
    plan.data,
  );
  try {
    await readToEnd(reader);
    return null;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [first] = error.problems;
    const more = error.total > 1 ? ` (and ${error.total - 1} more)` : '';
    return `${first?.field === undefined ? '' : `${first.field}: `}${first?.message ?? error.message}${more}`;
  }
}

/** What the measures say of each of these items alone, by item. Failed ones have no value. */
export async function scoreEach(
  plan: Plan,
  pairs: readonly { readonly item: FrozenItem; readonly entry: LogEntry }[],
): Promise<ReadonlyMap<string, CaseResult>> {
  const lines = (records: readonly object[]): string => records.map((record) => JSON.stringify(record)).join('\n');
  const reader = readCases(
    {
      cases: memorySource('items', lines(pairs.map(({ item }) => item))),
      predictions: memorySource('outputs', lines(pairs.map(({ entry }) => outputRecord(entry)))),
    },
    plan.data,
  );
  const results = new Map<string, CaseResult>();
  await scoreCases({ ...plan, interval: null }, reader, {
    case: (result, given) => void results.set(given.from ?? result.case, result),
  });
  return results;
}
