import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { casesOfList, readCaseList } from '../../../src/stream/calibrate/case-list.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';

function listFile(text: string): string {
  const file = join(temporaryFolder(), 'cases.jsonl');
  writeFileSync(file, text);
  return file;
}

describe('a list of cases', () => {
  test('names cases by records or alone, in its own order', async () => {
    const list = await readCaseList(listFile('{"case_id":"b","index":0}\n\na.trace\nc\r\n'));
    expect(list.cases).toEqual(['b', 'a', 'c']);
  });

  test('is refused with the line of each fault', async () => {
    const read = readCaseList(listFile('a\na\n{"case_id":3}\n{oops\n'));
    await expect(read).rejects.toThrow(
      /:2: a is already on line 1[^]*:3: case_id: expected text, found 3[^]*:4: not JSON/,
    );
    await expect(readCaseList(listFile('\n'))).rejects.toThrow(/has no case/);
  });

  const all = ['c', 'a', 'b'].map((caseId) => ({ caseId }));
  const list = { file: 'cases.jsonl', cases: ['b', 'x', 'a', 'c'], sha256: 'sha256:0' };

  test('gives the first cases, and names those that are not there', () => {
    expect(casesOfList(all, { list, first: 3 })).toEqual({
      chosen: [{ caseId: 'a' }, { caseId: 'b' }],
      list: { name: 'cases.jsonl', sha256: 'sha256:0', first: 3, missing: ['x'] },
    });
    expect(casesOfList(all, { list, first: null }).chosen).toHaveLength(3);
  });

  test('cannot give more cases than it has, nor any when none is there', () => {
    expect(() => casesOfList(all, { list, first: 5 })).toThrow(/has 4 cases/);
    expect(() => casesOfList([{ caseId: 'q' }], { list, first: 2 })).toThrow(/none of the 2 cases/);
  });
});
