import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import {
  caseName,
  flushSizesOfLog,
  flushSizesOfTrace,
  readByCase,
  readLoggedSizes,
} from '../../../src/stream/calibrate/flush-sizes.ts';
import { USUAL_GATE } from '../../../src/stream/replay/token-gate.ts';
import type { FlushReason, RunLog } from '../../../src/stream/run-log-records.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { madeTrace, traceText } from '../made-trace.ts';
import { DOZEN } from './dozen-deltas.ts';

describe('sizes of flushes', () => {
  test('a trace is passed through the gate: 14, 32 and 10 code points are 4, 8 and 3 CTU; two rests are left out', () => {
    const policy = { ...USUAL_GATE, minWords: 3, maxWords: 5 };
    const trace = madeTrace('dozen', DOZEN);
    expect(flushSizesOfTrace(trace, policy)).toEqual({
      caseId: 'dozen',
      regular: [4, 8, 3],
      excluded: { end_of_trace: 2, turn_end: 0 },
      sha256: trace.sha256,
    });
  });

  test('of a log, what ended the trace or a turn is counted apart', () => {
    const flush = (reason: FlushReason, size: number, at: number): RunLog['flushes'][number] => ({
      record_type: 'tokengate_flush',
      case_id: 'x.trace',
      variant_id: 'V0',
      flush_index: at,
      timestamp: '2020-01-01T00:00:00.000Z',
      start_seq: at,
      end_seq: at,
      accumulated_ctu: size,
      trigger_reason: reason,
    });
    const log: RunLog = {
      meta: {
        record_type: 'run_meta',
        case_id: 'x.trace',
        variant_id: 'V0',
        schema_name: 's',
        schema_version: '1',
        created_at: '2020-01-01T00:00:00.000Z',
        history_k: 3,
      },
      flushes: [
        flush('boundary_cue', 120, 0),
        flush('turn_end', 7, 1),
        flush('silence_timer', 40, 2),
        flush('end_of_trace', 9, 3),
      ],
      decisions: [],
      summaries: [],
    };
    expect(flushSizesOfLog(log, 'sha256:0')).toEqual({
      caseId: 'x',
      regular: [120, 40],
      excluded: { end_of_trace: 1, turn_end: 1 },
      sha256: 'sha256:0',
    });
  });

  test('a case is called the same in a log named after the file of its trace', () => {
    expect(['case-1.trace', 'case-1', 'trace'].map(caseName)).toEqual(['case-1', 'case-1', 'trace']);
  });
});

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
