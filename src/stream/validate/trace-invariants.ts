import { createHash } from 'node:crypto';

import type { Source } from '../../plugin.ts';
import { ParsingCounter, type ParsingStatistics } from '../parsing-statistics.ts';
import { type StreamDelta, type TraceMeta, type TraceLine, traceRecord, type TurnBoundary } from '../trace-records.ts';
import { FileFindings } from './findings.ts';
import type { TraceKeeper } from './held-trace.ts';
import { checkRecords, inOrder, type Invariant, isSame } from './invariant.ts';
import type { FileDigest, RecordReader } from './record-file.ts';
import { timesHold } from './trace-times.ts';

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
  /** Records inside the turn that contradict it: reported once, not again for each that follows. */
  reported: Speaker | null;
  /** A record was lost on the way: what the turn holds is not known. */
  readonly unsure: boolean;
}

/**
 * Turns start and end in pairs, none inside another and none twice, each with its own agent's deltas, and the hash at
 * the end of a turn is that of its text. A turn may start one record before the turn before it ends, as two streams that
 * hand over may write it: that is counted.
 */
const turnsPair: TraceInvariant = (findings, facts) => {
  const ended = new Set<number>();
  let open: OpenTurn | null = null;
  /** A turn that had not ended when the open one started: its end may still be the next record. */
  let ending: OpenTurn | null = null;
  let unsure = false;
  let crossed = 0;
  let withoutHash = 0;

  const reportNested = (): void => {
    if (ending !== null && open !== null) {
      const inside = `turn ${open.turn} starts inside turn ${ending.turn} (record ${ending.line})`;
      findings.add(open.line, 'turn', `${inside}, expected the end of that first`);
    }
    ending = null;
  };
  const begin = (speaker: Speaker, line: number): OpenTurn => {
    if (open !== null) ended.add(open.turn);
    facts.turns += 1;
    open = { ...speaker, line, text: new TextHash(), reported: null, unsure };
    return open;
  };
  const close = (turn: OpenTurn, { content_hash: stated }: TurnBoundary, line: number): void => {
    ended.add(turn.turn);
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
    if (!unsure) ending = open;
    if (ended.has(speaker.turn))
      findings.add(line, 'turn', `turn ${speaker.turn} starts again, expected a turn that did not occur before`);
    begin(speaker, line);
  };
  const end = (record: TurnBoundary, speaker: Speaker, line: number): void => {
    if (open !== null) {
      agree(open, speaker, line, 'the end of');
      close(open, record, line);
    } else if (!unsure)
      findings.add(line, 'turn', `turn ${speaker.turn} ends but is not open, expected its start before it`);
    ended.add(speaker.turn);
    open = null;
  };
  const boundary = (record: TurnBoundary, line: number): void => {
    const speaker = speakerOf(record);
    if (record.boundary === 'end' && ending !== null && isSpeaker(ending, speaker)) {
      crossed += 1;
      close(ending, record, line);
      ending = null;
      return;
    }
    reportNested();
    if (record.boundary === 'start') start(speaker, line);
    else end(record, speaker, line);
    unsure = false;
  };
  const delta = (record: StreamDelta, line: number): void => {
    reportNested();
    const speaker = speakerOf(record);
    let turn = open;
    if (turn === null) {
      const outside = `a delta of turn ${speaker.turn} outside of every turn`;
      if (!unsure) findings.add(line, 'turn', `${outside}, expected the start of its turn before it`);
      turn = begin(speaker, line);
    } else agree(turn, speaker, line, 'a delta inside');
    turn.text.add(record.delta_text);
  };
  return {
    see(record, line) {
      if (record.record_type === 'turn_boundary') boundary(record, line);
      else if (record.record_type === 'stream_delta') delta(record, line);
    },
    lost() {
      unsure = true;
      ending = null;
      if (open !== null) open = { ...open, unsure: true };
    },
    end() {
      reportNested();
      if (open !== null && !unsure)
        findings.add(open.line, 'turn', `turn ${open.turn} never ends, expected an end before the file’s`);
      findings.notice('crossed-turns', crossed);
      findings.notice('no-content-hash', withoutHash);
    },
  };
};

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
