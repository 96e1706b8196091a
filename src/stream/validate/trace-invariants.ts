import { createHash } from 'node:crypto';

import type { Source } from '../../plugin.ts';
import { ParsingCounter, type ParsingStatistics } from '../parsing-statistics.ts';
import { type StreamDelta, type TraceMeta, type TraceLine, traceRecord, type TurnBoundary } from '../trace-records.ts';
import { FileFindings } from './findings.ts';
import type { TraceKeeper } from './held-trace.ts';
import { checkRecords, inOrder, type Invariant, isSame } from './invariant.ts';
import type { FileDigest, RecordReader } from './record-file.ts';
import { timesHold, TOLERANCE_MS } from './trace-times.ts';

export const TRACE_TYPES = ['trace_meta', 'turn_boundary', 'stream_delta'] as const;

/** What is known of a trace, as its records are read. */
interface TraceFacts {
  meta: TraceMeta | null;
  /** Line of its trace_meta; null if it has none. */
  metaLine: number | null;
  records: number;
  deltas: number;
  turns: number;
  readonly parsing: ParsingCounter;
  /** False if records were lost: then the counts mean nothing. */
  sure: boolean;
}

type TraceInvariant = Invariant<TraceLine, TraceFacts>;

export interface CheckedTrace extends Omit<TraceFacts, 'parsing'>, FileDigest {
  readonly file: string;
  readonly caseId: string | null;
  readonly parsing: ParsingStatistics;
}

/** One trace, record by record, against its schema and against itself. */
export async function checkTrace(
  path: string,
  keeper: TraceKeeper | null,
  reader: RecordReader,
  source?: Source,
): Promise<CheckedTrace> {
  const facts: TraceFacts = {
    meta: null,
    metaLine: null,
    records: 0,
    deltas: 0,
    turns: 0,
    parsing: new ParsingCounter(),
    sure: true,
  };
  const gathered: TraceInvariant = () => ({
    see(record, line) {
      facts.records += 1;
      keeper?.keep(record);
      if (record.record_type === 'stream_delta') {
        facts.deltas += 1;
        facts.parsing.add(record);
      } else if (record.record_type === 'trace_meta' && facts.meta === null) {
        facts.meta = record;
        facts.metaLine = line;
      }
    },
    lost() {
      facts.records += 1;
      facts.sure = false;
    },
  });
  const findings = new FileFindings(path, reader.findings);
  const shape = { schema: traceRecord, types: TRACE_TYPES };
  const check = checkRecords(shape, [gathered, ...TRACE_INVARIANTS], findings, facts);
  const digest = await reader.read(path, check, source);
  check.end();
  if (facts.meta?.stub_mode === true) findings.notice('stub-trace');
  return { ...facts, ...digest, file: path, caseId: facts.meta?.case_id ?? null, parsing: facts.parsing.statistics };
}

const seqRises: TraceInvariant = (findings) => {
  let latest: { readonly seq: number; readonly line: number } | null = null;
  return {
    see(record, line) {
      if (record.record_type === 'trace_meta') return;
      const { seq } = record;
      if (latest !== null && seq <= latest.seq)
        findings.add(line, 'seq', `seq: found ${seq}, expected more than ${latest.seq} of record ${latest.line}`);
      latest = { seq, line };
    },
  };
};

interface Speaker {
  readonly turn: number;
  readonly agent: string;
}

interface OpenTurn extends Speaker {
  readonly line: number;
  readonly text: TextHash;
  /** Lines of the turns that started before this one ended. */
  readonly overlaps: number[];
  /** Records inside the turn that contradict it: reported once, not again for each that follows. */
  reported: Speaker | null;
  /** A record was lost on the way: text and end of the turn are not known. */
  unsure: boolean;
  /** False if a delta came before the start, which has been reported. */
  hasStart: boolean;
}

interface EndedTurn {
  readonly agent: string;
  /** t_ms of its end. */
  readonly time: number;
  /** A delta came too late: reported once, not again for each that follows. */
  reported: boolean;
}

/**
 * Turns start and end in pairs, none twice, each with its own agent's deltas, and the hash at the end of a turn is that
 * of its text. Two things are counted, since no text is lost by them: turns may overlap, because agents write at the same
 * time or because a recorder sorted events of one millisecond; and a delta may come after the end of its turn if it was
 * emitted within the tolerance of clocks, because recorders time ends apart from deltas. Its hash is without that delta.
 */
const turnsPair: TraceInvariant = (findings, facts) => {
  const ended = new Map<number, EndedTurn>();
  const open = new Map<number, OpenTurn>();
  /** The last one is open, or has ended since. */
  const started: OpenTurn[] = [];
  let unsure = false;
  let withoutHash = 0;

  /** The open turn that started last. */
  const latest = (): OpenTurn | null => {
    let last = started.at(-1);
    while (last !== undefined && open.get(last.turn) !== last) {
      started.pop();
      last = started.at(-1);
    }
    return last ?? null;
  };
  const begin = (speaker: Speaker, line: number, hasStart: boolean): OpenTurn => {
    facts.turns += 1;
    const turn = { ...speaker, line, text: new TextHash(), overlaps: [], reported: null, unsure, hasStart };
    open.set(speaker.turn, turn);
    started.push(turn);
    return turn;
  };
  const close = (turn: OpenTurn, { content_hash: stated, t_ms: time }: TurnBoundary, line: number): void => {
    open.delete(turn.turn);
    ended.set(turn.turn, { agent: turn.agent, time, reported: false });
    for (const start of turn.overlaps) findings.noticeAt('overlapping-turns', start);
    if (turn.unsure || unsure) return;
    if (stated === undefined) {
      withoutHash += 1;
      return;
    }
    findings.compare(line, 'content-hash', 'content_hash', stated, turn.text.digest(), ` for turn ${turn.turn}`);
  };
  const agree = (turn: OpenTurn, speaker: Speaker, line: number, what: string): void => {
    if (isSpeaker(turn, speaker) || (turn.reported !== null && isSpeaker(turn.reported, speaker)) || unsure) return;
    turn.reported = speaker;
    if (speaker.turn === turn.turn)
      findings.compare(line, 'turn', 'agent_id', speaker.agent, turn.agent, ` as at the start of turn ${turn.turn}`);
    else findings.compare(line, 'turn', 'turn_id', speaker.turn, turn.turn, ` for ${what} turn ${turn.turn}`);
  };
  const start = (speaker: Speaker, line: number): void => {
    const early = open.get(speaker.turn);
    if (early?.hasStart === false) {
      early.hasStart = true;
      return;
    }
    if (ended.has(speaker.turn) || early !== undefined)
      findings.add(line, 'turn', `turn ${speaker.turn} starts again, expected a turn that did not occur before`);
    latest()?.overlaps.push(line);
    begin(speaker, line, true);
  };
  const end = (record: TurnBoundary, speaker: Speaker, line: number): void => {
    const turn = open.get(speaker.turn) ?? (unsure ? null : latest());
    if (turn !== null) {
      agree(turn, speaker, line, 'the end of');
      close(turn, record, line);
    } else if (!unsure)
      findings.add(line, 'turn', `turn ${speaker.turn} ends but is not open, expected its start before it`);
  };
  /** A delta of no open turn: too late, meant for the open turn, or too early. Returns the turn that it counts for. */
  const stray = (record: StreamDelta, speaker: Speaker, line: number): OpenTurn | null => {
    const before = ended.get(speaker.turn);
    const after = before === undefined ? Infinity : timeOf(record, facts.meta) - before.time;
    if (before?.agent === speaker.agent && Math.abs(after) <= TOLERANCE_MS) {
      findings.noticeAt('late-delta', line);
      return null;
    }
    const turn = unsure ? null : latest();
    if (turn !== null) {
      agree(turn, speaker, line, 'a delta inside');
      return turn;
    }
    if (before === undefined) {
      const outside = `a delta of turn ${speaker.turn} outside of every turn`;
      if (!unsure) findings.add(line, 'turn', `${outside}, expected the start of its turn before it`);
      return begin(speaker, line, false);
    }
    const late = `a delta of turn ${speaker.turn} after the end of the turn, expected it within ${TOLERANCE_MS} ms`;
    if (!before.reported && !unsure) findings.add(line, 'turn', late);
    before.reported = true;
    return null;
  };
  const delta = (record: StreamDelta, line: number): void => {
    const speaker = speakerOf(record);
    const turn = open.get(speaker.turn) ?? null;
    if (turn !== null) agree(turn, speaker, line, 'a delta inside');
    (turn ?? stray(record, speaker, line))?.text.add(record.delta_text);
  };
  return {
    see(record, line) {
      if (record.record_type === 'turn_boundary') {
        if (record.boundary === 'start') start(speakerOf(record), line);
        else end(record, speakerOf(record), line);
        unsure = false;
      } else if (record.record_type === 'stream_delta') delta(record, line);
    },
    lost() {
      unsure = true;
      for (const turn of open.values()) turn.unsure = true;
    },
    end() {
      for (const turn of open.values())
        if (!turn.unsure && !unsure)
          findings.add(turn.line, 'turn', `turn ${turn.turn} never ends, expected an end before the file’s`);
      findings.notice('no-content-hash', withoutHash);
    },
  };
};

/** Without t_emitted_ms, the time is that of t_rel_ms. */
function timeOf({ t_emitted_ms: emitted, t_rel_ms: since }: StreamDelta, meta: TraceMeta | null): number {
  return emitted ?? (meta?.t0_emitted_ms ?? NaN) + since;
}

/** Counts that the trace_meta states are those of the records, and there is a message. */
const countsHold: TraceInvariant = (findings, facts) => ({
  end(sure) {
    if (!sure) return;
    const { meta, metaLine, deltas, turns } = facts;
    if (facts.records === 0) findings.add(null, 'count', 'found no record, expected a trace');
    else if (facts.parsing.statistics.included_message_chunks === 0)
      findings.add(
        null,
        'no-message',
        `the trace ${meta?.case_id ?? 'without a case id'} has no message: found ${deltas} deltas, none of them part of the conversation, expected at least one with event_subtype "message", or with none and an agent who speaks`,
      );
    for (const [field, stated, counted, what] of [
      ['total_deltas', meta?.total_deltas, deltas, 'deltas'],
      ['total_turns', meta?.total_turns, turns, 'turns'],
    ] as const)
      if (stated !== undefined)
        findings.compare(metaLine, 'count', field, stated, counted, `, the number of ${what} in the trace`);
  },
});

const TRACE_INVARIANTS: readonly TraceInvariant[] = [
  inOrder({ first: 'trace_meta', single: ['trace_meta'] }),
  isSame('case-id', 'case_id'),
  seqRises,
  turnsPair,
  timesHold,
  countsHold,
];

function speakerOf({ turn_id: turn, agent_id: agent }: StreamDelta | TurnBoundary): Speaker {
  return { turn, agent };
}

function isSpeaker(a: Speaker, b: Speaker): boolean {
  return a.turn === b.turn && a.agent === b.agent;
}

/**
 * sha256 of the UTF-8 of a text in pieces. A piece may end in the first half of a character of two UTF-16 units: it
 * waits for the other, as it would in the whole text.
 */
class TextHash {
  readonly #hash = createHash('sha256');
  #half = '';

  add(piece: string): void {
    const text = this.#half + piece;
    const isHalf = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800;
    this.#half = isHalf ? text.slice(-1) : '';
    this.#hash.update(isHalf ? text.slice(0, -1) : text, 'utf8');
  }

  /** `sha256:…`; nothing is added after this. */
  digest(): string {
    return `sha256:${this.#hash.update(this.#half, 'utf8').digest('hex')}`;
  }
}
