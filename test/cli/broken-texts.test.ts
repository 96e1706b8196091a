import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { temporaryFolder } from './run-assay.ts';

it('texts of broken UTF-8 are noticed in the terminal and the audit, and repaired where the recipe says so', async () => {
  const cwd = temporaryFolder();
  const span = { start: 2, end: 13, label: 'ORG' };
  const record = { id: 'a', text: 'I HÃ¸jesteret.', gold: [span], predicted: [span] };
  writeFileSync(join(cwd, 'a.jsonl'), `${JSON.stringify(record)}\n`);
  const score = async (out: string, ...more: string[]): Promise<string> => {
    const args = ['score', 'pii/exact', '--cases', 'a.jsonl', '--out', out, '--set', 'interval=off', ...more];
    const { code, stdout, stderr } = await assayHere(args, { cwd });
    expect([code, stderr]).toEqual([0, '']);
    return stdout.replaceAll(/\s+/g, ' ');
  };
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8');
  expect(await score('broken')).toContain('1 text looks like UTF-8 that was read as something else (hÃ¸jesteret)');
  expect(read('broken/audit.json')).toContain('1 text looks like UTF-8 that was read as something else');
  expect(await score('mended', '--set', 'data.mojibake=repair')).toContain(
    '1 text of cases repaired from broken UTF-8: places are in the repaired text',
  );
  expect(read('mended/ledger.jsonl')).toContain('"text":"Højesteret","start":2,"end":12');
  expect((await assayHere(['explain', 'mended', '--case', 'a'], { cwd })).stdout).toContain('I Højesteret.');
});
