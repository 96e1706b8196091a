import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { openQueueServer, parseQueueUrl } from '../../../src/experiment/queue/connection.ts';
import { parseJob, pathFromRoot, pathUnderRoot } from '../../../src/experiment/queue/jobs.ts';
import { turnstile } from '../../../src/experiment/queue/worker.ts';

const JOB = {
  format: 1,
  kind: 'experiment',
  folder: 'runs/a',
  run: 'r',
  session: 's',
  tasks: [[0, 1]],
  again: false,
  alone: false,
};

function rootFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'assay-root-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'shared/runs/a'), { recursive: true });
  mkdirSync(join(root, 'other'));
  return root;
}

test('a job is what it says, and nothing else is taken from a queue', () => {
  expect(parseJob(JOB)).toEqual(JOB);
  const bad = [
    { ...JOB, command: 'rm -rf /' },
    { ...JOB, tasks: [] },
    { ...JOB, tasks: [[-1, 1]] },
    { ...JOB, tasks: [[0.5, 1]] },
    { ...JOB, tasks: [['0', 1]] },
    { ...JOB, format: 2 },
    { ...JOB, folder: '' },
    null,
    'job',
  ];
  for (const data of bad) expect(parseJob(data)).toBeNull();
});

test('a path means the same folder wherever the shared folder is mounted', () => {
  const root = rootFolder();
  expect(pathFromRoot(join(root, 'shared'), join(root, 'shared/runs/a'))).toBe('runs/a');
  expect(pathUnderRoot(join(root, 'shared'), 'runs/a')).toBe(pathUnderRoot(root, 'shared/runs/a'));
  expect(() => pathFromRoot(join(root, 'shared'), join(root, 'other'))).toThrow('outside');
});

test('a job cannot name a folder outside the root, also not by a link', () => {
  const root = rootFolder();
  symlinkSync(join(root, 'other'), join(root, 'shared/link'));
  const shared = join(root, 'shared');
  for (const path of ['../other', 'runs/../../other', join(root, 'other'), 'a\0b', 'link'])
    expect(() => pathUnderRoot(shared, path)).toThrow(/outside/);
  expect(() => pathUnderRoot(shared, 'runs/none')).toThrow('does not exist');
});

test('addresses of queues are shown without user and password', () => {
  expect(parseQueueUrl('redis://:secret@host:6380/2')).toEqual({ kind: 'redis', place: 'redis://host:6380/2' });
  expect(parseQueueUrl('postgresql://me:secret@db/assay?sslmode=require')).toEqual({
    kind: 'postgres',
    place: 'postgresql://db/assay',
  });
  expect(() => parseQueueUrl('http://host')).toThrow(
    '--queue or ASSAY_QUEUE: expected an address that begins with redis:// or postgres://, found "http://"',
  );
  for (const url of ['host:6379', 'http://secret@host', 'secret']) expect(() => parseQueueUrl(url)).toThrow('--queue');
  for (const url of ['http://:secret@host', 'secret'])
    expect(() => parseQueueUrl(url)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret') }),
    );
});

test.each(['redis://:secret@127.0.0.1:1', 'postgres://me:secret@127.0.0.1:1/assay'])(
  'a queue that cannot be reached is reported within seconds, without its password: %s',
  async (url) => {
    const error: unknown = await openQueueServer(url).catch((problem: unknown) => problem);
    expect(error).toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/cannot reach the queue .*ECONNREFUSED/),
    });
    expect(String(error)).not.toContain('secret');
  },
);

test('tasks go side by side; one that wants to be alone waits for them, and the next ones for it', async () => {
  const { beside, alone } = turnstile();
  const log: string[] = [];
  const task = (name: string, ms: number) => async (): Promise<void> => {
    log.push(`${name} begins`);
    await new Promise((resume) => setTimeout(resume, ms));
    log.push(`${name} ends`);
  };
  await Promise.all([
    beside(task('a', 20)),
    beside(task('b', 30)),
    // Later, so that it finds them inside.
    new Promise((resume) => setTimeout(resume, 5)).then(() => alone(task('c', 10))),
    new Promise((resume) => setTimeout(resume, 10)).then(() => beside(task('d', 5))),
  ]);
  expect(log).toEqual(['a begins', 'b begins', 'a ends', 'b ends', 'c begins', 'c ends', 'd begins', 'd ends']);
});
