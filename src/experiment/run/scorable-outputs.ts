import { createReadStream } from 'node:fs';

import { readLines, type TextRecord } from '../../data/lines.ts';
import { Problems } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { fileSource, type Source } from '../../data/source.ts';
import type { Plan } from '../../recipe/plan.ts';
import { unreadable } from './scorer.ts';

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
