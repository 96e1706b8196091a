import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import type { CaseSources } from '../data/read-cases.ts';
import { openPlain, readPlain } from '../data/read-file.ts';
import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';
import { decodeTyped, encodeTyped } from '../data/typed-values.ts';
import { visible } from '../data/visible.ts';
import { MOST_SHARDS, type Shard, shardCases } from '../formats/shard-cases.ts';
import type { Plan } from '../recipe/plan.ts';
import { exportsNamed, SCORE_EXPORTERS } from './file-exporter.ts';
import { damaged } from './ledger.ts';
import { gitCommit } from './git-commit.ts';
import { parsedFile, unreadable } from './run-file.ts';
import { manifestFile } from './run.ts';
import { addCases, Scoring } from './score.ts';
import { type FolderOptions, inputsOf, timingJson, writeFolder } from './score-to-folder.ts';
import { VERSION } from './version.ts';

export const SHARD_FILE = 'shard.json';
const STATE_FILE = 'state.bin';
const SHARD_FORMAT = 2;

const count = z.int().min(0);
const fileFact = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: count });

const shardFile = manifestFile.pick({ task: true, recipe: true }).extend({
  /** The recipe as it was read, so that a recipe file need not be at hand. */
  source: z.record(z.string(), z.unknown()),
  shard: z
    .object({ number: z.int().min(1), of: z.int().max(MOST_SHARDS) })
    .refine(({ number, of }) => number <= of, 'expected a number from 1 to the number of shards'),
  format: z.literal(SHARD_FORMAT),
  assay: z.literal(VERSION),
  inputs: z.array(manifestFile.shape.inputs.element.extend({ ...fileFact.shape, rows: count })),
  notices: z.record(z.string(), count),
  outputs: z.record(z.string(), z.object({ rows: count })),
  cases: count,
  /** Whether `inputs` and `notices` are of all cases, not of this shard alone. */
  isWhole: z.boolean(),
  /** What else is written, as it was asked for: other tools' files, and how much of the texts. */
  asked: z.object({
    exports: z.array(z.enum(SCORE_EXPORTERS.map(({ name }) => name))),
    texts: z.enum(['full', 'redacted', 'none', 'off']),
  }),
  files: z.record(z.string(), fileFact),
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
    for (const piece of encodeTyped(state)) writer.fill(STATE_FILE, (bytes) => (bytes.bytes(piece), 0));
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
  const record = parsedFile(bytes, place, shardFile);
  // Names that somebody else wrote: none is joined to a path unless a shard of this recipe has a file of that name.
  const outputs = ['ledger.jsonl', 'cases.jsonl', ...Object.keys(exportsNamed(record.asked.exports).caseRecords)];
  expectNames(`${place}: outputs`, record.outputs, outputs);
  expectNames(`${place}: files`, record.files, [...outputs, STATE_FILE]);
  for (const [file, { bytes: size }] of Object.entries(record.files)) await expectSize(join(folder, file), size);
  return record;
}

function expectNames(where: string, listed: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const missing = names.find((name) => !Object.hasOwn(listed, name));
  if (missing !== undefined) throw damaged(`${where}: ${missing} is not listed`);
  const foreign = Object.keys(listed).find((name) => !names.includes(name));
  if (foreign !== undefined) throw damaged(`${where}: a shard has no file ${visible(foreign)}`);
}

async function expectSize(place: string, bytes: number): Promise<void> {
  const { handle, size } = await openPlain(place).catch((error: unknown) => {
    throw unreadable(place, error);
  });
  await handle.close();
  if (size !== bytes) throw damaged(`${place} was changed after it was scored, or cut off`);
}

export async function readShardState(folder: string, { files }: ShardRecord): Promise<ShardState> {
  const place = join(folder, STATE_FILE);
  const bytes = await readPlain(place, { most: 2 ** 32 }).catch((error: unknown) => {
    throw unreadable(place, error);
  });
  if (files[STATE_FILE]?.sha256 !== hash('sha256', bytes)) throw damaged(`${place} was changed after it was scored`);
  try {
    return stateShape.parse(decodeTyped(bytes));
  } catch {
    throw damaged(`${place}: not the state of a shard`);
  }
}
