import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { isAlive } from './is-alive.ts';

/** Clears away what processes that are gone left half-written beside a file or folder (`NAME.partial-PID`). */
export function removeDeadPartials(place: string): void {
  const prefix = `${basename(place)}.partial-`;
  for (const name of readdirSync(dirname(place))) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number(name.slice(prefix.length));
    if (Number.isInteger(pid) && pid !== process.pid && !isAlive(pid))
      rmSync(join(dirname(place), name), { recursive: true, force: true });
  }
}
