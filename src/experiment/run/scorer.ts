import { createReadStream } from 'node:fs';

import { type TextRecord, readLines } from '../../data/lines.ts';
import { InputError, Problems } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { type Source, fileSource } from '../../data/source.ts';
import { refuseUse } from '../../formats/case-formats.ts';
import { type RecordCases, recordCases } from '../../formats/record-cases.ts';
import type { CaseResult } from '../../measure/tally.ts';
import { type Plan, planRecipe } from '../../recipe/plan.ts';
import { scoreCases } from '../../score/score.ts';
import { itemTask } from '../datasets/item-schemas.ts';
import type { AnswerLog } from './answer-log.ts';
import { outputRecord } from './exporters.ts';
import { type FrozenItem, readFrozen } from './frozen-dataset.ts';
import type { LogEntry } from './log-entry.ts';

const MOST_BYTES = 64 << 20;

/**
 * The outputs of a run, line by line beside its items, with an output that the plan cannot read turned into a failure: a
 * run that was made without this recipe has been looked at by nobody.
 */
export function scorableOutputs(plan: Plan, items: string, outputs: string): Source {
  return {
    ...fileSource(outputs),
    async *open() {
      const beside = lines(items);
      for await (const { text } of lines(outputs)) {
        const item: unknown = JSON.parse((await beside.next()).value?.text ?? 'null');
        const record: unknown = JSON.parse(text);
        yield Buffer.from(`${(await refusal(plan, item, record)) ?? text}\n`);
      }
    },
  };
}

/** Null where the line can stay as it is. */
async function refusal(plan: Plan, item: unknown, record: unknown): Promise<string | null> {
  if (!isRecord(item) || !isRecord(record) || !('output' in record)) return null;
  const { id } = record;
  if (typeof id !== 'string' || item['id'] !== id) return null;
  const reason = await unreadable(plan, { ...item, id, input: item['input'] }, record['output']);
  return reason === null ? null : JSON.stringify({ id, error: `schema: the output cannot be scored: ${reason}` });
}

async function* lines(file: string): AsyncGenerator<TextRecord, undefined> {
  const problems = new Problems();
  const chunks: AsyncIterable<Buffer> = createReadStream(file);
  for await (const batch of readLines(chunks, { file, problems, maxBytes: MOST_BYTES })) yield* batch;
  problems.throwIfAny();
}

/** The plan of a recipe, for dataset items and outputs. */
export async function planFor(recipe: string, set: readonly string[]): Promise<Plan> {
  const plan = await planRecipe(recipe, set);
  refuseUse('experiment', plan, `the recipe ${plan.name}`);
  const { format } = plan.data;
  return {
    ...plan,
    data: { ...plan.data, format: format === 'auto' ? (itemTask(plan.task)?.format ?? format) : format },
  };
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
    try {
      const read = await recordCases(plan, { ...item }, outputRecord(entry));
      return { item, entry: { ...entry, readableFor: plan.task }, read };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const { output, passages: _, ...rest } = entry;
      const message = `the output cannot be scored: ${reasonOf(error)}`;
      entry = { ...rest, outcome: 'failed', kind: 'schema', message, raw: entry.raw ?? JSON.stringify(output) };
    }
  }
  return { item, entry, read: await recordCases(plan, { ...item }, outputRecord(entry)) };
}

/** What became of an item, from the log; null where nothing has yet. */
export async function loggedOutcome(
  log: AnswerLog,
  plan: Plan | null,
  item: FrozenItem,
  repeat: number,
): Promise<ItemOutcome | null> {
  const entry = await log.get(item.id, repeat);
  return entry === null ? null : itemOutcome(plan, item, entry);
}

/** Outcomes of a repeat that are in the log, in the order of the dataset. */
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

/** What keeps an output from being scored; null where nothing does. */
export async function unreadable(plan: Plan, item: FrozenItem, output: unknown): Promise<string | null> {
  try {
    await recordCases(plan, { ...item }, { id: item.id, output });
    return null;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return reasonOf(error);
  }
}

function reasonOf({ problems, total, message }: InputError): string {
  const [first] = problems;
  const more = total > 1 ? ` (and ${total - 1} more)` : '';
  return `${first?.field === undefined ? '' : `${first.field}: `}${first?.message ?? message}${more}`;
}

/** What the measures say of each of these items alone, by item. Failed ones have no value. */
export async function scoreEach(
  plan: Plan,
  outcomes: readonly ItemOutcome[],
): Promise<ReadonlyMap<string, CaseResult>> {
  const results = new Map<string, CaseResult>();
  const cases = outcomes.flatMap(({ read }) => read?.cases ?? []);
  await scoreCases({ ...plan, interval: null }, cases, {
    scored({ variants }) {
      for (const { case: scored, result } of variants) results.set(scored.from ?? result.case, result);
    },
  });
  return results;
}
