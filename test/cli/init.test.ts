import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assay, temporaryFolder } from './run-assay.ts';

describe('assay init', () => {
  it.each(['journal', 'pii', 'graph'])('makes a %s folder whose printed command works', (task) => {
    const cwd = temporaryFolder();
    const made = assay(['init', task, 'mine'], { cwd });
    expect(made.code).toBe(0);
    const command = /^ {2}node \S+ (score .+)$/m.exec(made.stdout)?.[1] ?? '';
    expect(assay(command.split(' '), { cwd }).code).toBe(0);
    expect(readdirSync(join(cwd, 'mine'))).toContain('run');
  });

  it('does not write into a folder with files, unless told to', () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'recipe.yaml'), 'mine');
    expect(assay(['init', 'pii', '.'], { cwd }).code).toBe(2);
    expect(readFileSync(join(cwd, 'recipe.yaml'), 'utf8')).toBe('mine');
    expect(assay(['init', 'pii', '.', '--force'], { cwd }).code).toBe(0);
    expect(readFileSync(join(cwd, 'recipe.yaml'), 'utf8')).toContain('extends: pii/piranha');
  });
});
