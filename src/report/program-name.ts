import { basename, relative } from 'node:path';

import { shellWord } from './shell-word.ts';

/** Installed in a project, where `assay` alone is not found. */
const IN_PROJECT = /[\\/]node_modules[\\/](?:\.bin[\\/]assay|assay[\\/]bin[\\/]assay\.js)$/;

/** What you type to start this program: `assay`, `npx assay` if a project has it, the script in a checkout. */
export function programName(script: string | undefined = process.argv[1], folder: string = process.cwd()): string {
  if (script !== undefined && IN_PROJECT.test(script)) return 'npx assay';
  if (script === undefined || basename(script) !== 'assay.js') return 'assay';
  return `node ${shellWord(relative(folder, script))}`;
}
