import { basename, relative } from 'node:path';

import { shellWord } from './shell-word.ts';

/** What a person types to start this program: `assay` where it is installed, the script in a checkout. */
export function programName(script: string | undefined = process.argv[1], folder: string = process.cwd()): string {
  if (script === undefined || basename(script) !== 'assay.js') return 'assay';
  return `node ${shellWord(relative(folder, script))}`;
}
