import { errorCode } from './source.ts';

/** Whether a process of that number runs, of whomever. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
