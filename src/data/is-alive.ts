import { readFileSync } from 'node:fs';

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
