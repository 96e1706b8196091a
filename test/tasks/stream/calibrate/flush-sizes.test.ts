import { describe, expect, test } from 'vitest';

import { caseName, flushSizesOfLog, flushSizesOfTrace } from '../../../../src/tasks/stream/calibrate/flush-sizes.ts';
import { USUAL_GATE } from '../../../../src/tasks/stream/replay/token-gate.ts';
import type { FlushReason, RunLog } from '../../../../src/tasks/stream/run-log-records.ts';
import { madeTrace } from '../made-trace.ts';
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
