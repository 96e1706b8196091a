import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { BIN, temporaryFolder, words } from './run-assay.ts';

const CASE = '{"id":"a","text":"Ann","gold":[],"predicted":[]}\n';
const EXPERIMENT = 'name: x\ndataset: c.jsonl\ntarget:\n  use: module\n  module: ./m.mjs\n';

/** A folder with a case file and one other. */
function folderWith(name: string, content: string | Uint8Array): string {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'c.jsonl'), CASE);
  writeFileSync(join(cwd, name), content);
  return cwd;
}

async function refusal(line: string, cwd: string): Promise<string> {
  const { code, stderr } = await assayHere(line.split(' '), { cwd });
  expect(code, stderr).toBe(2);
  return stderr.replaceAll(`${cwd}/`, '');
}

describe('a file that cannot be used is named, with what is wrong with it', () => {
  it.each([
    ['UTF-16', Buffer.from('\ufefftask: spans\n', 'utf16le'), 'r.yaml:1: the file is UTF-16, expected UTF-8 text'],
    ['Latin-1', Buffer.from('task: spans\nabout: café\n', 'latin1'), 'r.yaml:2: the bytes are not UTF-8'],
    [
      'several documents',
      'task: spans\n---\ntask: pii\n',
      'r.yaml:2: a second document begins here (---), expected one (put each into its own file)',
    ],
  ])('a recipe of %s', async (_, content, message) => {
    expect(await refusal('score r.yaml --cases c.jsonl', folderWith('r.yaml', content))).toContain(message);
  });

  it('an experiment with an impossible time or key', async () => {
    const time = folderWith('e.yaml', `${EXPERIMENT}budget:\n  time: 2 fortnights\n`);
    expect(await refusal('run e.yaml --dry-run', time)).toMatch(
      /^e\.yaml:7: budget\.time: "2 fortnights" is no duration/,
    );
    const key = folderWith('e.yaml', `${EXPERIMENT}  __proto__: { a: 1 }\n`);
    expect(await refusal('run e.yaml --dry-run', key)).toContain(
      'e.yaml:6: target.__proto__: no setting can be called so',
    );
  });

  it('a store whose file was emptied, not one that is being made', async () => {
    const cwd = folderWith('other.txt', '');
    const file = join(cwd, '.assay/store.db');
    mkdirSync(join(cwd, '.assay'));
    writeFileSync(file, '');
    utimesSync(file, 0, 0);
    const message =
      'assay: .assay/store.db is empty: what was in it is gone\nrestore it from a backup; to begin a new store, delete the file\n';
    expect(await refusal('dataset list', cwd)).toBe(message);
    expect(statSync(file).size).toBe(0);
    utimesSync(file, new Date(), new Date());
    expect((await assayHere(['dataset', 'list'], { cwd })).code).toBe(0);
  });
});

it('validate and score without files run no module of a recipe', async () => {
  const cwd = folderWith('r.yaml', 'extends: spans/strict\nmodules: [./m.mjs]\n');
  writeFileSync(join(cwd, 'm.mjs'), 'throw new Error("the module ran");\n');
  for (const command of ['validate', 'score'])
    expect(await refusal(`${command} r.yaml`, cwd)).toMatch(/^assay: nothing to score: no case file and no gold file/);
});

it('init prints no escape code of a folder’s name', async () => {
  const { code, stdout } = await assayHere(['init', 'spans', 'a\u001b[31mred'], { cwd: temporaryFolder() });
  expect(code).toBe(0);
  expect(stdout).toContain('a␛[31mred/recipe.yaml');
  expect(stdout).not.toContain('\u001b');
});

describe.skipIf(process.platform === 'win32')('with 24 to 40 file descriptors', () => {
  it.each([
    'score spans/strict --cases c.jsonl --out run',
    'validate c.jsonl',
    'convert c.jsonl out.jsonl',
    'report run',
    'run e.yaml --dry-run',
  ])('assay %s ends with exit code 2 and what to do', (line) => {
    const cwd = folderWith('e.yaml', EXPERIMENT);
    for (const limit of [24, 28, 40]) {
      const call = ['-c', `ulimit -n ${limit} && exec "$0" "$@"`, process.execPath, BIN, ...words`${line.split(' ')}`];
      const { status, stderr } = spawnSync('bash', call, { cwd, encoding: 'utf8' });
      expect([status, stderr]).toEqual([
        2,
        'assay: too few files may be open at once\nraise the limit: ulimit -n 256\n',
      ]);
    }
  });
});
