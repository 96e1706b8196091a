import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { z } from 'zod';

import { StateMismatch } from '../data/fold-state.ts';
import { noNotices } from '../data/item-check.ts';
import { linesIn } from '../data/lines.ts';
import { InputError, UsageError } from '../data/problems.ts';
import { readPlain } from '../data/read-file.ts';
import type { ReadFile } from '../data/read-rows.ts';
import { describe } from '../data/record-fields.ts';
import { errorCode } from '../data/source.ts';
import { visible } from '../data/visible.ts';
import { type Plan, planRecipe } from '../recipe/plan.ts';
import { presetNamed } from '../recipe/presets.ts';
import { recipeModules } from '../recipe/recipe-modules.ts';
import { compareNatural } from '../text/compare.ts';
import { plural } from '../text/figures.ts';
import { canonicalJson } from './fingerprint.ts';
import { damaged } from './ledger.ts';
import { ledgerLayout } from './ledger-writer.ts';
import { readCaseLines, readLedgerLines, storedChunks } from './run-file.ts';
import type { Run } from './run.ts';
import { type ScoredFiles, type FolderOptions, type OpenRun, writeRun } from './score-to-folder.ts';
import { Scoring } from './score.ts';
import { readShard, readShardState, type ShardRecord } from './shard-folder.ts';
import { StateCheck } from './state-check.ts';

/** Shards of one run, in their order. */
export type Shards = readonly { readonly folder: string; readonly record: ShardRecord }[];

const MOST_LISTED = 20;

/** The shards that folders hold, in their order; refused unless they are all of one run, each once. */
export async function openShards(folders: readonly string[]): Promise<Shards> {
  const shards = await Promise.all(folders.map(async (folder) => ({ folder, record: await readShard(folder) })));
  shards.sort((a, b) => a.record.shard.number - b.record.shard.number || compareNatural(a.folder, b.folder));
  const [first] = shards;
  if (first === undefined) throw new UsageError('no shard to merge', 'name the folder of every shard');
  const facts = factsOf(first.record);
  const others = shards.flatMap(({ folder, record }) => {
    const own = factsOf(record);
    const differing = [...facts].find(([name, value]) => own.get(name) !== value)?.[0];
    return differing === undefined ? [] : [`${folder} (shard ${shardName(record)}) differs in ${differing}`];
  });
  const held = Map.groupBy(shards, ({ record }) => record.shard.number);
  const { of } = first.record.shard;
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((number) => !held.has(number));
  const twice = [...held].flatMap(([number, own]) =>
    own.length > 1
      ? [`shard ${number} is there ${own.length} times: ${own.map(({ folder }) => folder).join(', ')}`]
      : [],
  );
  const problems = [
    ...(others.length === 0 ? [] : [`not of one run with ${first.folder}:`, ...listed(others)]),
    ...listed(twice),
    ...(missing.length === 0 ? [] : [`missing of ${plural(of, 'shard')}: ${formatNumbers(missing)}`]),
  ];
  if (problems.length === 0) return shards;
  throw new UsageError(
    ['these shards do not make a run', ...problems],
    'name the folder of every shard once; score those again that differ, with the same files, recipe and version',
  );
}

function listed(lines: readonly string[]): string[] {
  const more = lines.length - MOST_LISTED;
  return [...lines.slice(0, MOST_LISTED), ...(more > 0 ? [`and ${more} more`] : [])].map((line) => `  ${line}`);
}

/** 2, 5-7, 9 */
function formatNumbers(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const more = ranges.length - MOST_LISTED;
  const shown = ranges.slice(0, MOST_LISTED).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`));
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more ranges` : ''}`;
}

function shardName({ shard: { number, of } }: ShardRecord): string {
  return `${number}/${of}`;
}

/** What all shards of a run share, by the name of it. */
function factsOf({ shard, task, recipe, asked, inputs, isWhole, notices }: ShardRecord): ReadonlyMap<string, string> {
  const files = inputs.map(({ rows, ...file }) => (isWhole ? { ...file, rows } : file));
  const facts = {
    'the number of shards': shard.of,
    'the task': task,
    'the recipe': { ...recipe, set: null },
    'the settings (--set)': recipe.set,
    'the files that were scored': files.map(({ format: _, ...file }) => file),
    'the format that a file was read as (name it with --format)': files.map(({ format }) => format),
    'what is written beside the numbers': asked,
    'how the files were read': { isWhole, notices: isWhole ? notices : null },
  };
  return new Map(
    Object.entries(facts).map(([name, value]) => [name, canonicalJson(JSON.parse(JSON.stringify(value)))]),
  );
}

/** The plan that shards were scored by: of the preset, of the recipe that is named here, or of the recipe as they have it. */
export async function planOfShards(shards: Shards, recipe?: string): Promise<Plan> {
  const { recipe: scored, source } = shards[0]!.record;
  const { name, set, resolved, about } = scored;
  const isNamed = recipe !== undefined || presetNamed(name) !== null;
  refuseForeignCode(isNamed ? [recipe ?? name, set] : [source, []], recipe);
  const same = (plan: Plan): boolean =>
    canonicalJson(JSON.parse(JSON.stringify(plan.resolved))) === canonicalJson(resolved);
  const plan = isNamed
    ? await planRecipe(recipe ?? name, set)
    : await planRecipe(source)
        .then((made) => ({ ...made, name, about }))
        .catch((error: unknown) => {
          if (error instanceof UsageError) return null;
          throw error;
        });
  if (plan !== null && same(plan)) return plan;
  throw new UsageError(
    recipe === undefined
      ? `the shards were scored by the recipe ${name}, which is not at hand as it was`
      : `${recipe} is not the recipe that the shards were scored by`,
    'name the recipe file that they were scored by: --recipe FILE',
  );
}

/** Shards come from elsewhere: only a recipe that the user names may bring code. */
function refuseForeignCode([given, set]: readonly [string | object, readonly string[]], recipe?: string): void {
  const named = new Set(recipe === undefined ? [] : recipeModules(recipe));
  const foreign = recipeModules(given, set).find((path) => !named.has(path));
  if (foreign !== undefined)
    throw new UsageError(
      `the recipe in the shards names code: ${visible(foreign)}`,
      'name a recipe file that names the same code: --recipe FILE',
    );
}

/** Merges all shards of a run into its folder: the same bytes as if it had been scored at once. */
export async function mergeToFolder(plan: Plan, shards: Shards, options: FolderOptions): Promise<Run> {
  return writeRun(plan, options, async (open) => {
    const scoring = new Scoring(plan);
    const ids = new Set<string>();
    const sides = { gold: false, predicted: false };
    const check = new StateCheck();
    let cases = 0;
    for (const { folder, record } of shards) {
      const state = await readShardState(folder, record);
      try {
        scoring.merge(state.scoring);
        open.watch?.state?.merge(state.watch);
      } catch (error) {
        throw refusalOf(error, folder);
      }
      cases += record.cases;
      await expectCases(check, scoring, folder, cases);
      refuseRepeated(ids, state.ids, record);
      sides.gold ||= state.sides.gold;
      sides.predicted ||= state.sides.predicted;
      await copyFiles(open, plan, folder, record);
    }
    for (const [side, flag] of [
      ['gold', '--gold'],
      ['predicted', '--predictions'],
    ] as const)
      if (!sides[side])
        throw new UsageError(
          `no ${side === 'gold' ? 'gold items' : 'predictions'} in any shard`,
          `give them with ${flag} FILE`,
        );
    const result = await scoring.finish((share) => options.sink?.intervals?.(share));
    return { result, files: filesOf(shards, await pathsOf(shards[0]!.folder)) };
  }).catch((error: unknown) => {
    throw refusalOf(error, 'a shard');
  });
}

/** Shards come from elsewhere, and their state holds all that audit and report are made of: any of it may be missing. */
function refusalOf(error: unknown, of: string): unknown {
  const isFault = [StateMismatch, TypeError, RangeError, SyntaxError].some((type) => error instanceof type);
  if (!isFault) return error;
  const refusal = damaged(`${of}: its state is not that of the same program and recipe (${visible(errorCode(error))})`);
  return Object.assign(refusal, { cause: error });
}

/** Refuses a state that contradicts the cases of its shard. */
async function expectCases(check: StateCheck, scoring: Scoring, folder: string, cases: number): Promise<void> {
  const { sums } = scoring;
  let fault = sums.cases.total === cases ? null : `shard.json counts ${cases} cases, its state ${sums.cases.total}`;
  for await (const result of readCaseLines(join(folder, 'cases.jsonl'))) if ((fault ??= check.add(result, sums))) break;
  fault ??= check.end(sums);
  if (fault !== null) throw damaged(`${folder}: ${fault}`);
}

/** A shard sees its own lines only: an id that comes again in another one shows here. */
function refuseRepeated(ids: Set<string>, own: readonly string[], { inputs }: ShardRecord): void {
  const again: string[] = [];
  for (const id of own) {
    if (ids.has(id)) again.push(id);
    ids.add(id);
  }
  if (again.length === 0) return;
  const next = 'one record per case is expected';
  const problems = again.slice(0, MOST_LISTED).map((id) => ({
    file: inputs[0]?.name ?? '',
    line: null,
    message: `the id ${describe(id)} was given before in this file`,
    next,
  }));
  throw new InputError(problems, again.length);
}

/** The lines of a shard's files, behind those of the shards before it. */
async function copyFiles({ writer, ledger }: OpenRun, plan: Plan, folder: string, record: ShardRecord): Promise<void> {
  for (const [file, { rows }] of Object.entries(record.outputs)) {
    const place = join(folder, file);
    const seen = createHash('sha256');
    const isLedger = file === 'ledger.jsonl';
    const target = isLedger ? ledger.file : file;
    const isCopied = !isLedger || ledger.addRecords === undefined;
    let lines = 0;
    for await (const chunk of storedChunks(place)) {
      seen.update(chunk);
      lines += linesIn(chunk);
      if (isCopied) writer.fill(target, (bytes) => (bytes.bytes(chunk), 0));
    }
    if (record.files[file]?.sha256 !== seen.digest('hex'))
      throw damaged(`${place} was changed after it was scored, or cut off`);
    if (lines !== rows) throw damaged(`${place}: ${lines} lines, but shard.json lists ${rows}`);
    if (isCopied) writer.fill(target, () => rows);
    else for await (const records of readLedgerLines(place, ledgerLayout(plan))) ledger.addRecords?.(records);
  }
}

/** The files as one run would have read them. */
function filesOf(
  shards: Shards,
  paths: readonly { readonly role: string; readonly path: string | null }[],
): ScoredFiles {
  const { inputs, isWhole } = shards[0]!.record;
  const sum = (of: (record: ShardRecord) => number): number =>
    shards.reduce((total, { record }) => total + of(record), 0);
  const files = inputs.map((file, at): ReadFile => ({
    role: file.role,
    name: file.name,
    path: paths[at]?.role === file.role ? paths[at].path : null,
    format: file.format,
    sha256: file.sha256,
    bytes: file.bytes,
    rows: isWhole ? file.rows : sum(({ inputs: own }) => own[at]?.rows ?? 0),
  }));
  const all: Record<string, number> = { ...noNotices() };
  for (const { record } of isWhole ? shards.slice(0, 1) : shards)
    for (const [name, n] of Object.entries(record.notices)) all[name] = (all[name] ?? 0) + n;
  return { files: () => files, notices: { ...noNotices(), ...all } };
}

const timing = z.looseObject({ paths: z.array(z.looseObject({ role: z.string(), path: z.string().nullable() })) });

/** Where the files were when the first shard was scored; it decides no number. */
async function pathsOf(folder: string): Promise<z.infer<typeof timing>['paths']> {
  try {
    const bytes = await readPlain(join(folder, 'timing.json'), { most: 1 << 20 });
    return timing.parse(JSON.parse(bytes.toString('utf8'))).paths;
  } catch {
    return [];
  }
}
