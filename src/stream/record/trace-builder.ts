import { describe, sha256Of, sortedJson } from '../../plugin.ts';
import {
  type ClockKind,
  CONTENT_HASH_INPUT,
  type UnpublishedFacts,
  type StreamDelta,
  T0_DEFINITION,
  TRACE_SCHEMA,
  type TraceMeta,
  type TraceLine,
  type TurnBoundary,
} from '../trace-records.ts';
import type { StreamEvent } from './stream-event.ts';

export interface TimedEvent extends Omit<StreamEvent, 'macCommit'> {
  readonly time: number;
}

interface RecordingFacts {
  readonly clock: ClockKind;
  readonly masRunId: string | null;
  readonly model: string | null;
  readonly macCommit: string | null;
  readonly linesLeftOut: number;
  readonly more: TraceFacts;
}

/** Facts about a trace that its events do not have. */
export interface TraceFacts {
  /** Fields of trace_meta. */
  readonly published?: Readonly<Record<string, unknown>> & { readonly decoding?: Readonly<Record<string, unknown>> };
  /** Facts for which the published schema has no field. */
  readonly unpublished?: UnpublishedFacts;
}

interface OpenTurn {
  readonly id: number;
  readonly agent: string;
  readonly name: string | null;
  text: string;
}

/** Makes a trace of events: a turn ends if an event ends it, if another agent speaks, or if the turn is another. */
export class TraceBuilder {
  readonly #caseId: string;
  readonly #parts: ((t0: number) => StreamDelta | TurnBoundary)[] = [];
  readonly #names = new Set<string>();
  readonly #agents = new Set<string>();
  #open: OpenTurn | null = null;
  #turns = 0;
  #deltas = 0;
  #first: number | null = null;
  #began = 0;
  #latest = 0;

  constructor(caseId: string) {
    this.#caseId = caseId;
  }

  get deltas(): number {
    return this.#deltas;
  }

  get turns(): number {
    return this.#turns;
  }

  get agents(): number {
    return this.#agents.size;
  }

  get durationMs(): number {
    return this.#latest - this.#began;
  }

  /** Why an event cannot follow those before; null if it can. */
  refuses({ agent, turn }: Pick<StreamEvent, 'agent' | 'turn'>): string | null {
    if (turn === null) return null;
    const open = this.#open;
    if (open !== null && open.name === turn)
      return open.agent === agent
        ? null
        : `agent: found ${describe(agent)} in turn ${turn}, expected ${describe(open.agent)}, whose turn it is`;
    return this.#names.has(turn) ? `turn: found ${turn} again, expected one that has not ended` : null;
  }

  add(event: TimedEvent): void {
    const { agent, text, time, turn, endOfTurn, subtype } = event;
    if (this.#parts.length === 0) this.#began = time;
    const open = this.#turnFor(agent, turn, time);
    this.#latest = time;
    if (text !== '' || !endOfTurn) {
      this.#first ??= time;
      this.#deltas += 1;
      open.text += text;
      const seq = this.#parts.length;
      this.#parts.push((t0) => ({
        record_type: 'stream_delta',
        case_id: this.#caseId,
        seq,
        turn_id: open.id,
        agent_id: agent,
        delta_text: text,
        t_emitted_ms: time,
        t_rel_ms: time - t0,
        ...(subtype === null ? {} : { event_subtype: subtype }),
      }));
    }
    if (endOfTurn) this.#close(open, time);
  }

  /** The trace as it is written: a record a line, keys sorted. Nothing is added after this. */
  text({ clock, masRunId, model, macCommit, linesLeftOut, more }: RecordingFacts): string {
    if (this.#open !== null) this.#close(this.#open, this.#latest);
    const t0 = this.#first ?? this.#began;
    const unpublished: UnpublishedFacts = {
      ...more.unpublished,
      ...(clock === 'given' ? {} : { clock }),
      ...(linesLeftOut === 0 ? {} : { lines_left_out: linesLeftOut }),
    };
    const meta: TraceMeta = {
      ...more.published,
      record_type: 'trace_meta',
      schema_version: TRACE_SCHEMA.version,
      case_id: this.#caseId,
      created_at: new Date(t0).toISOString(),
      t0_definition: T0_DEFINITION,
      t0_emitted_ms: t0,
      total_deltas: this.#deltas,
      total_turns: this.#turns,
      ...(masRunId === null ? {} : { mas_run_id: masRunId }),
      ...(model === null ? {} : { model }),
      ...(macCommit === null ? {} : { mac_commit: macCommit }),
      ...(Object.keys(unpublished).length === 0
        ? {}
        : { decoding: { ...more.published?.decoding, assay: unpublished } }),
    };
    const records: TraceLine[] = [meta, ...this.#parts.map((part) => part(t0))];
    return records.map((record) => `${sortedJson(record)}\n`).join('');
  }

  #turnFor(agent: string, name: string | null, time: number): OpenTurn {
    const open = this.#open;
    if (open !== null) {
      if (open.agent === agent && (name === null || open.name === name)) return open;
      this.#close(open, this.#latest);
    }
    this.#turns += 1;
    const turn = { id: this.#turns, agent, name, text: '' };
    this.#open = turn;
    this.#agents.add(agent);
    this.#boundary('start', turn, time);
    return turn;
  }

  #close(turn: OpenTurn, time: number): void {
    if (turn.name !== null) this.#names.add(turn.name);
    this.#boundary('end', turn, time, sha256Of(turn.text));
    this.#open = null;
  }

  #boundary(boundary: 'start' | 'end', { id, agent }: OpenTurn, time: number, hash?: string): void {
    const seq = this.#parts.length;
    this.#parts.push((t0) => ({
      record_type: 'turn_boundary',
      case_id: this.#caseId,
      boundary,
      turn_id: id,
      agent_id: agent,
      seq,
      t_ms: time,
      t_rel_ms: time - t0,
      ...(hash === undefined ? {} : { content_hash: hash, content_hash_input: CONTENT_HASH_INPUT }),
    }));
  }
}
