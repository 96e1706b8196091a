import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT, temporaryFolder } from '../cli/run-assay.ts';
import { notPrinted, Shell, stepsOf } from './transcript.ts';

function page(name: string): string {
  return readFileSync(join(ROOT, 'docs', name), 'utf8');
}

/** Files that a page shows: a name on a line of its own, then what is in it. */
function filesOf(name: string): (readonly [file: string, content: string])[] {
  return [...page(name).matchAll(/^`([\w.-]+)`:\n\n```\w+\n([\s\S]*?)^```$/gm)].map(
    ([, file, content]) => [file!, content!] as const,
  );
}

it.each(['audit.md', 'figures.md', 'report.md', 'scale.md', 'sweep.md', 'waterfall.md'])(
  'docs/%s shows what the program prints today',
  { timeout: 120_000 },
  (name) => {
    const steps = stepsOf(name);
    expect(steps.length).toBeGreaterThan(1);
    const shell = new Shell(temporaryFolder());
    symlinkSync(join(ROOT, 'examples'), join(shell.folder, 'examples'));
    for (const [file, content] of filesOf(name)) writeFileSync(join(shell.folder, file), content);
    for (const { command, shown } of steps) {
      const printed = shell.run(command);
      expect(notPrinted(shown, printed), `${command}\n\n${printed}`).toBe('');
    }
  },
);
