import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { readPlainSync } from '../../data/read-file.ts';
import { UsageError } from '../../data/problems.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { writeAside } from '../../data/write-file.ts';
import { VERSION } from '../../score/version.ts';

export const RECORD_FILE = 'experiment.json';
const FORMAT = 1;
const MOST_BYTES = 32 << 20;

const recordSchema = z.object({
  format: z.number(),
  assay: z.string(),
  name: z.string(),
  /** No two runs share it: trace ids are made from it. */
  id: z.string(),
  /** What the user asked for, as far as it decides an answer. */
  given: z.record(z.string(), z.unknown()),
  dataset: z.object({ name: z.string(), backend: z.string(), version: z.string(), items: z.int() }),
  /** As it was under its label when the run began. */
  prompt: z
    .object({
      name: z.string().nullable(),
      label: z.string().nullable(),
      version: z.number().nullable(),
      body: z.discriminatedUnion('type', [
        z.object({ type: z.literal('text'), prompt: z.string() }),
        z.object({
          type: z.literal('chat'),
          prompt: z
            .array(
              z.union([
                z.object({ role: z.string(), content: z.string() }),
                z.object({ type: z.literal('placeholder'), name: z.string() }),
              ]),
            )
            .readonly(),
        }),
      ]),
    })
    .nullable(),
  /** Hash of everything that affects the target's answers. */
  target: z.string(),
  identity: z.record(z.string(), z.unknown()),
  startedAt: z.string(),
});

/** What a run folder was begun with: decided once, so that going on later gives what it would have given then. */
export type ExperimentRecord = Omit<z.infer<typeof recordSchema>, 'format' | 'assay'>;

/** Null where the folder holds no run yet. */
export function readRecord(folder: string): ExperimentRecord | null {
  const file = join(folder, RECORD_FILE);
  if (!existsSync(file)) return null;
  let record;
  try {
    const text = readPlainSync(file, { most: MOST_BYTES }).toString('utf8');
    record = recordSchema.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`${file} was changed or damaged`, 'name another folder with --out, or remove this one');
  }
  if (record.format !== FORMAT)
    throw new UsageError(
      `${folder}: a run in format ${record.format}, begun by assay ${record.assay}; this is assay ${VERSION}`,
      `go on with assay ${record.assay}, or name another folder with --out`,
    );
  return record;
}

export function writeRecord(folder: string, record: ExperimentRecord): void {
  const content = { format: FORMAT, assay: VERSION, ...record };
  writeAside(join(folder, RECORD_FILE), `${JSON.stringify(content, null, 2)}\n`, {
    next: 'choose another place with --out',
  });
}

/** A run goes on only as what it was: another model or dataset under the same name would mix two runs. */
export function refuseOther(folder: string, record: ExperimentRecord, given: Readonly<Record<string, unknown>>): void {
  const keys = [...new Set([...Object.keys(record.given), ...Object.keys(given)])];
  const differing = keys.filter((key) => sortedJson(record.given[key] ?? null) !== sortedJson(given[key] ?? null));
  if (differing.length === 0) return;
  throw new UsageError(
    `${folder} holds another run: ${differing.map((key) => `${key} was ${shown(record.given[key])}, now ${shown(given[key])}`).join('; ')}`,
    'give the run another --name, or ask for the same as before to go on with it',
  );
}

function shown(value: unknown): string {
  const text = value === undefined ? 'not given' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
