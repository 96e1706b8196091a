import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { readLines } from '../../data/lines.ts';
import { InputError, Problems, UsageError } from '../../data/problems.ts';
import { FileWriter } from '../../data/write-file.ts';
import { DatasetHash } from '../../store/dataset-version.ts';
import type { DatasetItemRecord } from '../../store/records.ts';

export const DATASET_FILE = 'dataset.jsonl';

const itemSchema = z.looseObject({
  id: z.string(),
  input: z.unknown(),
  expected_output: z.unknown().optional(),
  metadata: z.unknown().optional(),
  source_trace_id: z.string().optional(),
});

/** An item as the run folder keeps it, and as `assay score` reads it. */
export type FrozenItem = Readonly<z.infer<typeof itemSchema>>;

const MOST_BYTES = 64 << 20;
const BLOCK = 1 << 18;

/** What to do where a file of a run cannot be written. */
export const NO_ROOM = (isDiskFull: boolean): string =>
  isDiskFull ? 'free some space, then run the same command again' : 'choose another place with --out';

/** A dataset as it is now, written to the run's folder: what happens to it later does not change the run. */
export async function freezeDataset(
  folder: string,
  items: AsyncIterable<DatasetItemRecord>,
  look: (item: FrozenItem) => Promise<void>,
): Promise<{ readonly hash: string; readonly ids: readonly string[] }> {
  const hash = new DatasetHash();
  const ids: string[] = [];
  const file = new FileWriter(join(folder, DATASET_FILE), { next: NO_ROOM });
  try {
    for await (const item of items) {
      hash.add(item);
      const kept = frozen(item);
      file.write(`${JSON.stringify(kept)}\n`);
      ids.push(item.id);
      await look(kept);
    }
    file.finish();
  } catch (error) {
    file.abandon();
    throw error;
  }
  return { hash: hash.result().hash, ids };
}

function frozen({ id, input, expectedOutput, metadata, sourceTraceId }: DatasetItemRecord): FrozenItem {
  return {
    id,
    input,
    ...(expectedOutput === null || expectedOutput === undefined ? {} : { expected_output: expectedOutput }),
    ...(metadata === null || metadata === undefined ? {} : { metadata }),
    ...(sourceTraceId === null ? {} : { source_trace_id: sourceTraceId }),
  };
}

/** The items in their order. */
export async function* readFrozen(folder: string): AsyncGenerator<FrozenItem> {
  const file = join(folder, DATASET_FILE);
  const problems = new Problems();
  if (!existsSync(file))
    throw new UsageError(`${file} is missing: the items that the run began with`, 'put it back, or begin the run anew');
  const chunks: AsyncIterable<Buffer> = createReadStream(file, { highWaterMark: BLOCK });
  for await (const batch of readLines(chunks, { file, problems, maxBytes: MOST_BYTES })) {
    problems.throwIfAny();
    for (const { text, line } of batch) {
      const item = itemSchema.safeParse(parsed(text));
      if (!item.success)
        throw new InputError([
          { file, line, message: 'this is no item: the file was changed or damaged', next: 'begin the run anew' },
        ]);
      yield item.data;
    }
  }
  problems.throwIfAny();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
