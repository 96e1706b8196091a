import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { packedInstall } from '../../bench/packed-install.ts';
import { type FreshInstall, freshInstall } from './fresh-install.ts';
import { installRuntimes, type Runtime } from './runtimes.ts';

const SPANS = 'spans/strict --gold x/spans/doccano.jsonl --predictions x/spans/hf.json';
const MODULE = 'target: { use: module, module: ./answer.mjs }';
const COMMAND = 'target: { use: command, command: [sh, ./answer.sh] }';

/** Each is run on every runtime, in this order, in one folder. */
const COMMANDS: Readonly<Record<string, string>> = {
  version: '--version',
  init: 'init experiment town',
  demo: 'demo',
  validate: `validate ${SPANS}`,
  convert: 'convert x/pii/gold.jsonl gold.bio',
  score: `score ${SPANS} --out runs/a`,
  threads: 'score spans/strict --cases many.jsonl --workers 2 --out runs/many',
  baseline: `score spans/partial ${SPANS.slice('spans/strict '.length)} --out runs/b --baseline runs/a --force`,
  parquet: `score ${SPANS} --out runs/parquet --ledger parquet`,
  zstd: `score ${SPANS} --out runs/zstd --ledger zstd`,
  plugin: 'score x/custom/recipe.yaml --gold x/custom/gold.jsonl --predictions x/custom/predictions.jsonl --out runs/c',
  shard: `score ${SPANS} --out shards/1 --shard 1/2`,
  'other shard': `score ${SPANS} --out shards/2 --shard 2/2`,
  merge: 'merge shards/1 shards/2 --out runs/merged',
  compare: 'compare runs/a runs/b --force',
  report: 'report runs/a',
  explain: 'explain runs/parquet --case 101',
  audit: 'audit runs/a',
  gate: 'gate runs/a --rules x/gate/passes.yaml',
  waterfall: 'waterfall runs/a',
  agree: 'agree x/agree/claims.csv',
  run: 'run town/experiment.yaml',
  module: 'run custom/module.yaml',
  command: 'run custom/command.yaml',
  dataset: 'dataset list --local',
  stream: 'stream run --traces x/stream/traces --model recorded:x/stream/answers --out stream',
  'a missing file': 'score spans/strict --cases nowhere.jsonl',
  'a path below a file': 'score spans/strict --cases many.jsonl/x',
  'a damaged store': 'dataset list --local --data damaged',
  'a module that ends the process': 'score ending.yaml --cases many.jsonl',
};

/** Run with ASSAY_COMMANDS=all only: much of what they do is in the others too. */
const LONGER = new Set(
  [
    'demo',
    'zstd',
    'shard',
    'other shard',
    'merge',
    'report',
    'audit',
    'waterfall',
    'agree',
    'module',
    'command',
    'stream',
  ].filter(() => process.env['ASSAY_COMMANDS'] !== 'all'),
);

const LIBRARY = `
import { compare, makeCase, makeItem, render, score, type Verdict } from 'assay';
import { bootstrap } from 'assay/stats';

const item = makeItem({ kind: 'span', index: 0, label: 'PERSON', text: 'Ann', start: 0, end: 3 });
const run = await score('pii/strict', [makeCase({ id: 'a', text: 'Ann', gold: [item], predicted: [item] })]);
for await (const line of run.verdicts({ case: 'a' })) console.log(JSON.stringify(line satisfies { verdict: Verdict }));
console.log(run.value('f1'), JSON.stringify(bootstrap([1, 2, 3])));
console.log(await render(await compare(['runs/a', 'runs/b'], { measures: ['f1'], force: true }), 'markdown'));
`;

const REFUSAL = 'install assay in or above the folder of the module, or use Node';

interface Outcome {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Left out: the clock, the machine, databases, and what holds the hash of compressed bytes, which each runtime's
 * compressor makes in its own way.
 */
const NOT_COMPARED =
  /^(?:damaged|node_modules|x)\/|(?:^|\/)timing\.json$|\.db(?:-\w+)?$|^shards\/|^runs\/zstd\/(?:manifest\.json|report\.html)$|^stream\/(?:.*\/)?(?:manifest\.json|report\.(?:md|html))$/;
const NOTES = /(?:^|\/)(?:experiment\.json|log\.jsonl|published\.jsonl|summary\.json)$/;
const TIMES = new Set(['id', 'trace', 'at', 'startedAt', 'endedAt', 'seconds', 'latencyMs', 'latency']);

function withoutTimes(text: string): string {
  return text.replaceAll(/^.*\b(?:Time|Latency)\b.*\d.*$/gm, '');
}

/** What a file of a run holds, apart from what differs from run to run. */
function contentOf(path: string, file: string): string {
  const bytes = readFileSync(file);
  if (file.endsWith('.gz')) return gunzipSync(bytes).toString('latin1');
  if (file.endsWith('.zst')) return zstdDecompressSync(bytes).toString('latin1');
  const text = bytes.toString('latin1');
  if (/\.(?:md|html)$/.test(path))
    return withoutTimes(
      text.replaceAll(/>(H4sI[\w+/=]+)</g, (_, page: string) => gunzipSync(Buffer.from(page, 'base64')).toString()),
    );
  if (!NOTES.test(path)) return text;
  const plain = (json: string): string =>
    JSON.stringify(JSON.parse(json, (key, value: unknown) => (TIMES.has(key) ? undefined : value)));
  return path.endsWith('l') ? text.trim().split('\n').map(plain).sort().join('\n') : plain(text);
}

/** Files by path, each with its rights. */
function filesIn(folder: string): Record<string, string> {
  const paths = globSync('**', { cwd: folder })
    .filter((path) => !NOT_COMPARED.test(path))
    .sort();
  return Object.fromEntries(
    paths
      .map((path) => [path, join(folder, path)] as const)
      .filter(([, file]) => statSync(file).isFile())
      .map(([path, file]) => [path, `${(statSync(file).mode & 0o777).toString(8)}\n${contentOf(path, file)}`]),
  );
}

/** 3,000 cases, whose scoring is shared by threads. */
function manyCases(): string {
  const cases = Array.from({ length: 3000 }, (_, at) => {
    const span = { start: 0, end: 3 + (at % 3), label: at % 2 === 0 ? 'PERSON' : 'PLACE' };
    return {
      id: `case-${at}`,
      text: 'Annabel met Bob.',
      gold: [span],
      predicted: at % 5 === 0 ? [] : [{ ...span, end: 4 }],
    };
  });
  return cases.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function prepare(folder: string, installed: string): void {
  const write = (path: string, text: string | Buffer): void => writeFileSync(join(folder, path), text);
  cpSync(join(installed, 'node_modules/assay/examples'), join(folder, 'x'), { recursive: true });
  symlinkSync(join(installed, 'node_modules'), join(folder, 'node_modules'));
  copyFileSync(join(installed, 'package.json'), join(folder, 'package.json'));
  for (const inner of ['damaged', 'custom']) mkdirSync(join(folder, inner));
  write('many.jsonl', manyCases());
  write('library.mts', LIBRARY);
  write('damaged/store.db', Buffer.alloc(20_000, 'x'));
  write('ending.mjs', 'process.exit(0);\n');
  write('ending.yaml', 'extends: spans/partial\npair: { similarity: ./ending.mjs }\n');
  copyFileSync(join(folder, 'x/experiment/town-notes.jsonl'), join(folder, 'custom/town-notes.jsonl'));
  write('custom/answer.mjs', 'export default () => ({ entities: [], relationships: [] });\n');
  const id = String.raw`$(printf %s "$line" | sed 's/.*"id":"\([^"]*\)".*/\1/')`;
  const answer = String.raw`{\"id\":\"${id}\",\"output\":{\"entities\":[],\"relationships\":[]}}`;
  write('custom/answer.sh', `while read -r line; do echo "${answer}"; done\n`);
  for (const [name, target] of Object.entries({ module: MODULE, command: COMMAND }))
    write(`custom/${name}.yaml`, `name: ${name}\ndataset: town-notes.jsonl\n${target}\nrecipe: graph/openspec\n`);
}

describe.skipIf(process.platform !== 'linux')('the package on Bun, Deno and Node', () => {
  let installed: FreshInstall;
  let runtimes: readonly Runtime[];
  const outcomes = new Map<string, ReadonlyMap<string, Outcome>>();
  const folderOf = (runtime: string): string => join(installed.folder, 'work', runtime);

  const call = ({ name, command: [program, ...flags] }: Runtime, args: readonly string[], stdout?: number): Outcome => {
    const { PATH, HOME } = process.env;
    const done = spawnSync(program, [...flags, ...args], {
      cwd: folderOf(name),
      encoding: 'utf8',
      env: { PATH, HOME, NO_COLOR: '1', DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(installed.folder, 'deno') },
      stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
      timeout: 120_000,
    });
    return { exit: done.status, stdout: withoutTimes(done.stdout ?? ''), stderr: done.stderr };
  };

  beforeAll(() => {
    runtimes = installRuntimes();
    const packed = packedInstall();
    installed = freshInstall(packed.archive, runtimes[0]!.command[0]);
    packed.remove();
    for (const runtime of runtimes) {
      mkdirSync(folderOf(runtime.name), { recursive: true });
      prepare(folderOf(runtime.name), installed.folder);
      const chosen = Object.entries(COMMANDS).filter(([name]) => !LONGER.has(name));
      const all = chosen.map(([name, line]) => [name, call(runtime, [installed.script, ...line.split(' ')])] as const);
      const full = openSync('/dev/full', 'w');
      const others: [string, Outcome][] = [
        ['library', call(runtime, ['library.mts'])],
        ['a full disk', call(runtime, [installed.script, 'presets'], full)],
      ];
      closeSync(full);
      outcomes.set(runtime.name, new Map([...all, ...others]));
    }
  }, 1_800_000);
  afterAll(() => installed.remove());

  it('runs each command on Node 24 without a warning', () => {
    const all = [...outcomes.get('node-24')!];
    expect(all.filter(([, { stderr }]) => /warning/i.test(stderr))).toEqual([]);
    const failed = all.filter(([, { exit }]) => exit !== 0).map(([name, { exit }]) => [name, exit]);
    expect(Object.fromEntries(failed)).toEqual({
      gate: 1,
      'a full disk': 2,
      'a missing file': 2,
      'a path below a file': 2,
      'a damaged store': 2,
      'a module that ends the process': 2,
    });
  });

  for (const name of ['node-22', 'node-26', 'bun', 'deno'])
    it(`ends and writes the same on ${name}, byte for byte`, () => {
      for (const [command, outcome] of outcomes.get('node-24')!)
        expect(outcomes.get(name)!.get(command), command).toEqual(outcome);
      const [expected, written] = [filesIn(folderOf('node-24')), filesIn(folderOf(name))];
      expect(Object.keys(written)).toEqual(Object.keys(expected));
      expect(Object.keys(written).filter((path) => written[path] !== expected[path])).toEqual([]);
    });

  it.each([
    ['node-24', 0, ''],
    ['bun', 2, REFUSAL],
    ['deno', 2, REFUSAL],
  ])('a definition without assay above it ends as documented on %s', (name, exit, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-definition-'));
    cpSync(join(folderOf(name), 'x/custom'), folder, { recursive: true });
    const runtime = runtimes.find((known) => known.name === name)!;
    const files = ['gold', 'predictions'].flatMap((side) => [`--${side}`, join(folder, `${side}.jsonl`)]);
    const outcome = call(runtime, [installed.script, 'score', join(folder, 'recipe.yaml'), ...files]);
    rmSync(folder, { recursive: true });
    expect(outcome).toMatchObject({ exit, stderr: expect.stringContaining(text) as unknown });
  });
});
