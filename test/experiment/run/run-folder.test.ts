import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readRecord } from '../../../src/experiment/run/run-folder.ts';
import { VERSION } from '../../../src/score/version.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';

function begunWith(content: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'experiment.json'), content);
  return folder;
}

test('an experiment that a newer version began is refused as such, whatever else its record holds', () => {
  const folder = begunWith('{"format":2,"assay":"9.1.0","datasets":[]}');
  expect(() => readRecord(folder)).toThrow(
    `${folder}: written by a newer Assay (9.1.0) in format 2; this is Assay ${VERSION}, which reads format 1`,
  );
});

test('a record that is cut off or edited is refused as damaged, and none is none', () => {
  for (const content of ['{"format":1,', '{"format":1,"assay":"0.1.0"}', '[]'])
    expect(() => readRecord(begunWith(content))).toThrow('experiment.json was changed or damaged');
  expect(readRecord(temporaryFolder())).toBeNull();
});
