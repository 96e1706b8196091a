import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { isFolderLocked, LOCK_FILE, LOCK_TIMES, lockFolder } from '../../src/data/folder-lock.ts';
import { isAlive, PROCESS, startOf } from '../../src/data/is-alive.ts';
import { UsageError } from '../../src/data/problems.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

const isLinux = process.platform === 'linux';

async function refusal(folder: string, onWait?: (text: string) => void): Promise<UsageError> {
  try {
    (await lockFolder(folder, '--out', onWait)).release();
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

const SINCE = '2026-11-19T18:00:00.000Z';
let renewals = 0;

/** The lock of another process, as it was renewed last. */
function lockOf(pid: number, start: string | null, machine = PROCESS.machine): string {
  renewals += 1;
  const renewed = new Date(1_700_000_000_000 + renewals).toISOString();
  return `${pid} ${start ?? '-'} ${machine} ${machine.split('/')[0] ?? '-'} 0123456789abcdef ${SINCE} ${renewed}\n`;
}

const dead = (): string => lockOf(999_999_999, '5');
const parent = (): string => lockOf(process.ppid, startOf(process.ppid));
/** A process in another container: same host name, same boot, and a number that somebody has here too. */
const elsewhere = (): string => lockOf(process.pid, startOf(process.pid), `${PROCESS.host}/boot/pid:[1]`);

/** Nothing was killed a moment ago. */
beforeEach(() => withTimes({ patience: 50 }));

function withTimes(times: Partial<typeof LOCK_TIMES>): void {
  const before = { ...LOCK_TIMES };
  Object.assign(LOCK_TIMES, times);
  onTestFinished(() => void Object.assign(LOCK_TIMES, before));
}

describe('lockFolder', () => {
  it('makes the folder, holds it, and gives it back without a trace', async () => {
    const folder = join(temporaryFolder(), 'a', 'b');
    const lock = await lockFolder(folder, '--out');
    lock.check();
    expect(isFolderLocked(folder)).toBe(true);
    expect(readdirSync(folder)).toEqual([LOCK_FILE]);
    lock.release();
    expect(isFolderLocked(folder)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.runIf(isLinux)('writes who holds it: process, start, machine, host, a token, and two times', async () => {
    const folder = temporaryFolder();
    const lock = await lockFolder(folder, '--out');
    // Field 22; the first two, of which the second may hold blanks, end with a bracket.
    const [, start = ''] = /\) (?:\S+ ){19}(\d+)/.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const fields = readFileSync(join(folder, LOCK_FILE), 'latin1').trim().split(' ');
    const host = encodeURIComponent(hostname());
    const space = readlinkSync('/proc/self/ns/pid');
    expect(fields.slice(0, 4)).toEqual([String(process.pid), start, `${host}/${boot}/${space}`, host]);
    expect(fields.slice(4)).toEqual([
      expect.stringMatching(/^[0-9a-f]{16}$/),
      ...[0, 1].map(() => expect.stringMatching(/^20.*Z$/) as unknown),
    ]);
    lock.release();
  });

  it.runIf(isLinux)('has one holder, also within one process', async () => {
    const folder = temporaryFolder();
    const lock = await lockFolder(folder, '--out');
    expect((await refusal(folder)).message).toContain('is being written to by this process');
    lock.release();
    (await lockFolder(folder, '--out')).release();
  });

  it('names the lock file, the process that holds it and since when', async () => {
    const folder = temporaryFolder();
    const text = parent();
    const file = leave(folder, text);
    const { message, next } = await refusal(folder);
    expect(message).toBe(
      `${folder} is being written to by another process (${process.ppid}) since ${SINCE}, which holds ${file}`,
    );
    expect(next).toBe(`wait for it, or name another folder; if process ${process.ppid} is not assay, remove ${file}`);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('honours the lock of a process of an earlier version', async () => {
    const folder = temporaryFolder();
    leave(folder, String(process.ppid));
    expect((await refusal(folder)).message).toContain(`by another process (${process.ppid}), which holds`);
  });

  it.runIf(isLinux)('takes over from a process whose number another one has now', async () => {
    const folder = temporaryFolder();
    const file = leave(folder, lockOf(process.ppid, String(Number(startOf(process.ppid)) - 1)));
    expect(isFolderLocked(folder)).toBe(false);
    const lock = await lockFolder(folder, '--out');
    expect(readFileSync(file, 'utf8')).toContain(`${process.pid} `);
    lock.release();
    leave(folder, parent());
    expect(isFolderLocked(folder)).toBe(true);
  });

  it.each([dead(), '999999999', '999999999 5\n', '0'])(
    'takes over what a dead process here has left: %j',
    async (text) => {
      const folder = temporaryFolder();
      leave(folder, text);
      (await lockFolder(folder, '--out')).release();
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it('takes over from one that was killed while it took over', async () => {
    const folder = temporaryFolder();
    leave(folder, dead());
    writeFileSync(join(folder, `${LOCK_FILE}.next`), dead());
    (await lockFolder(folder, '--out')).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves a dead lock to a process that is about to take it over', async () => {
    const folder = temporaryFolder();
    leave(folder, dead());
    writeFileSync(join(folder, `${LOCK_FILE}.next`), parent());
    expect((await refusal(folder)).message).toContain(`another process (${process.ppid})`);
  });

  it('does not give back what is no longer its own', async () => {
    const folder = temporaryFolder();
    const lock = await lockFolder(folder, '--out');
    const file = leave(folder, parent());
    lock.release();
    expect(existsSync(file)).toBe(true);
  });

  it.runIf(isLinux)('does not wait for a pipe, and follows no link', async () => {
    for (const make of [
      (file: string) => void execFileSync('mkfifo', [file]),
      (file: string) => symlinkSync('/dev/zero', file),
      (file: string) => mkdirSync(file),
    ]) {
      const folder = temporaryFolder();
      const file = join(folder, LOCK_FILE);
      make(file);
      expect(isFolderLocked(folder)).toBe(false);
      expect((await refusal(folder)).message).toContain(file);
    }
  });

  it('waits a little for a process that was killed a moment ago', async () => {
    const folder = temporaryFolder();
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    onTestFinished(() => void child.kill('SIGKILL'));
    leave(folder, lockOf(child.pid!, startOf(child.pid!)));
    expect(isFolderLocked(folder)).toBe(true);
    child.kill('SIGKILL');
    (await lockFolder(folder, '--out')).release();
  });
});

describe('a folder that other machines reach', () => {
  it('is refused while a process of another container renews its lock, whoever has its number here', async () => {
    const folder = temporaryFolder();
    leave(folder, elsewhere());
    const waits: string[] = [];
    setTimeout(() => leave(folder, elsewhere()), 300);
    const { message, next } = await refusal(folder, (text) => waits.push(text));
    expect(message).toContain(`is being written to by process ${process.pid} on ${PROCESS.host} since ${SINCE}`);
    expect(next).toContain('wait for it, or name another folder');
    expect(waits).toEqual([`${message}; waiting up to 30 s for a renewal of its lock`]);
    expect(isFolderLocked(folder)).toBe(true);
  });

  it.each([elsewhere(), '', 'not a lock'])('is taken over once %j was not renewed', async (text) => {
    withTimes({ stale: 500 });
    const folder = temporaryFolder();
    leave(folder, text);
    const began = performance.now();
    const lock = await lockFolder(folder, '--out');
    expect(performance.now() - began).toBeGreaterThan(490);
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is held by a lock that is renewed, into the one file that was made', async () => {
    withTimes({ renew: 20 });
    const folder = temporaryFolder();
    const lock = await lockFolder(folder, '--out');
    const first = readFileSync(join(folder, LOCK_FILE), 'utf8');
    await expect.poll(() => readFileSync(join(folder, LOCK_FILE), 'utf8')).not.toBe(first);
    expect(readdirSync(folder)).toEqual([LOCK_FILE]);
    lock.release();
  });

  it('is lost to a process that took it over while this one stood still: the next check throws, nothing is overwritten', async () => {
    const folder = temporaryFolder();
    const lock = await lockFolder(folder, '--out');
    const text = elsewhere();
    rmSync(join(folder, LOCK_FILE));
    leave(folder, text);
    // A lid that was closed for a minute: only the clock of the wall went on.
    using clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    expect(() => lock.check()).toThrow(
      `${folder} is no longer held by this process: process ${process.pid} on ${PROCESS.host} since ${SINCE} has taken it over`,
    );
    clock.mockRestore();
    expect(() => lock.check()).toThrow('is no longer held');
    lock.release();
    expect(readFileSync(join(folder, LOCK_FILE), 'utf8')).toBe(text);
  });

  it('stays held after a sleep if nobody took it over, and is lost with its lock file', async () => {
    const folder = temporaryFolder();
    const lock = await lockFolder(folder, '--out');
    using clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    lock.check();
    rmSync(join(folder, LOCK_FILE));
    clock.mockReturnValue(Date.now() + 60_000);
    expect(() => lock.check()).toThrow('its lock was removed while this one stood still');
    lock.release();
  });
});

it.runIf(isLinux)('a process that has ended is not alive, though nobody has asked for its exit code', async () => {
  // The shell becomes a process that never asks, which its child waits for before it ends.
  const child = 'until grep -q sleep /proc/$PPID/comm; do :; done';
  const script = `sh -c '${child}' & echo $!; exec sleep 600`;
  const shell = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void shell.kill('SIGKILL'));
  const [said] = (await once(shell.stdout, 'data')) as [Buffer];
  const pid = Number(said.toString());
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(existsSync(`/proc/${pid}/stat`)).toBe(true);
});
