import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { UsageError } from '../../src/data/problems.ts';
import { isRecord } from '../../src/data/record-fields.ts';
import { memorySource } from '../../src/data/source.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { mergeRun, scoreShard } from '../../src/report/score-run.ts';
import { temporaryFolder } from '../cli/run-assay.ts';
import { spanDocuments } from '../columns/span-documents.ts';

const SET = ['interval.resamples=100'];

interface Forged {
  readonly folder: string;
  readonly parts: readonly string[];
  readonly victim: string;
}

/** Two shards, a file beside them that nobody may touch, and what a forger makes of the second shard. */
async function shards(recipe: string | object = 'pii/strict', cases = spanDocuments(12, 4)): Promise<Forged> {
  const folder = temporaryFolder();
  const victim = join(folder, 'victim.json');
  writeFileSync(victim, '{}');
  const parts: string[] = [];
  for (const number of [1, 2]) {
    const out = join(folder, 'parts', `${number}`);
    const plan = await planRecipe(recipe, SET);
    const sources = { cases: memorySource('docs.jsonl', cases) };
    await scoreShard(plan, sources, { number, of: 2 }, { out, set: SET, exports: [], texts: 'full' });
    parts.push(out);
  }
  return { folder, parts, victim };
}

function sha256(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

type Change = readonly [path: string, value: unknown];

/** Sets fields of a shard.json, named by their path between slashes; undefined removes one. */
function changeRecord(part: string, ...changes: readonly Change[]): void {
  const place = join(part, 'shard.json');
  const record = changes.reduce<unknown>(
    (before, [path, value]) => withField(before, path.split('/'), value),
    JSON.parse(readFileSync(place, 'utf8')),
  );
  writeFileSync(place, JSON.stringify(record, null, 2));
}

function withField(before: unknown, [step = '', ...path]: readonly string[], value: unknown): unknown {
  if (Array.isArray(before))
    return before.map((inner: unknown, at) => (at === Number(step) ? withField(inner, path, value) : inner));
  const fields = isRecord(before) ? before : {};
  return { ...fields, [step]: path.length === 0 ? value : withField(fields[step], path, value) };
}

/** How a merge ends: `merged`, or the message of a refusal, after which nothing but the shards is there. */
async function outcome({ folder, parts, victim }: Forged, recipe?: string): Promise<string> {
  const before = readdirSync(folder);
  const ended = await mergeRun(parts, { out: join(folder, 'run'), ...(recipe === undefined ? {} : { recipe }) }).then(
    () => 'merged',
    (error: unknown) => {
      if (error instanceof UsageError) return error.message;
      throw error;
    },
  );
  expect(readFileSync(victim, 'utf8')).toBe('{}');
  expect(readdirSync(folder).filter((name) => name !== 'run' || ended !== 'merged')).toEqual(before);
  return ended;
}

describe('names in a forged shard.json', () => {
  it.each([
    '../../victim.json',
    '../victim.json',
    '/etc/hostname',
    '..\\..\\victim.json',
    'C:\\victim.json',
    'measures.json',
    'ledger.jsonl/../extra',
    'extra.jsonl',
    'cases.jsonl\u0000',
    '__proto__',
  ])('%j is refused before anything is read or written', async (name) => {
    for (const where of ['outputs', 'files'] as const) {
      const forged = await shards();
      mkdirSync(join(forged.parts[1]!, 'sub'), { recursive: true });
      const place = join(forged.parts[1]!, 'shard.json');
      const extra = where === 'outputs' ? { rows: 1 } : { sha256: sha256('{}'), bytes: 2 };
      // As text: an assignment to __proto__ makes no field.
      const text = readFileSync(place, 'utf8').replace(
        `"${where}": {`,
        () => `"${where}": {${JSON.stringify(name)}: ${JSON.stringify(extra)},`,
      );
      writeFileSync(place, text);
      const message = await outcome(forged);
      expect(message).toContain(name === '__proto__' ? '__proto__' : JSON.stringify(name).slice(1, -1).slice(0, 9));
      expect(message).not.toContain('was changed after');
    }
  });

  it.each(['ledger.jsonl', 'cases.jsonl', 'state.bin'])('%s must be listed', async (name) => {
    for (const where of ['outputs', 'files'] as const) {
      if (where === 'outputs' && name === 'state.bin') continue;
      const forged = await shards();
      changeRecord(forged.parts[1]!, [`${where}/${name}`, undefined]);
      expect(await outcome(forged)).toContain(`${where}: ${name} is not listed`);
    }
  });

  it('a link or a missing file in place of a shard file is refused', async () => {
    for (const name of ['ledger.jsonl', 'cases.jsonl', 'state.bin', 'shard.json']) {
      const forged = await shards();
      const [place, elsewhere] = [join(forged.parts[1]!, name), join(forged.folder, 'parts', 'elsewhere')];
      renameSync(place, elsewhere);
      expect(await outcome(forged)).toContain(name);
      symlinkSync(elsewhere, place);
      expect(await outcome(forged)).toContain('a link, which is not followed');
    }
  });

  it.each<[string, ...Change]>([
    ['more shards than there can be', 'shard/of', 2 ** 40],
    ['a number above that of the shards', 'shard/number', 3],
    ['a negative number of rows', 'outputs/cases.jsonl/rows', -1],
    ['rows that are not a whole number', 'outputs/ledger.jsonl/rows', 0.5],
    ['text in place of a hash', 'files/state.bin/sha256', '../x'],
    ['a size below 0', 'files/state.bin/bytes', -1],
    ['input rows below 0', 'inputs/0/rows', -5],
    ['notices below 0', 'notices/unansweredCases', -5],
    ['another number of cases than in cases.jsonl', 'cases', 7],
    ['other rows than in cases.jsonl', 'outputs/cases.jsonl/rows', 7],
    ['other rows than in ledger.jsonl', 'outputs/ledger.jsonl/rows', 1],
    ['an unknown exporter', 'asked/exports', ['../x']],
  ])('%s is refused', async (_, ...change) => {
    const forged = await shards();
    changeRecord(forged.parts[1]!, change);
    expect(await outcome(forged)).toContain(forged.parts[1]!);
  });
});

describe('a recipe from a forged shard', () => {
  const MODULE = './parts/2/evil.mjs';
  it.each<[string, ...Change[]]>([
    ['modules', ['source/modules', [MODULE]], ['recipe/name', 'x']],
    ['a similarity', ['source/pair/similarity', MODULE], ['recipe/name', 'x']],
    ['modules in a --set line', ['recipe/set', [...SET, `modules=["${MODULE}"]`]]],
    ['a similarity in a --set line', ['recipe/set', [...SET, `pair.similarity=${MODULE}`]]],
  ])('runs no code: %s', async (_, ...changes) => {
    const forged = await shards();
    const module = join(forged.parts[1]!, 'evil.mjs');
    writeFileSync(
      module,
      `import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\nexport default () => 1;\n`,
    );
    for (const part of forged.parts) changeRecord(part, ...changes);
    const before = process.cwd();
    process.chdir(forged.folder);
    try {
      expect(await outcome(forged)).toContain('the recipe in the shards names code: "./parts/2/evil.mjs"');
      expect(existsSync('ran')).toBe(false);
    } finally {
      process.chdir(before);
    }
  });
});
