import { describe, expect, it } from 'vitest';

import { timelineData } from '../../../src/stream/report/timeline-data.ts';
import { parseRunLog } from '../../../src/stream/read-run-log.ts';
import { parseTrace } from '../../../src/stream/read-trace.ts';
import { LOG, TRACE } from './made-up-stream.ts';

const trace = parseTrace(TRACE, 'a.trace.jsonl');
const log = parseRunLog(LOG, 'a.run.jsonl');

describe('timelineData', () => {
  it('takes turns from their first to their last record, and tokens as code points / 4', () => {
    expect(timelineData(trace, []).agents).toEqual([
      {
        name: 'doctor',
        turns: [{ startMs: -100, endMs: 2000 }],
        pieces: [
          { atMs: 0, ctu: 1 },
          { atMs: 1500, ctu: 0.5 },
        ],
      },
      { name: 'nurse', turns: [{ startMs: 2500, endMs: 4000 }], pieces: [{ atMs: 4000, ctu: 2 }] },
    ]);
  });

  it('takes the time of what a variant did from the trace, by seq', () => {
    const [variant] = timelineData(trace, [{ name: 'V0', log }]).variants;
    expect(variant).toEqual({
      name: 'V0',
      // The second ends at seq 4, which is no record: the last one before it is the boundary at 2 s.
      flushes: [
        { atMs: 1500, reason: 'boundary_cue' },
        { atMs: 2000, reason: 'silence_timer' },
      ],
      decisions: [
        { atMs: 1500, outcome: 'summarise' },
        { atMs: 4000, outcome: 'failed' },
      ],
      summaries: [{ startMs: 0, endMs: 1500, schemaOk: false }],
    });
  });

  it('a decision without any answer failed, also where the log does not say why', () => {
    const silent = { ...log, decisions: log.decisions.map(({ error: _, ...rest }) => rest) };
    expect(timelineData(trace, [{ name: 'V0', log: silent }]).variants[0]!.decisions[1]).toEqual({
      atMs: 4000,
      outcome: 'failed',
    });
  });

  it('names a heuristic stand-in', () => {
    const meta = { ...log.meta, model: { id: 'rule', kind: 'heuristic' as const } };
    const [variant] = timelineData(trace, [{ name: 'V0', log: { ...log, meta } }]).variants;
    expect(variant!.name).toBe('V0 (heuristic stand-in, no model)');
  });

  it('leaves out what lies outside the trace, and counts it', () => {
    const flushes = log.flushes.map((flush) => ({ ...flush, end_seq: 900 }));
    const found = timelineData(trace, [{ name: 'V0', log: { ...log, flushes } }]);
    expect(found.variants[0]!.flushes).toEqual([]);
    expect(found.notes).toEqual([
      'Not drawn: 2 records lie outside the trace; the run logs may belong to another one.',
    ]);
    expect(timelineData(trace, [{ name: 'V0', log }]).notes).toEqual([]);
  });
});
