import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { assay, ROOT, temporaryFolder } from '../cli/run-assay.ts';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The code block that begins with a line. */
function block(start: string): string {
  const found = readme.split('```').find((part) => part.startsWith(`\n${start}`));
  return found?.trim() ?? '';
}

it('the README shows what the program prints today', () => {
  const out = temporaryFolder();
  const demo = assay(['demo', '--out', out]).stdout;
  const summary = block('pii/piranha  5 cases');
  expect(summary.split('\n').length).toBeGreaterThan(20);
  expect(demo).toContain(summary);
  const [command, ...shown] = block('$ assay explain').split('\n');
  expect(command).toBe('$ assay explain runs/demo/journal --case D02');
  expect(assay(['explain', join(out, 'journal'), '--case', 'D02']).stdout.trimEnd()).toBe(shown.join('\n'));
});

it('the README names commands and files that exist', () => {
  for (const [, path] of readme.matchAll(/\]\(([^)#]+)\)/g))
    expect(() => readFileSync(join(ROOT, path ?? ''))).not.toThrow(/ENOENT/);
  for (const [, preset] of readme.matchAll(/assay score ((?:journal|pii|graph)\/[a-z-]+)/g)) {
    expect(assay(['score', preset ?? '']).stderr).toContain('no case file and no gold file');
  }
});
