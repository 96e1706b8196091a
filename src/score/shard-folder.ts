import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

import { z } from 'zod';

import type { CaseSources } from '../data/read-cases.ts';
import { readPlain } from '../data/read-file.ts';
import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';
import { type Shard, shardCases } from '../formats/shard-cases.ts';
import type { Plan } from '../recipe/plan.ts';
import { damaged } from './ledger.ts';
import { gitCommit } from './git-commit.ts';
import { parsedFile } from './run-file.ts';
import { manifestFile } from './run.ts';
import { addCases, Scoring } from './score.ts';
import { type FolderOptions, inputsOf, timingJson, writeFolder } from './score-to-folder.ts';
import { VERSION } from './version.ts';

export const SHARD_FILE = 'shard.json';
const STATE_FILE = 'state.bin';
const SHARD_FORMAT = 1;

const shardFile = manifestFile.pick({ task: true, recipe: true, inputs: true, notices: true, outputs: true }).extend({
  /** The recipe as it was read, so that a recipe file need not be at hand. */
  source: z.record(z.string(), z.unknown()),
  shard: z.object({ number: z.int().min(1), of: z.int().min(1) }),
  format: z.literal(SHARD_FORMAT),
  assay: z.literal(VERSION),
  cases: z.int().min(0),
  /** Whether `inputs` and `notices` are of all cases, not of this shard alone. */
  isWhole: z.boolean(),
  /** What else is written, as it was asked for: other tools' files, and how much of the texts. */
  asked: z.object({ exports: z.array(z.string()), texts: z.enum(['full', 'redacted', 'none', 'off']) }),
  files: manifestFile.shape.files.unwrap(),
});

/** shard.json: what was scored of what, and how. */
export type ShardRecord = z.infer<typeof shardFile>;
export type ShardAsked = ShardRecord['asked'];

const stateShape = z.object({
  scoring: z.unknown(),
  watch: z.unknown(),
  ids: z.array(z.string()),
  sides: z.object({ gold: z.boolean(), predicted: z.boolean() }),
});

/** What was gathered of the cases of a shard, to be merged with those of the others. */
export type ShardState = z.infer<typeof stateShape>;

export interface ShardOptions extends Omit<FolderOptions, 'ledger' | 'files' | 'alsoMeasured' | 'madeBy'> {
  readonly asked: ShardAsked;
}

/**
 * Scores one of several shards of the cases into a folder: their part of the ledger and of cases.jsonl, and everything
 * that was added up, for `mergeShards`. It is not a run, since it has no measures of all cases.
 */
export async function scoreToShard(
  plan: Plan,
  sources: CaseSources,
  shard: Shard,
  options: ShardOptions,
): Promise<ShardRecord> {
  const started = Date.now();
  const commit = gitCommit();
  const reader = await shardCases(sources, plan, shard);
  return writeFolder(plan, options, async ({ writer, ledger, watch, sink }) => {
    const scoring = new Scoring(plan);
    let cases = 0;
    const counted = {
      ...sink,
      scored: (scored: Parameters<NonNullable<typeof sink.scored>>[0]) => ((cases += 1), sink.scored?.(scored)),
    };
    await addCases(scoring, reader, counted);
    ledger.end();
    const { ids = [], sides = { gold: true, predicted: true } } = (reader.isWhole ? null : reader.partFacts?.()) ?? {};
    const state: ShardState = { scoring: scoring.save(), watch: watch?.state?.save() ?? null, ids: [...ids], sides };
    writer.fill(STATE_FILE, (bytes) => (bytes.bytes(serialize(state)), 0));
    const written = [ledger.file, 'cases.jsonl', ...Object.keys(options.caseRecords ?? {})];
    const { task, name, about, resolved } = plan;
    const record: ShardRecord = {
      format: SHARD_FORMAT,
      assay: VERSION,
      shard,
      task,
      recipe: { name, about, set: [...(options.set ?? [])], resolved: { ...resolved } },
      source: { ...plan.source },
      asked: options.asked,
      inputs: inputsOf(reader),
      notices: { ...reader.notices },
      isWhole: reader.isWhole,
      cases,
      outputs: Object.fromEntries(written.map((file) => [file, { rows: writer.rows(file) }])),
      files: writer.files(),
    };
    writer.write(SHARD_FILE, `${JSON.stringify(record, null, 2)}\n`);
    writer.write('timing.json', timingJson(started, reader, await commit));
    return record;
  });
}

/** The shard that a folder holds. */
export async function readShard(folder: string): Promise<ShardRecord> {
  const place = join(folder, SHARD_FILE);
  const bytes = await readPlain(place).catch((error: unknown) => {
    const isMissing = errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';
    const reason = isMissing ? `it has no ${SHARD_FILE}` : errorCode(error);
    throw new UsageError(
      existsSync(folder) ? `${folder} is not a shard: ${reason}` : `no such folder: ${folder}`,
      'name folders that assay score --shard NUMBER/SHARDS --out FOLDER made',
    );
  });
  const { format, assay } = parsedFile(bytes, place, z.looseObject({ format: z.number(), assay: z.string() }));
  if (format !== SHARD_FORMAT || assay !== VERSION)
    throw new UsageError(
      `${folder}: a shard scored by assay ${assay}; this is assay ${VERSION}`,
      'score and merge all shards with one version',
    );
  return parsedFile(bytes, place, shardFile);
}

export async function readShardState(folder: string, { files }: ShardRecord): Promise<ShardState> {
  const place = join(folder, STATE_FILE);
  const bytes = await readPlain(place, { most: 2 ** 32 }).catch((error: unknown) => {
    throw damaged(
      `${place}: ${errorCode(error) === 'ENOENT' ? 'this file of the shard is missing' : errorCode(error)}`,
    );
  });
  if (files[STATE_FILE]?.sha256 !== hash('sha256', bytes)) throw damaged(`${place} was changed after it was scored`);
  try {
    return stateShape.parse(deserialize(bytes));
  } catch {
    throw damaged(`${place}: not the state of a shard`);
  }
}
