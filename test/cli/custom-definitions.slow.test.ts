import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { assay, example, temporaryFolder } from './run-assay.ts';

const recipe = example('custom/recipe.yaml');
const files = ['--gold', example('custom/gold.jsonl'), '--predictions', example('custom/predictions.jsonl')];

describe('definitions in a module next to a recipe', () => {
  test('score, explain, waterfall, audit and the report show all five', () => {
    const out = join(temporaryFolder(), 'run');
    const score = assay(['score', recipe, ...files, '--out', out]);
    expect(score.stderr).toBe('');
    // By hand: of 3 gold spans with 8 or more characters 2 are hit; without "on" and "No" 3 of 4 predictions are right.
    expect(score.stdout).toMatch(/long_recall\s+0\.667\s+↑\s+3/);
    expect(score.stdout).toMatch(/precision\s+0\.750\s+↑\s+4/);
    expect(score.stdout).toContain('no note has a label twice in the predictions');
    expect(readFileSync(join(out, 'report.md'), 'utf8')).toContain('| measure | long_recall |');
    expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('excuse-short');

    const explain = assay(['explain', out, '--case', 'n1', '--recipe', recipe]).stdout;
    expect(explain).toContain('excuse-short\n                      shorter than 4 characters');
    expect(explain).toContain('Dr. Ada Lovelace met Bo Lind');
    expect(assay(['explain', out, '--case', 'n1']).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'gold.jsonl has the custom format tagged-notes',
    );
    for (const more of [[], ['--recipe', recipe]]) {
      const { stderr } = assay(['report', out, '--out', join(out, 'again.html'), ...more]);
      expect(stderr.includes('No text for 3 cases'), more.join(' ')).toBe(more.length === 0);
    }
    expect(assay(['waterfall', recipe, ...files]).stdout).toMatch(/judge\.excuse-short\s+3\s+1\s+4\s+2/);
    const audit = assay(['audit', out, '--recipe', recipe, '--accept', 'one-of-each-label=small notes']);
    expect(audit.stdout).toContain('small notes');
  });

  test('another text of the module is another signature, and its run needs the module as it was', () => {
    const folder = temporaryFolder();
    cpSync(example('custom'), folder, { recursive: true });
    const own = join(folder, 'recipe.yaml');
    const signature = (out: string): string => {
      const done = assay(['score', own, ...files, '--out', join(folder, out)]);
      expect(done.stderr).toBe('');
      const manifest: unknown = JSON.parse(readFileSync(join(folder, out, 'manifest.json'), 'utf8'));
      return String(Reflect.get(Object(manifest), 'signature'));
    };
    const first = signature('first');
    expect(signature('second')).toBe(first);
    writeFileSync(join(folder, 'custom.ts'), `${readFileSync(join(folder, 'custom.ts'), 'utf8')}// another text\n`);
    const compared = assay(['compare', join(folder, 'first'), join(folder, 'second'), '--recipe', own]).stdout;
    expect(compared.replaceAll(/\s+/g, ' ')).toContain('long_recall is left out: its code has changed since');
    expect(signature('third')).not.toBe(first);
  });

  test('a module elsewhere, without definitions or that does not load is refused', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'r.yaml'), 'extends: pii/strict\nmodules: [./m.ts]\n');
    const refused = (text: string, message: string): void => {
      writeFileSync(join(folder, 'm.ts'), text);
      const { code, stderr } = assay(['score', join(folder, 'r.yaml'), ...files]);
      expect([code, stderr.includes(message)]).toEqual([2, true]);
    };
    refused('export const one = 1;\n', 'exports no definition');
    refused('export const one = ;\n', 'the module does not load');
    writeFileSync(join(folder, 'r.yaml'), 'extends: pii/strict\nmodules: [../m.ts]\n');
    refused('', 'in or below the folder of the recipe');
  });
});
