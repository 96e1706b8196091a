import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

import { errorCode } from './source.ts';

/** Whether a process of that number runs, of whomever; with `start`, the one that began then. */
export function isAlive(pid: number, start: string | null = null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false;
  }
  const known = statOf(pid);
  return known === null || (!known.ended && (start === null || known.start === start));
}

/** When a process began, to distinguish it from a later one with the same pid; null if unknown. */
export function startOf(pid: number): string | null {
  return statOf(pid)?.start ?? null;
}

/**
 * This process, as files that other machines read name it. Processes with one `machine` can see whether the others live:
 * that is a host, from one boot to the next, and one of its spaces of process ids, since each container has its own.
 * Linux that shows neither, as some sandboxes do, is a machine for each process.
 */
export const PROCESS = processHere();

function processHere() {
  const { pid } = process;
  const start = startOf(pid);
  const host = encodeURIComponent(hostname()) || '-';
  const [boot, space] = [
    textOrNull(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
    textOrNull(() => readlinkSync('/proc/self/ns/pid')),
  ];
  const isKnown = process.platform !== 'linux' || (boot !== null && space !== null);
  return { pid, start, host, machine: isKnown ? [host, boot, space].join('/') : `${host}/${randomUUID()}` };
}

function textOrNull(read: () => string): string | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** From Linux's /proc/PID/stat: fields 3 and 22, behind a name that may hold anything. */
function statOf(pid: number): { readonly ended: boolean; readonly start: string } | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const start = fields[18];
  return start === undefined ? null : { ended: /[ZXx]/.test(state), start };
}
