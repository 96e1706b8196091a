import { existsSync, statSync } from 'node:fs';

import { presetNames } from '../recipe/presets.ts';

/** Whether a folder was named in place of a recipe. A preset goes before a folder of the same name. */
export function isRunFolder(given: string): boolean {
  return !presetNames().includes(given) && existsSync(given) && statSync(given).isDirectory();
}
