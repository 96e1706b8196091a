import { hash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import type { DecisionRequest, StreamModel, SummaryRequest } from '../../../src/stream/replay/model.ts';
import { readVariant } from '../../../src/stream/replay/read-variant.ts';
import { replayCase } from '../../../src/stream/replay/replay-case.ts';
import { goodSummary } from '../../../src/stream/replay/summary-answer.ts';
import { parseTrace } from '../../../src/stream/read-trace.ts';
import { madeTrace, traceText, turn } from '../made-trace.ts';

const usage = {
  prompt_ctu: 7,
  completion_ctu: 3,
  provider_prompt_tokens: null,
  provider_completion_tokens: null,
  model_id: 'm',
};

/** Summarises where `fires` says so, and keeps what it was asked. */
function model(fires: (request: DecisionRequest) => boolean): StreamModel & {
  readonly decisions: DecisionRequest[];
  readonly summaries: SummaryRequest[];
} {
  const decisions: DecisionRequest[] = [];
  const summaries: SummaryRequest[] = [];
  return {
    id: 'made',
    kind: 'heuristic',
    note: null,
    decisions,
    summaries,
    decide(request) {
      decisions.push(request);
      return Promise.resolve({
        decision: fires(request) ? 'summarize' : 'buffer',
        filter_results: { completeness_passed: true, value_passed: true, novelty_passed: null },
        llm_usage: usage,
        latency_ms: 5,
      });
    },
    summarize(request) {
      summaries.push(request);
      const word = `s${request.index}`;
      const content = {
        status_action: word,
        key_findings: 'k',
        differential_rationale: 'd',
        uncertainty_confidence: 'u',
        recommendation_next_step: 'r',
        agent_contributions: 'who',
      };
      return Promise.resolve({ ...goodSummary(content), llm_usage: usage });
    },
  };
}

// Seqs: turn 1 is 0 to 4 (deltas 1, 2, 3), turn 2 is 5 to 8 (deltas 6, 7).
const trace = madeTrace('case-1', [
  turn('a', 'one two.@0', ' three four.@100', ' five@200'),
  turn('b', 'uno dos.@300', ' tres cuatro.@400'),
]);
const SMALL = ['minWords=2', 'maxWords=50'];

describe('a trace through a variant', () => {
  test('V0: what was buffered goes with what comes next; the window starts at the first flush since the last summary', async () => {
    const answers = model(({ index }) => index === 1 || index === 3);
    const { flushes, decisions, summaries } = await replayCase(trace, readVariant('V0', null, SMALL), answers);
    expect(flushes.map(({ start_seq: from, end_seq: to, trigger_reason: why }) => [from, to, why])).toEqual([
      [1, 1, 'boundary_cue'],
      [2, 2, 'boundary_cue'],
      [6, 6, 'boundary_cue'],
      [7, 7, 'boundary_cue'],
      [3, 3, 'end_of_trace'],
    ]);
    // The tail of agent a is not decided on.
    expect(decisions.map(({ start_seq: from, end_seq: to, decision }) => [from, to, decision])).toEqual([
      [1, 1, 'buffer'],
      [1, 2, 'summarize'],
      [6, 6, 'buffer'],
      [6, 7, 'summarize'],
    ]);
    // "(Buffer empty)", a newline and "a:\none two." make 26 characters; "a:\none two.\na:\n three four." 27; the last has 28.
    expect(decisions.map(({ input_ctu: units }) => units)).toEqual([7, 7, 7, 7]);
    expect(answers.decisions[1]).toMatchObject({ context: 'a:\none two.', segment: 'a:\n three four.' });
    expect(answers.summaries.map(({ newBuffer }) => newBuffer)).toEqual([
      'a:\none two.  three four.',
      'b:\nuno dos.  tres cuatro.',
    ]);
    expect(summaries.map((event) => [event.event_id, event.latest_summary_event_id, event.timestamp])).toEqual([
      ['case-1-V0-se-000', null, '2020-01-01T00:00:00.100Z'],
      ['case-1-V0-se-001', 'case-1-V0-se-000', '2020-01-01T00:00:00.400Z'],
    ]);
    expect(summaries[0]).toMatchObject({
      summary_semantics_text: 's0 k d u r',
      summary_ctu: 3,
      trigger_type: 'buffer_agent',
      new_buffer_text_hash: `sha256:${hash('sha256', 'a:\none two.  three four.')}`,
    });
  });

  test('V4 asks without novelty, V0 with it', async () => {
    for (const [name, novelty] of [
      ['V0', true],
      ['V4', false],
    ] as const) {
      const answers = model(() => false);
      await replayCase(trace, readVariant(name, null, SMALL), answers);
      expect(answers.decisions.map((request) => request.novelty)).toEqual([novelty, novelty, novelty, novelty]);
    }
  });

  test('V2 summarises every flush with its own window, the tail too', async () => {
    const { summaries, decisions } = await replayCase(
      trace,
      readVariant('V2', null, SMALL),
      model(() => true),
    );
    expect(decisions).toEqual([]);
    expect(summaries.map((event) => [event.start_seq, event.end_seq, event.trigger_type])).toEqual([
      [1, 1, 'tokengate_flush'],
      [2, 2, 'tokengate_flush'],
      [6, 6, 'tokengate_flush'],
      [7, 7, 'tokengate_flush'],
      [3, 3, 'tokengate_flush'],
    ]);
    // The three before the latest.
    expect(summaries[4]).toMatchObject({
      latest_summary_event_id: 'case-1-V2-se-003',
      summary_history_event_ids: ['case-1-V2-se-000', 'case-1-V2-se-001', 'case-1-V2-se-002'],
    });
  });

  test('V1 summarises each turn between its boundaries, at the time of its last delta', async () => {
    const answers = model(() => true);
    const { summaries, timestamps } = await replayCase(trace, readVariant('V1', null), answers);
    expect(summaries.map((event) => [event.start_seq, event.end_seq, event.timestamp, event.trigger_type])).toEqual([
      [0, 4, '2020-01-01T00:00:00.200Z', 'turn_end'],
      [5, 8, '2020-01-01T00:00:00.400Z', 'turn_end'],
    ]);
    expect(answers.summaries[0]?.newBuffer).toBe('a:\none two. three four. five');
    expect(timestamps).toEqual({ fromTrace: 2, fromFallback: 0 });
  });

  test('V1 summarises the turn that ends first before one that began earlier', async () => {
    const text = traceText('o', [turn('a', 'slow one.@0'), turn('b', 'quick.@10')]);
    // The first turn's end is put behind the second's: seqs 0, 1 and 9 hold 3, 4, 5.
    const late = text.replace(/("boundary":"end".*"seq":)2(.*"turn_id":1)/, '$19$2');
    const { summaries } = await replayCase(
      parseTrace(late, 'o'),
      readVariant('V1', null),
      model(() => true),
    );
    expect(summaries.map((event) => [event.start_seq, event.end_seq])).toEqual([
      [3, 5],
      [0, 9],
    ]);
  });

  test('V3 does not see an empty delta of somebody else', async () => {
    const made = madeTrace('e', [turn('a', 'one two three @0'), turn('b', '@50', 'x@60')]);
    const answers = model(() => false);
    await replayCase(
      { ...made, deltas: made.deltas.filter(({ delta_text: own }) => own !== 'x') },
      readVariant('V3', null, ['chunkCtu=4']),
      answers,
    );
    expect(answers.decisions.map(({ segment }) => segment)).toEqual(['a:\none two three ']);
  });

  test('V1 as published looks for a delta at the boundary, finds none and counts seconds by seq', async () => {
    const variant = readVariant('V1', null, ['turnTimestamp=boundary']);
    const { summaries, timestamps } = await replayCase(
      trace,
      variant,
      model(() => true),
    );
    expect(summaries.map(({ timestamp }) => timestamp)).toEqual([
      '2020-01-01T00:00:04.000Z',
      '2020-01-01T00:00:08.000Z',
    ]);
    expect(timestamps).toEqual({ fromTrace: 0, fromFallback: 2 });
  });

  test('V3 asks at a fixed number of units; earlier segments join the buffer, the last one is new', async () => {
    const answers = model(({ index }) => index === 1);
    // Units of the deltas: 2, 3, 2, 2, 4. Seven are reached with the third, and six are left at the end.
    const { decisions, summaries, flushes } = await replayCase(trace, readVariant('V3', null, ['chunkCtu=7']), answers);
    expect(flushes).toEqual([]);
    expect(decisions.map(({ start_seq: from, end_seq: to }) => [from, to])).toEqual([[1, 3]]);
    expect(summaries).toEqual([]);
    const again = model(({ index }) => index === 1);
    const wide = await replayCase(trace, readVariant('V3', null, ['chunkCtu=5']), again);
    // Five with the second delta; 2 + 2 + 4 with the last, over a change of speaker.
    expect(wide.decisions.map(({ start_seq: from, end_seq: to, trigger_reason: why }) => [from, to, why])).toEqual([
      [1, 2, 'fixed_ctu'],
      [1, 7, 'fixed_ctu'],
    ]);
    expect(again.decisions[1]).toMatchObject({
      context: 'a:\none two. three four.  five',
      segment: 'b:\nuno dos. tres cuatro.',
    });
    expect(wide.summaries.map((event) => [event.start_seq, event.end_seq])).toEqual([[1, 7]]);
  });

  describe('V3 by time', () => {
    // Seqs: a says 1 and 2, b says 5 and 6, a says 9. Intervals of 1 s end before 1000, 2000 and 3000 ms.
    const timed = madeTrace('case-1', [
      turn('a', 'one@0', ' two@999'),
      turn('b', 'uno@1000', ' dos@2400'),
      turn('a', 'three@7100', ' four@7200'),
    ]);
    const byTime = (...set: readonly string[]) =>
      readVariant('V3', null, ['chunkCtu=null', 'intervalSeconds=1', ...set]);

    test('asks about each interval before the first delta of the next; silent ones are skipped, the last is left', async () => {
      const answers = model(({ index }) => index === 1);
      const { decisions, summaries, flushes } = await replayCase(timed, byTime(), answers);
      expect(flushes).toEqual([]);
      expect(
        decisions.map(({ start_seq: from, end_seq: to, trigger_reason: why, timestamp }) => [from, to, why, timestamp]),
      ).toEqual([
        [1, 2, 'fixed_time', '2020-01-01T00:00:00.999Z'],
        [1, 5, 'fixed_time', '2020-01-01T00:00:01.000Z'],
        [6, 6, 'fixed_time', '2020-01-01T00:00:02.400Z'],
      ]);
      expect(summaries.map((event) => [event.start_seq, event.end_seq, event.timestamp])).toEqual([
        [1, 5, '2020-01-01T00:00:01.000Z'],
      ]);
      expect(answers.decisions[1]).toMatchObject({ context: 'a:\none two', segment: 'b:\nuno' });
    });

    test('without a BufferAgent every interval is summarised', async () => {
      const variant = byTime('components.buffer_agent.enabled=false', 'intervalSeconds=2');
      const { summaries } = await replayCase(
        timed,
        variant,
        model(() => true),
      );
      // 0 to 2 s has a and b; 2 to 4 s has b alone.
      expect(summaries.map((event) => [event.start_seq, event.end_seq, event.trigger_type])).toEqual([
        [1, 5, 'tokengate_flush'],
        [6, 6, 'tokengate_flush'],
      ]);
    });
  });

  test('the clock is the trace’s: a delta without a time falls back to the start and its seq', async () => {
    const timeless = { ...trace, deltas: trace.deltas.map(({ t_emitted_ms: _, ...rest }) => rest) };
    const { flushes, timestamps } = await replayCase(
      timeless,
      readVariant('V2', null, SMALL),
      model(() => true),
    );
    expect(flushes[0]?.timestamp).toBe('2020-01-01T00:00:01.000Z');
    expect(timestamps.fromTrace).toBe(0);
  });
});
