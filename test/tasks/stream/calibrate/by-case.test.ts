import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { readByCase } from '../../../../src/tasks/stream/calibrate/by-case.ts';
import { readLoggedSizes } from '../../../../src/tasks/stream/calibrate/read-flush-sizes.ts';
import { temporaryFolder } from '../../../cli/run-assay.ts';
import { traceText } from '../made-trace.ts';
import { DOZEN } from './dozen-deltas.ts';

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const log = (caseId: string, variant: string): string =>
  `${JSON.stringify({ record_type: 'run_meta', case_id: caseId, variant_id: variant, schema_name: 's', schema_version: '1', created_at: 'x', history_k: 3 })}\n`;

describe('what calibration reads', () => {
  test('traces come by case, whatever their files are called', async () => {
    const folder = folderOf({ 'z.jsonl': traceText('case-2', DOZEN), 'a.jsonl': traceText('case-10', DOZEN) });
    expect(await readByCase(folder, ({ meta }) => meta.case_id)).toEqual(['case-2', 'case-10']);
  });

  test('two traces of one case, and stubs, are refused', async () => {
    const stub = traceText('s', DOZEN).replace('"mas_run_id"', '"stub_mode":true,"mas_run_id"');
    const folder = folderOf({ 'a.jsonl': traceText('x', DOZEN), 'b.jsonl': traceText('x', DOZEN), 'c.jsonl': stub });
    await expect(readByCase(folder, () => 0)).rejects.toThrow(
      /a second trace of x; the first is a\.jsonl[^]*s is a stub/,
    );
    expect(await readByCase(folderOf({ 'c.jsonl': stub }), () => 1, true)).toEqual([1]);
  });

  test('logs come from the folder of the variant, and logs of another variant are refused', async () => {
    const folder = folderOf({ 'x.run.jsonl': log('x', 'V2') });
    await expect(readLoggedSizes(folder, 'V0')).rejects.toThrow(/a log of V2, expected one of V0/);
    mkdirSync(join(folder, 'V0'));
    writeFileSync(join(folder, 'V0', 'y.run.jsonl'), log('y.trace', 'V0'));
    expect((await readLoggedSizes(folder, 'V0')).map(({ caseId }) => caseId)).toEqual(['y']);
    writeFileSync(join(folder, 'V0', 'z.run.jsonl'), log('y', 'V0'));
    await expect(readLoggedSizes(folder, 'V0')).rejects.toThrow(/a second log of y; the first is y\.run\.jsonl/);
  });
});
