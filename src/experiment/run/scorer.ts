import { memorySource } from '../../data/source.ts';
import { InputError } from '../../data/problems.ts';
import type { CaseReader } from '../../data/read-cases.ts';
import type { CaseResult } from '../../measure/tally.ts';
import { type Plan, planRecipe } from '../../recipe/plan.ts';
import { caseReader, refuseUse } from '../../formats/case-formats.ts';
import { scoreCases } from '../../score/score.ts';
import { outputRecord } from './exporters.ts';
import type { FrozenItem } from './frozen-dataset.ts';
import type { LogEntry } from './log-entry.ts';

/** Outputs of a run are written in one form a task, so that a first answer that failed leaves no doubt what they are. */
const FORMAT_OF_TASK: Readonly<Record<Plan['task'], string>> = {
  journal: 'journal',
  pii: 'spans',
  graph: 'graph',
  stream: 'auto',
  consult: 'auto',
};

/** The plan of a recipe, for dataset items and outputs. */
export async function planFor(recipe: string, set: readonly string[]): Promise<Plan> {
  const plan = await planRecipe(recipe, set);
  refuseUse('experiment', plan, `the recipe ${plan.name}`);
  const { format } = plan.data;
  return { ...plan, data: { ...plan.data, format: format === 'auto' ? FORMAT_OF_TASK[plan.task] : format } };
}

/** Reads all cases for the faults in them, which are thrown. */
export async function readToEnd(reader: CaseReader): Promise<void> {
  const cases = reader[Symbol.asyncIterator]();
  while ((await cases.next()).done !== true);
}

/** What keeps an output from being scored; null where nothing does. */
export async function unreadable(plan: Plan, item: FrozenItem, output: unknown): Promise<string | null> {
  const reader = caseReader(
    {
      cases: memorySource('item', JSON.stringify(item)),
      predictions: memorySource('output', JSON.stringify({ id: item.id, output })),
    },
    plan,
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

/**
 * An outcome as the plan can score it: an output that no measure can read is a failure, with what was paid for it. An
 * output that was looked at before is not looked at again.
 */
export async function asScorable(plan: Plan | null, item: FrozenItem, entry: LogEntry): Promise<LogEntry> {
  if (plan === null || entry.outcome === 'failed' || entry.readableFor === plan.task) return entry;
  const reason = await unreadable(plan, item, entry.output);
  if (reason === null) return { ...entry, readableFor: plan.task };
  const { output, passages: _, ...rest } = entry;
  const message = `the output cannot be scored: ${reason}`;
  return { ...rest, outcome: 'failed', kind: 'schema', message, raw: entry.raw ?? JSON.stringify(output) };
}

/** What the measures say of each of these items alone, by item. Failed ones have no value. */
export async function scoreEach(
  plan: Plan,
  pairs: readonly { readonly item: FrozenItem; readonly entry: LogEntry }[],
): Promise<ReadonlyMap<string, CaseResult>> {
  const lines = (records: readonly object[]): string => records.map((record) => JSON.stringify(record)).join('\n');
  const reader = caseReader(
    {
      cases: memorySource('items', lines(pairs.map(({ item }) => item))),
      predictions: memorySource('outputs', lines(pairs.map(({ entry }) => outputRecord(entry)))),
    },
    plan,
  );
  const results = new Map<string, CaseResult>();
  await scoreCases({ ...plan, interval: null }, reader, {
    scored({ variants }) {
      for (const { case: scored, result } of variants) results.set(scored.from ?? result.case, result);
    },
  });
  return results;
}
