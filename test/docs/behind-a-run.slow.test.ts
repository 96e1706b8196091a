import { symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT, temporaryFolder } from '../cli/run-assay.ts';
import { pageProblems, Shell } from './transcript.ts';

it.each(['audit.md', 'figures.md', 'report.md', 'scale.md', 'sweep.md', 'waterfall.md'])(
  'docs/%s shows what the program prints today',
  { timeout: 120_000 },
  (name) => {
    const shell = new Shell(temporaryFolder());
    symlinkSync(join(ROOT, 'examples'), join(shell.folder, 'examples'));
    expect(pageProblems(name, shell)).toEqual([]);
  },
);
