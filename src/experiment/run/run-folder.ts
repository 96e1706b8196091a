import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { LOCK_FILE } from '../../data/folder-lock.ts';
import type { Fields } from '../../data/item.ts';
import { parseRecord } from '../../data/json-record.ts';
import { InputError, Problems, UsageError } from '../../data/problems.ts';
import { readPlainSync } from '../../data/read-file.ts';
import { Records } from '../../data/records.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { fileSource, type Source } from '../../data/source.ts';
import { writeAside } from '../../data/write-file.ts';
import { runStamp } from '../../score/run.ts';
import { refuseFormat, VERSION } from '../../score/version.ts';
import { resolvedPrompt } from '../targets/prompt.ts';
import type { ExperimentFile } from './experiment-schema.ts';

export const RECORD_FILE = 'experiment.json';
export const DATASET_FILE = 'dataset.jsonl';
export const RUNS_FOLDER = 'runs';
const FORMAT = 1;
const MOST_BYTES = 32 << 20;

/** What to do where a file of a run cannot be written. */
export const NO_ROOM = (isDiskFull: boolean): string =>
  isDiskFull ? 'free some space, then run the same command again' : 'choose another place with --out';

/** The folder of a run: `out`, or a folder below `runs` with its name. */
export function runFolderOf({ name, out }: Pick<ExperimentFile, 'name' | 'out'>): string {
  if (out !== undefined) return out;
  const plain = fileNameOf(name);
  if (plain === '')
    throw new UsageError(`no folder can be called like the run ${JSON.stringify(name)}`, 'name one with --out');
  return join(RUNS_FOLDER, plain);
}

/** A name as files and folders may be called; '' where nothing is left of it. */
export function fileNameOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '');
}

/** Only a run, or nothing, may be in the folder: never somebody's files. */
export function refuseOtherFolder(folder: string): void {
  if (!existsSync(folder)) return;
  if (!statSync(folder).isDirectory()) throw new UsageError(`${folder} is a file`, 'name another place with --out');
  // What a run leaves that was killed before it had begun.
  const own = [LOCK_FILE, DATASET_FILE, `${RECORD_FILE}.partial-`];
  const hasForeign = readdirSync(folder).some((name) => !own.some((start) => name.startsWith(start)));
  if (hasForeign && !existsSync(join(folder, RECORD_FILE)))
    throw new UsageError(
      `${folder} is not empty and holds no experiment`,
      'name another place with --out, or empty this one',
    );
}

/** The files of one repeat: `items.jsonl`, `outputs.jsonl` and `score`, numbered where there are several repeats. */
export function runFiles(folder: string, repeat: number, repeats: number) {
  const number = repeats === 1 ? '' : `-${repeat}`;
  return {
    items: join(folder, `items${number}.jsonl`),
    outputs: join(folder, `outputs${number}.jsonl`),
    /** Outputs as their task writes predictions, where the target was asked for them. */
    predictions: join(folder, `predictions${number}.jsonl`),
    score: join(folder, `score${number}`),
  };
}

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
  prompt: resolvedPrompt.nullable(),
  /** Hash of everything that affects the target's answers. */
  target: z.string(),
  identity: z.record(z.string(), z.unknown()),
  startedAt: z.string(),
  /** Settings beside `given` that a later run over the dataset takes over; `folder` is where their paths start. */
  settings: z.looseObject({ folder: z.string() }).optional(),
});

/** What a run folder was begun with: decided once, so that going on later gives what it would have given then. */
export type ExperimentRecord = Omit<z.infer<typeof recordSchema>, 'format' | 'assay'>;

export function readRecord(folder: string): ExperimentRecord | null {
  const file = join(folder, RECORD_FILE);
  if (!existsSync(file)) return null;
  const content = jsonOrNull(readPlainSync(file, { most: MOST_BYTES }).toString('utf8'));
  // The number comes first: a newer format may have another shape.
  const { data: stamp } = runStamp.safeParse(content);
  if (stamp !== undefined && stamp.format !== FORMAT)
    refuseFormat(folder, stamp, [FORMAT], `continue with assay ${stamp.assay}, or name another folder with --out`);
  const { data: record } = recordSchema.safeParse(content);
  if (record === undefined)
    throw new UsageError(`${file} was changed or damaged`, 'name another folder with --out, or remove this one');
  return record;
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function writeRecord(folder: string, record: ExperimentRecord): void {
  const content = `${JSON.stringify({ format: FORMAT, assay: VERSION, ...record }, null, 2)}\n`;
  writeAside(join(folder, RECORD_FILE), content, { next: 'choose another place with --out' });
}

/** The names under which two records differ. */
export function differences(one: Fields, other: Fields): string[] {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].filter((key) => sortedJson(one[key] ?? null) !== sortedJson(other[key] ?? null));
}

export const frozenItem = z.looseObject({
  id: z.string(),
  input: z.unknown(),
  expected_output: z.unknown().optional(),
  metadata: z.unknown().optional(),
  source_trace_id: z.string().optional(),
});

/** An item as the run folder keeps it, and as `assay score` reads it. */
export type FrozenItem = Readonly<z.infer<typeof frozenItem>>;

export async function* readFrozen(folder: string): AsyncGenerator<FrozenItem> {
  const file = join(folder, DATASET_FILE);
  if (!existsSync(file))
    throw new UsageError(`${file} is missing: the items that the run began with`, 'put it back, or restart the run');
  for await (const { value, line } of jsonLines(file)) {
    const { data: item } = frozenItem.safeParse(value);
    const message = 'this is no item: the file was changed or damaged';
    if (item === undefined) throw new InputError([{ file, line, message, next: 'restart the run' }]);
    yield item;
  }
}

/** What is at hand as a file of lines that nobody has to write. */
export function linesSource<T>(name: string, all: () => AsyncIterable<T>, lineOf: (one: T) => unknown): Source {
  return {
    name,
    path: null,
    async *open() {
      for await (const one of all()) yield Buffer.from(`${JSON.stringify(lineOf(one))}\n`);
    },
  };
}

/** The lines of a run's file, parsed. The caller checks the value, which is not an object if the line is not JSON. */
export async function* jsonLines(file: string) {
  const problems = new Problems();
  for await (const batch of new Records(fileSource(file), { problems }).lines()) {
    problems.throwIfAny();
    for (const record of batch) yield { ...record, value: parseRecord(record, file, new Problems()) };
  }
  problems.throwIfAny();
}
