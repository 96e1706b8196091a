import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { InputError, UsageError } from '../../src/data/problems.ts';
import { isRecord } from '../../src/data/record-fields.ts';
import { memorySource } from '../../src/data/source.ts';
import { decodeTyped, encodeTyped } from '../../src/data/typed-values.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { mergeRun, scoreShard } from '../../src/report/score-run.ts';
import { readLedgerCases } from '../../src/score/run-file.ts';
import { MersenneTwister } from '../../src/stats/mersenne-twister.ts';
import { temporaryFolder } from '../cli/run-assay.ts';
import { spanDocuments } from '../columns/span-documents.ts';

const SET = ['interval=off'];
const MUTATIONS = Number(process.env['ASSAY_MUTATIONS'] ?? 300);
const SLOWEST_MS = 20_000;

const NUMBERS = [0, -1, 1, 0.5, NaN, Infinity, -Infinity, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 40), 1e308];
const TEXTS = ['', '\u0000', '../../x', '__proto__', 'd1', 'A'.repeat(10_000)];
const OTHERS = [null, undefined, true, false, [], {}, new Map(), new Set(), new Uint8Array(3), new Float64Array([NaN])];
const STRANGE: readonly unknown[] = [...NUMBERS, ...TEXTS, ...OTHERS];

/** Changes one value somewhere in a state. */
function mutated(value: unknown, random: MersenneTwister): unknown {
  const strange = (): unknown => STRANGE[random.below(STRANGE.length)];
  if (random.below(9) === 0) return strange();
  if (Array.isArray(value) && value.length > 0) {
    const list: unknown[] = [...value];
    const at = random.below(list.length);
    const way = random.below(8);
    if (way === 0) list.splice(at, 1);
    else if (way === 1) list.splice(at, 0, list[at]);
    else list[at] = mutated(list[at], random);
    return list;
  }
  if (value instanceof Map && value.size > 0) {
    const entries = [...value].map(([key, entry]): [unknown, unknown] => [key, entry]);
    const at = random.below(entries.length);
    const [key, entry] = entries[at]!;
    entries[at] = random.below(3) === 0 ? [mutated(key, random), entry] : [key, mutated(entry, random)];
    return new Map(random.below(10) === 0 ? entries.toSpliced(at, 1) : entries);
  }
  if (value instanceof Set) return new Set([...value, strange()]);
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const bytes = new Uint8Array(value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength));
    if (bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
    const length = random.below(6) === 0 ? random.below(value.byteLength + 1) : value.byteLength;
    const size = 'BYTES_PER_ELEMENT' in value ? Number(value.BYTES_PER_ELEMENT) : 1;
    const Made: unknown = value.constructor;
    return typeof Made === 'function'
      ? Reflect.construct(Made, [bytes.buffer.slice(0, length - (length % size))])
      : value;
  }
  if (isRecord(value)) {
    const names = Object.keys(value);
    const name = names[random.below(names.length)];
    return name === undefined ? strange() : { ...value, [name]: mutated(value[name], random) };
  }
  return strange();
}

function damagedBytes(bytes: Buffer, random: MersenneTwister): Buffer {
  const way = random.below(4);
  if (way === 0) return bytes.subarray(0, random.below(bytes.length));
  const copy = Buffer.from(bytes);
  for (let n = 0; n <= random.below(3); n += 1) copy[random.below(copy.length)] = random.below(256);
  return way === 1 ? Buffer.concat([copy, Buffer.alloc(random.below(9))]) : copy;
}

interface Measures {
  readonly cases: unknown;
  readonly rules: readonly { readonly scheme: string | null; readonly verdict: string; readonly n: number }[];
}

function contents(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

it.each([
  ['pii/strict', 'cases', spanDocuments(24, 4)],
  ['pii/semeval', 'cases', spanDocuments(24, 9)],
])('a shard of %s with any state merges to what its cases add up to, or is refused', async (recipe, _, documents) => {
  const folder = temporaryFolder();
  const plan = await planRecipe(recipe, SET);
  const sources = { cases: memorySource('docs.jsonl', documents) };
  for (const number of [1, 2])
    await scoreShard(
      plan,
      sources,
      { number, of: 2 },
      { out: join(folder, `${number}`), set: SET, exports: [], texts: 'full' },
    );
  await mergeRun(
    [1, 2].map((number) => join(folder, `${number}`)),
    { out: join(folder, 'whole') },
  );
  // Lines of cases.jsonl have verdicts without labels: names of labels in a forged state are believed.
  const numbers = (run: string): unknown => {
    const parsed = JSON.parse(readFileSync(join(folder, run, 'measures.json'), 'utf8')) as Measures;
    const sums: Record<string, number> = {};
    for (const { verdict, n, scheme } of parsed.rules) if (scheme === null) sums[verdict] = (sums[verdict] ?? 0) + n;
    return { cases: parsed.cases, sums };
  };
  const whole = numbers('whole');
  const [state, record] = ['state.bin', 'shard.json'].map((name) => readFileSync(join(folder, '2', name)));
  const decoded = decodeTyped(state!);
  const random = new MersenneTwister(37);
  const faults: string[] = [];
  const ends = { merged: 0, refused: 0, different: 0 };
  cpSync(join(folder, '2'), join(folder, 'forged'), { recursive: true });
  const before = contents(folder);
  for (let at = 0; at < MUTATIONS; at += 1) {
    let bytes: Buffer = state!;
    let text = record!.toString('utf8');
    if (at % 5 === 0) bytes = damagedBytes(bytes, random);
    else if (at % 5 < 4) bytes = Buffer.concat(encodeTyped(mutated(decoded, random)));
    else text = JSON.stringify(mutated(JSON.parse(text), random)) ?? '';
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    text = text.replace(
      /("state\.bin": ?\{\s*"sha256": ?")[0-9a-f]+(",\s*"bytes": ?)\d+/,
      `$1${sha256}$2${bytes.length}`,
    );
    writeFileSync(join(folder, 'forged', 'state.bin'), bytes);
    writeFileSync(join(folder, 'forged', 'shard.json'), text);
    const started = Date.now();
    let merged = false;
    try {
      await mergeRun([join(folder, '1'), join(folder, 'forged')], { out: join(folder, 'run') });
      merged = true;
      ends.merged += 1;
      if (JSON.stringify(numbers('run')) !== JSON.stringify(whole)) ends.different += 1;
      for await (const read of readLedgerCases(join(folder, 'run'))) expect(read.result.case).toMatch(/^d/);
    } catch (error) {
      ends.refused += 1;
      if (merged) faults.push(`${at}: merged to what cannot be read: ${String(error)}`);
      if (!(error instanceof UsageError || error instanceof InputError))
        faults.push(
          `${at}: ${error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' | ') : String(error)}`,
        );
    }
    if (Date.now() - started > SLOWEST_MS) faults.push(`${at}: took ${Date.now() - started} ms`);
    expect(contents(folder).filter((name) => !/^run(?:$|\/)/.test(name))).toEqual(before);
  }
  expect(existsSync(join(folder, 'run'))).toBe(true);
  expect(faults).toEqual([]);
  expect(ends.different).toBe(0);
  console.info(recipe, ends);
});
