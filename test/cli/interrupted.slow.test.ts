import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { writeCorpus } from '../../bench/corpus.ts';
import { describe, expect, it } from 'vitest';

import { unfinishedNotice } from '../../src/experiment/datasets/import-items.ts';
import { openStore } from '../../src/store/store.ts';
import { BIN, PII, assay, startAssay, temporaryFolder } from './run-assay.ts';

/** Starts scoring a corpus large enough to be caught in the middle, and waits until it has begun to write. */
async function startedRun(folder: string): Promise<ReturnType<typeof startAssay>> {
  const corpus = join(folder, 'corpus.jsonl');
  writeCorpus(corpus, 20_000);
  const child = startAssay(['score', 'pii/every-scheme', '--cases', corpus, '--out', join(folder, 'run')]);
  const deadline = Date.now() + 120_000;
  while (!readdirSync(folder).some((name) => name.includes('.partial-'))) {
    if (Date.now() > deadline) throw new Error('the run did not start');
    await pause(20);
  }
  return child;
}

async function ended(child: ReturnType<typeof startAssay>): Promise<number | null> {
  return new Promise((resolve) => child.on('exit', (code) => resolve(code)));
}

describe('a run that is cut short', () => {
  it('by Ctrl-C leaves nothing behind', async () => {
    const folder = temporaryFolder();
    const child = await startedRun(folder);
    const end = ended(child);
    child.kill('SIGINT');
    expect(await end).toBe(130);
    expect(readdirSync(folder)).toEqual(['corpus.jsonl']);
  });

  it('by kill -9 leaves no folder that looks complete, and the next run clears the rest away', async () => {
    const folder = temporaryFolder();
    const child = await startedRun(folder);
    const end = ended(child);
    child.kill('SIGKILL');
    await end;
    expect(readdirSync(folder).filter((name) => !name.includes('.partial-'))).toEqual(['corpus.jsonl']);
    expect(assay([...PII, '--out', join(folder, 'run')]).code).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(['corpus.jsonl', 'run']);
  });

  it('by a file-size limit says so and leaves nothing behind', () => {
    const folder = temporaryFolder();
    const corpus = join(folder, 'corpus.jsonl');
    writeCorpus(corpus, 500);
    const command = `ulimit -f 64; exec "${process.execPath}" "${BIN}" score pii/strict --cases "${corpus}" --out "${join(folder, 'run')}"`;
    const done = spawnSync('bash', ['-c', command], {
      encoding: 'utf8',
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' },
    });
    expect(done.status).toBe(2);
    expect(done.stderr).toContain('cannot write the run folder');
    expect(readdirSync(folder)).toEqual(['corpus.jsonl']);
  });

  it('by a full disk says so and leaves nothing behind', ({ skip }) => {
    const folder = temporaryFolder();
    const corpus = join(folder, 'corpus.jsonl');
    const disk = join(folder, 'disk');
    writeCorpus(corpus, 500);
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      skip('mounting a small disk needs root; the file-size limit above goes the same way');
    }
    try {
      const done = assay(['score', 'pii/strict', '--cases', corpus, '--out', join(disk, 'run')]);
      expect(done.code).toBe(2);
      expect(done.stderr).toContain('the disk is full');
      expect(readdirSync(disk)).toEqual([]);
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  it('by a folder that cannot be written says so', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    const done = assay([...PII, '--out', join(folder, 'file', 'run')]);
    expect(done.code).toBe(2);
    expect(done.stderr).toContain('--out');
  });
});

it('an import that is killed is listed as incomplete, and repeating it completes it', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  const file = join(folder, 'items.jsonl');
  const items = Array.from({ length: 40_000 }, (_, at) => `${JSON.stringify({ id: `i${at}`, input: { at } })}\n`);
  writeFileSync(file, items.join(''));
  const place = ['--data', data];
  const child = startAssay(['dataset', 'import', 'eval', file, ...place]);
  const end = ended(child);
  // As soon as the dataset is there, which is before its items are.
  const isMarked = (): boolean => {
    if (!existsSync(join(data, 'store.db'))) return false;
    const store = openStore(data);
    try {
      const dataset = store.datasets.get('eval');
      return dataset !== null && unfinishedNotice(dataset) !== null;
    } finally {
      store.close();
    }
  };
  while (child.exitCode === null && !isMarked()) await pause(5);
  child.kill('SIGKILL');
  await end;

  const said = 'eval is incomplete: an import of 40,000 items is under way or was interrupted';
  expect(assay(['dataset', 'list', ...place]).stdout.replaceAll(/\s+/g, ' ')).toContain(said);
  expect(assay(['dataset', 'show', 'eval', ...place]).stdout.replaceAll(/\s+/g, ' ')).toContain(said);
  expect(assay(['dataset', 'import', 'eval', file, ...place])).toMatchObject({ code: 0 });
  expect(assay(['dataset', 'list', ...place]).stdout).not.toContain('incomplete');
  expect(assay(['dataset', 'show', 'eval', ...place]).stdout).toContain('40,000, 0 with an expected output');
});
