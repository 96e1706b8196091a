import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { badPath, KINDS } from './bad-paths.ts';
import { BIN, example, PII, ROOT } from './run-assay.ts';

/** Every place on the command line where a path goes, as `@`. */
const CALLS: readonly string[] = [
  'agree @',
  'agree ratings.csv --out @',
  'audit @',
  'audit run --train @',
  'audit run --gate @',
  'audit run --cases @',
  'audit run --out @',
  'compare @ run',
  'compare run @',
  'compare run other --out @',
  'compare run other --markdown @',
  'compare run other --html @',
  'compare run other --html page.html --cases @',
  'demo --out @',
  'explain @',
  'explain run --cases @',
  'gate @',
  'gate run --rules @',
  'gate run --baseline @ --rules margin.yaml',
  'gate run --out @',
  'gate run --junit @',
  'gate run --markdown @',
  'init pii @',
  'init consult @',
  'init stream @',
  'init experiment @',
  'repeats @ run',
  'repeats run other --out @',
  'repeats run other --markdown @',
  'report @',
  'report run --out @',
  'report run --out page.html --cases @',
  'report run --out page.html --baseline @',
  'report run --format html --out @',
  'score @ --cases docs.json',
  'score pii/strict --cases @',
  'score pii/strict --gold @ --predictions @',
  'score pii/strict --cases docs.json --out @',
  'score pii/strict --cases docs.json --out new --baseline @',
  'score pii/strict --run @',
  'score consult/ayurmind --cases cases.csv --predictions guided.jsonl --reviews @',
  'score consult/ayurmind --cases cases.csv --predictions guided.jsonl --review r --data @',
  'sweep @ --over pair.span.min=0.5,0.6',
  'sweep pii/strict --cases docs.json --over data.offsets=codepoint,utf16 --out @',
  'waterfall @',
  'waterfall pii/piranha --cases docs.json --out @',
  'run @ --dry-run',
  'run --dataset @ --answers answers.jsonl --recipe none',
  'run --dataset items.jsonl --answers @ --recipe none --data store',
  'run --dataset items.jsonl --answers answers.jsonl --recipe none --out @ --data store',
  'run --dataset items.jsonl --answers answers.jsonl --recipe @ --data store',
  'run --dataset items.jsonl --answers answers.jsonl --recipe none --gate @ --data store',
  'run --dataset items.jsonl --answers answers.jsonl --recipe none --data @',
  'dataset import d @ --data store',
  'dataset import d items.jsonl --gold @ --data store',
  'dataset import d items.jsonl --data @',
  'dataset list --data @',
  'dataset validate @ --data store',
  'dataset validate items.jsonl --input-schema @ --data store',
  'dataset create d --input-schema @ --data store',
  'prompt create p @ --data store',
  'prompt list --data @',
  'serve --port 0 --data @',
  'review create r --recipe @ --cases docs.json --data store',
  'review create r --recipe pii/review --cases @ --data store',
  'review create r --recipe pii/review --run @ --data store',
  'review list --data @',
  'review serve --data @ --port 0',
  'review export r --out @ --data store',
  'review import r @ --data store',
  'review backup --out @ --data store',
  'stream freeze @',
  'stream validate @',
  'stream validate traces --manifest @',
  'stream stoplist --traces @ --out new',
  'stream stoplist --traces traces --out @',
  'stream index --kb @ --out new',
  'stream concepts --stoplists @ hello',
  'stream concepts --file @',
  'stream replay --traces @ --out new --model heuristic',
  'stream replay --traces traces --out @ --model heuristic',
  'stream replay --traces traces --config @ --out new --model heuristic',
  'stream measure --runs @ --traces traces --out new',
  'stream measure --runs traces --traces @ --out new',
  'stream figures @ --out new',
  'stream calibrate --traces @ --out new',
  'stream calibrate --traces traces --out @',
];

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-paths-'));
  for (const [from, to] of [
    ['pii/docs.json', 'docs.json'],
    ['consult/cases.csv', 'cases.csv'],
    ['consult/guided.jsonl', 'guided.jsonl'],
    ['stream/traces', 'traces'],
  ] as const)
    cpSync(example(from), join(folder, to), { recursive: true, force: true });
  writeFileSync(join(folder, 'gate.yaml'), 'rules: [{ measure: f1, atLeast: 0.1 }]\n');
  writeFileSync(join(folder, 'margin.yaml'), 'rules: [{ measure: f1, notWorseThan: { margin: 0.1 } }]\n');
  writeFileSync(join(folder, 'ratings.csv'), 'item,a,b\n1,x,x\n2,x,y\n3,y,y\n');
  writeFileSync(join(folder, 'items.jsonl'), '{"id":"1","input":"a","expectedOutput":"b"}\n');
  writeFileSync(join(folder, 'answers.jsonl'), '{"id":"1","output":"b"}\n');
  for (const name of ['run', 'other']) {
    const score = [...PII, '--set', 'interval=off', '--out', join(folder, name), '--quiet'];
    const { code, stderr } = await assayHere(score, { cwd: ROOT });
    if (code !== 0) throw new Error(stderr);
  }
  return () => rmSync(folder, { recursive: true, force: true });
});

describe('a path that the system refuses is the user’s problem, never a bug of ours', () => {
  it.each(CALLS)('assay %s', async (call) => {
    for (const kind of KINDS) {
      const path = badPath(folder, kind);
      // A folder may be what is asked for, and a server that has one goes on.
      if (kind === 'EISDIR' && / --data @/.test(call)) continue;
      const args = call.split(' ').map((word) => (word === '@' ? path : word));
      const { code, stdout, stderr } = await assayHere(args, { cwd: folder });
      expect([0, 1, 2, 3], `${call}: ${kind}: exit ${String(code)}\n${stdout}${stderr}`).toContain(code);
      expect(stderr, `${call}: ${kind}`).not.toMatch(/a bug of ours|\u001b/);
      for (const made of ['new', 'page.html', 'store']) rmSync(join(folder, made), { recursive: true, force: true });
    }
  });
});

it.runIf(process.platform === 'linux')('too many open files are no bug of ours, however few the system allows', () => {
  const args = [process.execPath, BIN, 'score', 'pii/strict', '--cases', example('pii/docs.json'), '--quiet'];
  for (let most = 22; most < 27; most += 1) {
    const out = join(folder, `files-${most}`);
    const script = ['-c', `ulimit -n ${most} && exec "$0" "$@"`, ...args, '--out', out];
    const { status, stderr } = spawnSync('sh', script, { encoding: 'utf8' });
    // With fewer, Node itself does not begin, in words and ways of its own.
    if (!/assay: /.test(stderr)) continue;
    expect(status, `${most}: ${stderr}`).toBe(2);
  }
});
