import { InputError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { type Source, fileSource } from '../../data/source.ts';
import { refuseUse } from '../../formats/case-formats.ts';
import { type RecordCases, recordCases } from '../../formats/record-cases.ts';
import { type Plan, planRecipe } from '../../recipe/plan.ts';
import { itemTask } from '../datasets/item-schemas.ts';
import type { AnswerLog, LogEntry } from './answer-log.ts';
import { type FrozenItem, jsonLines, readFrozen } from './run-folder.ts';

/** The plan of a recipe, for dataset items and outputs. */
export async function planFor(recipe: string, set: readonly string[]): Promise<Plan> {
  const plan = await planRecipe(recipe, set);
  refuseUse('experiment', plan, `the recipe ${plan.name}`);
  const likely = itemTask(plan.task)?.format;
  return likely === undefined ? plan : { ...plan, data: { ...plan.data, likely } };
}

/** A line of outputs.jsonl. */
export function outputRecord(entry: LogEntry) {
  return entry.outcome === 'answered'
    ? { id: entry.item, output: entry.output }
    : { id: entry.item, error: `${entry.kind}: ${entry.message}` };
}

/** What became of an item, and the cases that it is scored as; null where nothing is scored. */
export interface ItemOutcome {
  readonly item: FrozenItem;
  readonly entry: LogEntry;
  readonly read: RecordCases | null;
}

/** An outcome as the plan can score it: an output that no measure can read is a failure, with what was paid for it. */
export async function itemOutcome(plan: Plan | null, item: FrozenItem, entry: LogEntry): Promise<ItemOutcome> {
  if (plan === null) return { item, entry, read: null };
  if (entry.outcome === 'answered') {
    const read = await readable(plan, item, outputRecord(entry));
    if (typeof read !== 'string') return { item, entry: { ...entry, readableFor: plan.task }, read };
    const { output, passages: _, ...rest } = entry;
    entry = { ...rest, outcome: 'failed', kind: 'schema', message: read, raw: entry.raw ?? JSON.stringify(output) };
  }
  return { item, entry, read: await recordCases(plan, { ...item }, outputRecord(entry)) };
}

async function readable(plan: Plan, item: FrozenItem, output: Record<string, unknown>): Promise<RecordCases | string> {
  try {
    return await recordCases(plan, { ...item }, output);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problems, total, message } = error;
    const [first] = problems;
    const more = total > 1 ? ` (and ${total - 1} more)` : '';
    const field = first?.field === undefined ? '' : `${first.field}: `;
    return `the output cannot be scored: ${field}${first?.message ?? message}${more}`;
  }
}

/** The outputs of a run, with each output that the plan cannot read turned into a failure. */
export function scorableOutputs(plan: Plan, items: string, outputs: string): Source {
  const scorable = async (item: unknown, output: unknown, text: string): Promise<string> => {
    if (!isRecord(item) || !isRecord(output) || !('output' in output)) return text;
    const { id } = output;
    if (typeof id !== 'string' || item['id'] !== id) return text;
    const read = await readable(plan, { ...item, id, input: item['input'] }, { id, output: output['output'] });
    return typeof read === 'string' ? JSON.stringify({ id, error: `schema: ${read}` }) : text;
  };
  return {
    ...fileSource(outputs),
    async *open() {
      const beside = jsonLines(items);
      for await (const { text, value } of jsonLines(outputs))
        yield Buffer.from(`${await scorable((await beside.next()).value?.value, value, text)}\n`);
    },
  };
}

/** What became of an item, from the log; null where nothing has yet. */
export async function loggedOutcome(log: AnswerLog, plan: Plan | null, item: FrozenItem, repeat: number) {
  const entry = await log.get(item.id, repeat);
  return entry === null ? null : itemOutcome(plan, item, entry);
}

export async function* loggedOutcomes(
  { folder, plan }: { readonly folder: string; readonly plan: Plan | null },
  log: AnswerLog,
  repeat: number,
  isWanted: (item: string) => boolean = () => true,
): AsyncGenerator<ItemOutcome> {
  for await (const item of readFrozen(folder)) {
    const outcome = isWanted(item.id) ? await loggedOutcome(log, plan, item, repeat) : null;
    if (outcome !== null) yield outcome;
  }
}
