import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { isFolderLocked, LOCK_FILE, lockFolder, lockFolderPatiently } from '../../src/data/folder-lock.ts';
import { isAlive, startOf } from '../../src/data/is-alive.ts';
import { UsageError } from '../../src/data/problems.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

const isLinux = process.platform === 'linux';

function refusal(folder: string): UsageError {
  try {
    lockFolder(folder, '--out')();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

function leave(folder: string, content: string): string {
  const file = join(folder, LOCK_FILE);
  writeFileSync(file, content);
  return file;
}

describe('lockFolder', () => {
  it('makes the folder, holds it, and gives it back without a trace', () => {
    const folder = join(temporaryFolder(), 'a', 'b');
    const unlock = lockFolder(folder, '--out');
    expect(isFolderLocked(folder)).toBe(true);
    expect(readdirSync(folder)).toEqual([LOCK_FILE]);
    unlock();
    expect(isFolderLocked(folder)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(isLinux)('writes who holds it: the number of the process and when it began', () => {
    const folder = temporaryFolder();
    const unlock = lockFolder(folder, '--out');
    // Field 22; the first two, of which the second may hold blanks, end with a bracket.
    const [, start = ''] = /\) (?:\S+ ){19}(\d+)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    expect(readFileSync(join(folder, LOCK_FILE), 'utf8')).toBe(`${process.pid} ${start}\n`);
    unlock();
  });

  it.runIf(isLinux)('has one holder, also within one process', () => {
    const folder = temporaryFolder();
    const unlock = lockFolder(folder, '--out');
    expect(refusal(folder).message).toContain('is being written to by');
    unlock();
    lockFolder(folder, '--out')();
  });

  it('names the lock file and the process that holds it', () => {
    const folder = temporaryFolder();
    const file = leave(folder, `${process.ppid}`);
    const { message, next } = refusal(folder);
    expect(message).toBe(`${folder} is being written to by another process (${process.ppid}), which holds ${file}`);
    expect(next).toBe(`wait for it, or name another folder; if process ${process.ppid} is not assay, remove ${file}`);
    expect(readFileSync(file, 'utf8')).toBe(`${process.ppid}`);
  });

  it.runIf(isLinux)('takes over from a process whose number another one has now', () => {
    const folder = temporaryFolder();
    const file = leave(folder, `${process.ppid} ${Number(startOf(process.ppid)) - 1}\n`);
    expect(isFolderLocked(folder)).toBe(false);
    const unlock = lockFolder(folder, '--out');
    expect(readFileSync(file, 'utf8')).toContain(`${process.pid} `);
    unlock();
    leave(folder, `${process.ppid} ${startOf(process.ppid) ?? ''}\n`);
    expect(isFolderLocked(folder)).toBe(true);
    expect(refusal(folder).message).toContain(`another process (${process.ppid})`);
  });

  it.each(['999999999', '999999999 5\n', '', 'not a lock', '-1', '0'])('takes over what %j has left', (content) => {
    const folder = temporaryFolder();
    leave(folder, content);
    lockFolder(folder, '--out')();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('takes over from one that was killed while it took over', () => {
    const folder = temporaryFolder();
    leave(folder, '999999999 5\n');
    writeFileSync(join(folder, `${LOCK_FILE}.next`), '999999998 5\n');
    lockFolder(folder, '--out')();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves a dead lock to a process that is about to take it over', () => {
    const folder = temporaryFolder();
    leave(folder, '999999999 5\n');
    writeFileSync(join(folder, `${LOCK_FILE}.next`), `${process.ppid}`);
    expect(refusal(folder).message).toContain(`another process (${process.ppid})`);
  });

  it('does not give back what is no longer its own', () => {
    const folder = temporaryFolder();
    const unlock = lockFolder(folder, '--out');
    const file = leave(folder, `${process.ppid}`);
    unlock();
    expect(existsSync(file)).toBe(true);
  });

  it.runIf(isLinux)('does not wait for a pipe, and follows no link', () => {
    for (const make of [
      (file: string) => void execFileSync('mkfifo', [file]),
      (file: string) => symlinkSync('/dev/zero', file),
      (file: string) => mkdirSync(file),
    ]) {
      const folder = temporaryFolder();
      const file = join(folder, LOCK_FILE);
      make(file);
      expect(isFolderLocked(folder)).toBe(false);
      expect(refusal(folder).message).toContain(file);
    }
  });

  it('waits a little for a process that was killed a moment ago', async () => {
    const folder = temporaryFolder();
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    onTestFinished(() => void child.kill('SIGKILL'));
    leave(folder, `${child.pid!} ${startOf(child.pid!) ?? ''}`.trim());
    expect(isFolderLocked(folder)).toBe(true);
    child.kill('SIGKILL');
    const unlock = await lockFolderPatiently(folder, '--out');
    unlock();
  });
});

it.runIf(isLinux)('a process that has ended is not alive, though nobody has asked for its exit code', async () => {
  // The shell becomes a process that never asks, which its child waits for before it ends.
  const child = 'until grep -q sleep /proc/$PPID/comm; do :; done';
  const script = `sh -c '${child}' & echo $!; exec sleep 600`;
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [said] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(said.toString());
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(existsSync(`/proc/${pid}/stat`)).toBe(true);
});
