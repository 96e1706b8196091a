import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { describe, expect, it, vi } from 'vitest';

import { judgeServer, soundAnswer } from '../review/judge/judge-server.ts';
import { judge, reviewFolder, snapshotOf } from '../review/judge/judging.ts';

describe('assay review judge', () => {
  it('loses nothing when it is killed: the same command asks the rest and nothing twice', async () => {
    const folder = reviewFolder();
    // The fourth question hangs, and the process is killed while it waits.
    const server = await judgeServer((call, count) => (count === 4 ? null : soundAnswer(call)));
    const main = join(import.meta.dirname, '../review/judge/judge-main.ts');
    const flags = [
      '--model',
      'openai-compatible/test',
      '--base-url',
      server.url,
      '--data',
      folder,
      '--concurrency',
      '1',
    ];
    const child = spawn(process.execPath, ['--conditions=assay-source', main, 'pilot', '--yes', ...flags], {
      stdio: 'ignore',
    });
    await vi.waitFor(() => expect(server.calls).toHaveLength(4), { timeout: 30_000 });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const before = snapshotOf(folder).judgements;
    expect(new Set(before.map(({ itemId, field }) => `${itemId} ${field}`)).size).toBe(3);

    const { stderr } = await judge(folder, server.url, '--yes');
    expect(stderr).toContain('5 calls to openai-compatible/test');
    expect(stderr).toContain('3 questions answered before');
    expect(server.calls).toHaveLength(9);
    const texts = server.calls.map(({ text }) => text);
    // Only the one that hung was asked twice.
    expect(new Set(texts).size).toBe(8);
    expect(snapshotOf(folder).judgements.slice(0, before.length)).toEqual(before);
  });

  it('gives up where nobody listens, after a few tries', async () => {
    const folder = reviewFolder();
    const { error, next, stdout } = await judge(folder, 'http://127.0.0.1:9/v1', '--yes', '--concurrency', '8');
    expect(error).toContain('no call can succeed');
    expect(next).toBe('check --base-url, and that the server is running; the same command goes on');
    expect(stdout).toBe('');
    expect(snapshotOf(folder).judgements).toEqual([]);
  }, 60_000);

  it('says of a server that fails, or is not there for the one question, what can be done about that', async () => {
    const folder = reviewFolder();
    const server = await judgeServer(() => 500);
    const one = ['--yes', '--field', 'claims', '--max-items', '1'];
    const [failing, gone] = [
      await judge(folder, server.url, ...one),
      await judge(folder, 'http://127.0.0.1:9/v1', ...one),
    ];
    expect(failing.error).toContain('none of 1 question was answered: ');
    expect(failing.next).toBe('the fault is the server’s: run the same command again later');
    expect(gone.error).toContain('none of 1 question was answered: the server cannot be reached');
    expect(gone.next).toBe('check --base-url, and that the server is running; the same command goes on');
  }, 60_000);
});
