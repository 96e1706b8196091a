import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { serverKeys } from '../../src/server/langfuse/keys.ts';
import { reviewSecret } from '../../src/review/review-access.ts';
import { openStore } from '../../src/store/store.ts';
import { makeReview } from '../server/review/serving-review.ts';
import { assayHere } from './assay-here.ts';
import { example, temporaryFolder } from './run-assay.ts';

const SECRETS = { serve: 'keys.json', review: 'review-secret' } as const;

/** The commands that write into the data folder; of `serve` the part that makes its keys. */
const COMMANDS = {
  serve: (folder: string) => Promise.resolve(void serverKeys(join(folder, '.assay'))),
  async review(folder: string) {
    const store = openStore(join(folder, '.assay'));
    if (store.reviews.find('pilot') === null) makeReview(store, { people: [{ name: 'Anna' }] });
    store.close();
    expect((await assayHere(['review', 'links', 'pilot'], { cwd: folder })).code).toBe(0);
  },
  async dataset(folder: string) {
    const args = ['dataset', 'import', 'd', example('journal/journals.jsonl'), '--local'];
    expect((await assayHere(args, { cwd: folder })).code).toBe(0);
  },
  async init(folder: string) {
    expect((await assayHere(['init', 'experiment', 'here'], { cwd: folder })).code).toBe(0);
  },
};

function repository(): string {
  const folder = temporaryFolder();
  expect(git(folder, 'init', '-q').status).toBe(0);
  return folder;
}

/** Without the settings of whoever runs the tests. */
function git(folder: string, ...args: readonly string[]) {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  return spawnSync('git', ['-C', folder, ...args], { env, encoding: 'utf8' });
}

/** What `git add .` would commit of the data folder. */
function committed(folder: string): string[] {
  return git(folder, 'ls-files', '--others', '--exclude-standard', '.assay').stdout.split('\n').filter(Boolean);
}

describe('secrets are ignored by git', () => {
  it.each([
    { order: ['serve', 'review'] },
    { order: ['review', 'serve'] },
    { order: ['dataset', 'serve', 'review'] },
    { order: ['init', 'review', 'dataset', 'serve'] },
    { order: ['serve', 'serve', 'review', 'review'] },
  ] as const)('in the order $order', async ({ order }) => {
    const folder = repository();
    for (const name of order) {
      await COMMANDS[name](folder);
      // Neither secrets nor the store with its texts and answers.
      expect(committed(folder)).toEqual([]);
    }
    for (const secret of Object.values(SECRETS)) {
      expect(existsSync(join(folder, '.assay', secret))).toBe(true);
      expect(readFileSync(join(folder, '.assay/.gitignore'), 'utf8')).toBe('*\n');
    }
  });

  it.each([
    ['another line', 'store.db\n'],
    ['no newline at its end', 'store.db'],
    ['lines of Windows', 'store.db\r\n'],
    ['nothing in it', ''],
    ['a name that only begins alike', 'keys.json.bak\nreview-secret-old\n'],
    ['a comment with the name', '# keys.json\n# review-secret\n'],
    ['an exception for it', 'keys.json\nreview-secret\n!keys.json\n!review-secret\n'],
    ['an exception for more', '*\n!*.json\n!review*\n'],
  ])('where a .gitignore is there with %s', async (_, text) => {
    const folder = repository();
    mkdirSync(join(folder, '.assay'));
    writeFileSync(join(folder, '.assay/.gitignore'), text);
    await COMMANDS.serve(folder);
    await COMMANDS.review(folder);
    for (const secret of Object.values(SECRETS)) expect(committed(folder)).not.toContain(`.assay/${secret}`);
    expect(readFileSync(join(folder, '.assay/.gitignore'), 'utf8').startsWith(text)).toBe(true);
  });

  it.each(['keys.json\nreview-secret\n', '*\n', '/keys.json\n/review-secret \n'])(
    'and nothing is added where they are already: %j',
    async (text) => {
      const folder = repository();
      mkdirSync(join(folder, '.assay'));
      writeFileSync(join(folder, '.assay/.gitignore'), text);
      await COMMANDS.serve(folder);
      await COMMANDS.review(folder);
      expect(readFileSync(join(folder, '.assay/.gitignore'), 'utf8')).toBe(text);
    },
  );

  it('also those that were made before, by a release that left them out', () => {
    const folder = repository();
    const data = join(folder, '.assay');
    const keys = serverKeys(data);
    writeFileSync(join(data, '.gitignore'), 'store.db\n');
    expect(committed(folder)).toContain('.assay/keys.json');
    expect(serverKeys(data)).toEqual(keys);
    expect(committed(folder)).not.toContain('.assay/keys.json');
  });
});

it('a .gitignore that git would not read is refused before there is a secret', () => {
  const folder = temporaryFolder();
  appendFileSync(join(folder, 'elsewhere'), '');
  symlinkSync(join(folder, 'elsewhere'), join(folder, '.gitignore'));
  expect(() => serverKeys(folder)).toThrow('.gitignore is not a file, so git would not ignore keys.json');
  expect(() => reviewSecret(folder)).toThrow('.gitignore is not a file, so git would not ignore review-secret');
  expect(existsSync(join(folder, 'keys.json'))).toBe(false);
  expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('');
});
