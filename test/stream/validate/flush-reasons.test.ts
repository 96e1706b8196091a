import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { sha256Of } from '../../../src/data/sha256-of.ts';
import { ctu } from '../../../src/stream/ctu.ts';
import { flushText, passGate } from '../../../src/stream/replay/token-gate.ts';
import type { StreamDelta, Trace } from '../../../src/stream/trace-records.ts';
import { FileFindings, Findings } from '../../../src/stream/validate/findings.ts';
import { FlushReasons } from '../../../src/stream/validate/flush-reasons.ts';
import { HeldTrace } from '../../../src/stream/validate/held-trace.ts';
import type { LogFlush } from '../../../src/stream/validate/log-events.ts';

const delta = fc.record({
  agent: fc.constantFrom('alice', 'bob'),
  text: fc.constantFrom('a', ' b', ' c d', '.', ' e.', '\n', ' ', ''),
  after: fc.constantFrom(0, 1, 10, 50, 100),
});
const policy = fc.record({
  minWords: fc.integer({ min: 1, max: 4 }),
  maxWords: fc.integer({ min: 1, max: 6 }),
  silenceMs: fc.constantFrom(1, 10, 60, 200),
  maxWaitMs: fc.constantFrom(1, 20, 100, 300),
  maxWait: fc.constantFrom('every-buffer' as const, 'first-buffer-only' as const),
});

/** Turns do not matter to a gate: each agent has one. */
function traceOf(pieces: readonly { agent: string; text: string; after: number }[]): Trace {
  let time = 0;
  const deltas = pieces.map(({ agent, text, after }, at): StreamDelta => {
    time += after;
    return {
      record_type: 'stream_delta',
      case_id: 'c',
      seq: at,
      turn_id: agent === 'bob' ? 2 : 1,
      agent_id: agent,
      delta_text: text,
      t_emitted_ms: time,
      t_rel_ms: time,
    };
  });
  const meta = { record_type: 'trace_meta', case_id: 'c', t0_emitted_ms: 0 } as const;
  return { file: 'c', meta, deltas, boundaries: [], sha256: '' };
}

function flushesOf({ input }: HeldTrace, gate: Parameters<typeof passGate>[1]): LogFlush[] {
  const flushes: LogFlush[] = [];
  passGate(input, gate, (flush) => {
    const { deltas } = input;
    const text = flushText(input, flush);
    flushes.push({
      line: flushes.length,
      start: deltas[flush.first]!.seq,
      end: deltas[flush.last]!.seq,
      reason: flush.reason,
      ctu: ctu(text),
      hash: sha256Of(text),
    });
  });
  return flushes;
}

/** The lines of flushes whose reason is reported. */
function wrongOf(held: HeldTrace, flushes: readonly LogFlush[]): (number | null)[] {
  const lines: (number | null)[] = [];
  const reasons = new FlushReasons(new FileFindings('log', new Findings(({ record }) => void lines.push(record))));
  reasons.checkOrder(flushes);
  reasons.checkLimits(new Map(flushes.map((flush) => [flush, held.stretchOf(flush)])), held.input);
  return lines;
}

describe('reasons of flushes', () => {
  it('are never reported when a gate gave them, whatever its limits and the conversation', () => {
    fc.assert(
      fc.property(fc.array(delta, { minLength: 1, maxLength: 40 }), policy, (pieces, gate) => {
        const held = new HeldTrace(traceOf(pieces));
        expect(wrongOf(held, flushesOf(held, gate))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  // One agent, a word at a time, 10 ms apart, then a second of nothing; the gate wants 2 words, 3 at most.
  const pieces = ['a', ' b', ' c', ' d', ' e.', ' f'].map((text) => ({ agent: 'alice', text, after: 10 }));
  const gate = { minWords: 2, maxWords: 3, silenceMs: 900, maxWaitMs: 5000, maxWait: 'every-buffer' } as const;
  const held = new HeldTrace(traceOf([...pieces, { agent: 'alice', text: ' g', after: 1000 }]));
  const flushes = flushesOf(held, gate);

  it('are as expected in an example', () => {
    expect(flushes.map(({ start, end, reason }) => [start, end, reason])).toEqual([
      [0, 2, 'max_words'],
      [3, 4, 'boundary_cue'],
      [5, 5, 'silence_timer'],
      [6, 6, 'end_of_trace'],
    ]);
  });

  it.each([
    ['no sentence ends', 0, 'boundary_cue'],
    ['10 ms of silence, which passed inside of it', 0, 'silence_timer'],
    ['the agent goes on', 0, 'end_of_trace'],
    ['10 ms of waiting, and the first waited 20', 1, 'max_wait_timeout'],
    ['10 ms of silence, which passed inside of the first', 1, 'silence_timer'],
    ['one word, and two were not enough for the first', 2, 'max_words'],
    ['no sentence ends', 2, 'boundary_cue'],
    ['nothing comes after it', 3, 'silence_timer'],
  ] as const)('that cannot be true are reported: %s', (_, at, reason) => {
    const changed = flushes.map((flush, place) => (place === at ? { ...flush, reason } : flush));
    expect(wrongOf(held, changed)).toContain(at);
  });

  it('that other limits would explain are not reported: the first may have waited 20 ms at most', () => {
    const changed = flushes.map((flush, at) => (at === 0 ? { ...flush, reason: 'max_wait_timeout' as const } : flush));
    expect(wrongOf(held, changed)).toEqual([]);
  });
});
