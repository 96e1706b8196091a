import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { sha256 } from '../validate/made-up-files.ts';
import { validateFiles } from '../../../src/stream/validate/validate.ts';
import {
  chunksOf,
  faultsOf,
  type Given,
  recordingOf,
  recordsOf,
  spoken,
  temporaryFolder,
  timesOf,
  traceOf,
} from './events.ts';

/** 2000-01-01T00:00:00Z */
const START = 946_684_800_000;

const EVENTS: Given = [
  { agent: 'alice', text: 'The fever', time: '2026-01-05T10:00:00Z' },
  { agent: 'alice', text: ' began.', time: 1_767_607_200_100, subtype: 'message' },
  { agent: 'bob', text: 'I see.', time: '2026-01-05T11:00:00.250+01:00', end_of_turn: true },
  { agent: 'bob', text: 'No rash.', time: 1_767_607_201_000 },
];

describe('a recorded trace', () => {
  it('has turns, times, hashes and counts of what was said', async () => {
    const trace = await traceOf(EVENTS, { masRunId: 'agents-v3', model: 'some-model' });
    const at = (after: number): object => ({ t_ms: 1_767_607_200_000 + after, t_rel_ms: after });
    const said = (after: number): object => ({ t_emitted_ms: 1_767_607_200_000 + after, t_rel_ms: after });
    const base = { case_id: 'case-1' };
    const boundary = (kind: string): object => ({ ...base, record_type: 'turn_boundary', boundary: kind });
    const delta = { ...base, record_type: 'stream_delta' };
    const hashed = (text: string): object => ({
      content_hash: sha256(text),
      content_hash_input: 'UTF-8 bytes of concatenated delta_text in seq order for this turn',
    });
    const [alice, bob, again] = [
      { agent_id: 'alice', turn_id: 1 },
      { agent_id: 'bob', turn_id: 2 },
      { agent_id: 'bob', turn_id: 3 },
    ];
    expect(trace).toEqual([
      {
        ...base,
        record_type: 'trace_meta',
        schema_version: '2.0.0',
        created_at: '2026-01-05T10:00:00.000Z',
        t0_definition: 't_emitted_ms of first stream_delta record',
        mas_run_id: 'agents-v3',
        model: 'some-model',
        t0_emitted_ms: 1_767_607_200_000,
        total_deltas: 4,
        total_turns: 3,
      },
      { ...boundary('start'), ...alice, ...at(0), seq: 0 },
      { ...delta, ...alice, ...said(0), seq: 1, delta_text: 'The fever' },
      { ...delta, ...alice, ...said(100), seq: 2, delta_text: ' began.', event_subtype: 'message' },
      { ...boundary('end'), ...alice, ...at(100), seq: 3, ...hashed('The fever began.') },
      { ...boundary('start'), ...bob, ...at(250), seq: 4 },
      { ...delta, ...bob, ...said(250), seq: 5, delta_text: 'I see.' },
      { ...boundary('end'), ...bob, ...at(250), seq: 6, ...hashed('I see.') },
      { ...boundary('start'), ...again, ...at(1000), seq: 7 },
      { ...delta, ...again, ...said(1000), seq: 8, delta_text: 'No rash.' },
      { ...boundary('end'), ...again, ...at(1000), seq: 9, ...hashed('No rash.') },
    ]);
  });

  it('has a virtual clock where events have no time, and the clock of the day is not asked', async () => {
    const trace = await traceOf(spoken('a:x', 'a:y', 'a:z'));
    expect(trace[0]).toMatchObject({ decoding: { assay: { clock: 'virtual' } }, t0_emitted_ms: START });
    expect(timesOf(trace)).toEqual([START, START + 20, START + 40]);
    const other = await traceOf(spoken('a:x', 'a:y'), { gapMs: 5, startMs: 1e12 });
    expect(timesOf(other)).toEqual([1e12, 1e12 + 5]);
  });

  it('has the times of arrival where that is wanted, never running backwards', async () => {
    const times = [1e12, 1e12 + 7.6, 1e12 + 3];
    const events = spoken('a:x', 'a:y', 'a:z');
    const trace = await traceOf(events, { arrival: true, now: () => times.shift()! });
    expect(trace[0]).toMatchObject({ decoding: { assay: { clock: 'arrival' } } });
    expect(timesOf(trace)).toEqual([1e12, 1e12 + 8, 1e12 + 8]);
  });

  it('ends a turn where the agent, the turn or end_of_turn says so', async () => {
    const turnsOf = async (events: Given): Promise<unknown[]> =>
      (await traceOf(events)).filter((record) => record['boundary'] === 'start').map((record) => record['agent_id']);
    expect(await turnsOf(spoken('a:x', 'a:y'))).toEqual(['a']);
    expect(await turnsOf(spoken('a:x', 'b:y', 'a:z'))).toEqual(['a', 'b', 'a']);
    expect(await turnsOf(spoken('a:x:1', 'a:y', 'a:z:2'))).toEqual(['a', 'a']);
    // An end without text ends the turn and adds nothing; one with nothing before it is a turn without words.
    expect(
      await turnsOf([
        { agent: 'a', text: 'x' },
        { agent: 'a', end_of_turn: true },
        { agent: 'b', end_of_turn: true },
      ]),
    ).toEqual(['a', 'b']);
  });

  it('keeps a character of two UTF-16 units whole though it came in two pieces', async () => {
    const trace = await traceOf(['{"agent":"a","text":"tea \\ud83c"}', '{"agent":"a","text":"\\udf75"}']);
    expect(trace.at(-1)!['content_hash']).toBe(sha256('tea 🍵'));
  });

  it('takes an empty piece and null fields as they are, and counts fields that it has no place for', async () => {
    const recording = recordingOf();
    const events = [
      { agent: 'a', text: '', time: null, turn: null, subtype: null, id: 7 },
      { agent: 'a', text: 'x' },
    ];
    await recording.take(chunksOf(events), 'in', (problem) => expect(problem).toBeNull());
    expect(await recording.finish()).toMatchObject({
      deltas: 2,
      turns: 1,
      agents: 1,
      clock: 'virtual',
      durationMs: 20,
    });
    expect([...recording.unused]).toEqual([['id', 1]]);
  });

  it('is the same bytes every time, however the events come in', async () => {
    const folder = temporaryFolder();
    const text = EVENTS.map((event) => `${JSON.stringify(event)}\r\n`).join('');
    async function* byteByByte(): AsyncGenerator<Buffer> {
      for (const byte of Buffer.from(`\ufeff${text}`)) yield Buffer.from([byte]);
    }
    const once = recordingOf({ folder, caseId: 'case-1' });
    await once.take(chunksOf(EVENTS), 'in', () => expect.unreachable());
    await once.finish();
    const other = recordingOf({ folder: join(folder, 'other'), caseId: 'case-1', live: true });
    await other.take(byteByByte(), 'in', () => expect.unreachable());
    await other.finish();
    expect(readFileSync(other.file).equals(readFileSync(once.file))).toBe(true);
    expect(existsSync(other.partial.file)).toBe(false);
  });

  it('is what stream validate calls good, whatever the events', async () => {
    const event = fc.record(
      {
        agent: fc.constantFrom('a', 'b', 'system'),
        text: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud83c', '\udf75', '')),
        end_of_turn: fc.boolean(),
        turn: fc.nat(3),
        subtype: fc.constantFrom('message', 'note'),
      },
      { requiredKeys: ['agent', 'text'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 12 }), async (events) => {
        const recording = recordingOf();
        await recording.take(chunksOf([{ agent: 'a', text: 'x' }, ...events]), 'in', () => undefined);
        await recording.finish();
        const { problems } = await validateFiles({ paths: [recording.file], report: () => undefined });
        expect(problems).toBe(0);
      }),
      { numRuns: 25, seed: 7 },
    );
  });
});

describe('an event that is wrong', () => {
  it.each<[string, Given, string]>([
    ['no JSON', ['oops'], 'in:1: not JSON'],
    ['no object', ['[1]'], 'in:1: expected a JSON object, found a list of 1'],
    ['without an agent', [{ text: 'x' }], 'in:1: agent: expected the name of an agent, found nothing'],
    ['with an empty agent', [{ agent: '', text: 'x' }], 'in:1: agent: expected the name of an agent, found ""'],
    ['without text', [{ agent: 'a' }], 'in:1: text: expected text, found nothing'],
    ['with text that is a number', [{ agent: 'a', text: 1 }], 'in:1: text: expected text, found 1'],
    [
      'with an end that is text',
      [{ agent: 'a', text: 'x', end_of_turn: 'yes' }],
      'in:1: end_of_turn: expected true or false, found "yes"',
    ],
    [
      'before the one before',
      [
        { agent: 'a', text: 'x', time: 1e12 + 1 },
        { agent: 'a', text: 'y', time: 1e12 },
      ],
      'in:2: time: found 2001-09-09T01:46:40.000Z, expected 2001-09-09T01:46:40.001Z of the event before, or later',
    ],
    [
      'without a time after one with a time',
      [
        { agent: 'a', text: 'x', time: 1e12 },
        { agent: 'a', text: 'y' },
      ],
      'in:2: time: found none, expected one as in the events before',
    ],
    [
      'with a time after one without a time',
      [
        { agent: 'a', text: 'x' },
        { agent: 'a', text: 'y', time: 1e12 },
      ],
      'in:2: time: found 2001-09-09T01:46:40.000Z, expected none as in the events before',
    ],
    [
      'of a turn that has ended',
      spoken('a:x:1', 'a:y:2', 'a:z:1'),
      'in:3: turn: found 1 again, expected one that has not ended',
    ],
    [
      'of another agent in the same turn',
      spoken('a:x:1', 'b:y:1'),
      'in:2: agent: found "b" in turn 1, expected "a", whose turn it is',
    ],
  ])('%s is told with its line', async (_, events, expected) => {
    const faults = await faultsOf(events);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(expected);
  });

  it('is left out, and those after it are taken as if it had not been there', async () => {
    const recording = recordingOf();
    await recording.take(
      chunksOf([{ agent: 'a', text: 'x' }, 'oops', { agent: 'b' }, { agent: 'a', text: 'y' }]),
      'in',
      () => undefined,
    );
    await recording.finish();
    const trace = recordsOf(recording.file);
    expect(timesOf(trace)).toEqual([START, START + 20]);
    expect(trace[0]).toMatchObject({ total_deltas: 2, total_turns: 1 });
  });

  it.each<[string, Given, string]>([
    ['nothing at all', [], 'found no event'],
    ['nobody who speaks', [{ agent: 'System', text: 'x' }], 'the trace case-1 has no message'],
  ])('%s makes no trace', async (_, events, expected) => {
    await expect(traceOf(events)).rejects.toThrow(expected);
  });
});

describe('an interrupted recording', () => {
  const rest: Given = EVENTS.slice(2);

  async function cutShort(folder: string): Promise<string> {
    const recording = recordingOf({ folder, live: true, masRunId: 'agents-v3' });
    await recording.take(chunksOf(EVENTS.slice(0, 2)), 'in', () => expect.unreachable());
    recording.partial.close();
    return recording.partial.file;
  }

  it('has every event on disk, and goes on to the same trace as one that was not', async () => {
    const folder = temporaryFolder();
    const partial = await cutShort(folder);
    expect(readFileSync(partial, 'utf8').trimEnd().split('\n')).toHaveLength(3);
    // The process was killed in the middle of a line.
    writeFileSync(partial, `${readFileSync(partial, 'utf8')}{"agent":"bo`);
    const recording = recordingOf({ folder, live: true });
    recording.resume();
    await recording.take(chunksOf(rest), 'in', () => expect.unreachable());
    await recording.finish();
    expect(existsSync(partial)).toBe(false);
    expect(recordsOf(recording.file)).toEqual(await traceOf(EVENTS, { masRunId: 'agents-v3' }));
  });

  it('is not taken over, nor replaced, while the process that makes it lives', async () => {
    const folder = temporaryFolder();
    const partial = await cutShort(folder);
    const kept = readFileSync(partial, 'utf8');
    // The process above this one lives as long as the test does.
    writeFileSync(partial, kept.replace(`"pid":${process.pid}`, `"pid":${process.ppid}`));
    const message = `process ${process.ppid} is still making this recording`;
    expect(() => recordingOf({ folder, live: true }).resume()).toThrow(message);
    expect(() => recordingOf({ folder, live: true }).begin()).toThrow(message);
    expect(() => recordingOf({ folder, live: true, force: true }).begin()).toThrow(message);
    // So is one that another process has gone on with; one that is gone does not count.
    writeFileSync(partial, `${kept}{"pid":${process.ppid}}\n`);
    expect(() => recordingOf({ folder }).resume()).toThrow(message);
    writeFileSync(partial, `${kept}{"pid":${2 ** 30}}\n`);
    const recording = recordingOf({ folder });
    recording.resume();
    expect(recording.events).toBe(2);
    recording.partial.close();
  });

  it('remembers how many lines were wrong, and the trace says so', async () => {
    const folder = temporaryFolder();
    const first = recordingOf({ folder, live: true });
    await first.take(chunksOf(['oops', { agent: 'a', text: 'x' }, '{}', '{"agent":1}']), 'in', () => undefined);
    first.partial.close();
    const second = recordingOf({ folder, live: true });
    second.resume();
    await second.take(chunksOf(['oops']), 'in', () => undefined);
    second.partial.close();
    const last = recordingOf({ folder, live: true });
    last.resume();
    expect(await last.finish()).toMatchObject({ deltas: 1, linesLeftOut: 4 });
    expect(recordsOf(last.file)[0]).toMatchObject({ decoding: { assay: { lines_left_out: 4 } } });
  });

  it('goes on with its own clock', async () => {
    const folder = temporaryFolder();
    const first = recordingOf({ folder, live: true, gapMs: 7 });
    await first.take(chunksOf(spoken('a:x')), 'in', () => expect.unreachable());
    first.partial.close();
    const recording = recordingOf({ folder });
    recording.resume();
    await recording.take(chunksOf(spoken('a:y')), 'in', () => expect.unreachable());
    await recording.finish();
    expect(timesOf(recordsOf(recording.file))).toEqual([START, START + 7]);
  });

  it('is not begun again, nor continued as something else, unless that is wanted', async () => {
    const folder = temporaryFolder();
    const partial = await cutShort(folder);
    expect(() => recordingOf({ folder }).begin()).toThrow('an interrupted recording of case-1');
    expect(() => recordingOf({ folder, masRunId: 'agents-v4' }).resume()).toThrow(
      '--run-id agents-v4: the recording began with agents-v3',
    );
    expect(() => recordingOf({ folder, caseId: 'case-2' }).resume()).toThrow('no interrupted recording');
    recordingOf({ folder, force: true }).begin();
    expect(existsSync(partial)).toBe(false);
  });

  it('that is none is refused', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'case-1.trace.jsonl.partial'), 'oops\n');
    expect(() => recordingOf({ folder }).resume()).toThrow(
      'case-1.trace.jsonl.partial:1: this is not an interrupted recording',
    );
  });
});

describe('the commit of the agents', () => {
  const [ours, theirs] = ['a'.repeat(40), 'b'.repeat(40)];
  const event = (commit?: string): Given => [
    { agent: 'a', text: 'x', ...(commit === undefined ? {} : { mac_commit: commit }) },
  ];
  const commitOf = async (events: Given, macCommit: string | null = null): Promise<unknown> =>
    (await traceOf(events, { macCommit }))[0]!['mac_commit'];

  it('is that of the option, or of the first event', async () => {
    expect(await commitOf(event(), ours)).toBe(ours);
    expect(await commitOf([...event(ours), ...event(), ...event(ours)])).toBe(ours);
    expect(await commitOf([...event(ours), ...event()], ours)).toBe(ours);
    expect(await commitOf(event())).toBeUndefined();
  });

  it('does not change within a trace, and is one', async () => {
    const message = (found: string, expected: string): string =>
      `mac_commit: found ${found}, expected ${expected} as the recording began`;
    expect(await faultsOf([...event(ours), ...event(theirs)])).toEqual([`in:2: ${message(theirs, ours)}`]);
    expect(await faultsOf(event(theirs), { macCommit: ours })).toEqual([`in:1: ${message(theirs, ours)}`]);
    expect(await faultsOf([...event(), ...event(ours)])).toEqual([`in:2: ${message(ours, 'none')}`]);
    expect(await faultsOf(event('1d5b227a'))).toEqual([
      'in:1: mac_commit: expected the 40 hexadecimal digits of a commit, found "1d5b227a"',
    ]);
  });

  it('is kept when a recording is cut short', async () => {
    const folder = temporaryFolder();
    const first = recordingOf({ folder, live: true });
    await first.take(chunksOf(event(ours)), 'in', () => expect.unreachable());
    first.partial.close();
    expect(() => recordingOf({ folder, macCommit: theirs }).resume()).toThrow(
      `--mac-commit ${theirs}: the recording began with ${ours}`,
    );
    const last = recordingOf({ folder, live: true });
    last.resume();
    await last.finish();
    expect(recordsOf(last.file)[0]).toMatchObject({ mac_commit: ours });
  });
});

describe('a trace that is there already', () => {
  it('is not replaced unless that is wanted', async () => {
    const folder = temporaryFolder();
    await traceOf(EVENTS, { folder });
    expect(() => recordingOf({ folder }).begin()).toThrow('case-1.trace.jsonl.gz is there already');
    const other = recordingOf({ folder, force: true });
    other.begin();
    await other.take(chunksOf(spoken('a:x')), 'in', () => expect.unreachable());
    await other.finish();
    expect(recordsOf(other.file)).toHaveLength(4);
  });
});
