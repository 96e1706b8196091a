import { InputError, isWhiteSpace } from '../plugin.ts';
import type { StreamDelta, Trace } from './trace-records.ts';

/** Agents whose words are not part of the conversation, for deltas without a subtype. */
const NOT_SPEAKERS: ReadonlySet<string> = new Set(['orchestrator', '_system', 'system', 'meta']);

/**
 * `concat`: deltas are pieces of words, so those of a turn follow each other as they are, and turns are separated by a
 * newline. Turns that overlap are kept whole, in the order of their first deltas.
 * `space`: every delta that is not blank is set apart by a space, which shreds words; for figures that were made so.
 */
export type Join = 'concat' | 'space';

/** What went into a text and what did not. */
export interface TextCounters {
  readonly included: number;
  /** Deltas that were left out, by kind: a subtype, or `speaker` if the agent is none. */
  readonly excluded: Readonly<Record<string, number>>;
  /** Deltas without a subtype that were judged by their agent and taken in. */
  readonly missingSubtype: number;
}

interface TextOptions {
  readonly join: Join;
  /** Only deltas from this seq to that one, both included. */
  readonly window?: { readonly start: number; readonly end: number };
}

/**
 * The text of a trace, or of a window of it: the deltas that are messages. The one place where text is made of
 * deltas, so that concepts, coverage, stoplists and windows speak of the same text.
 */
export function messageText(trace: Pick<Trace, 'deltas'>, { join, window }: TextOptions): TextAndCounters {
  const counts = new Map<string, number>();
  let included = 0;
  let missingSubtype = 0;
  /** Pieces that the join sets apart: turns, or deltas. */
  const pieces = new Map<number, string>();
  for (const delta of trace.deltas) {
    if (window !== undefined && (delta.seq < window.start || delta.seq > window.end)) continue;
    const excluded = excludedAs(delta);
    if (excluded !== null) {
      const kind = excluded.subtype ?? 'speaker';
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      continue;
    }
    if (delta.event_subtype === undefined) missingSubtype += 1;
    included += 1;
    if (join === 'concat') pieces.set(delta.turn_id, (pieces.get(delta.turn_id) ?? '') + delta.delta_text);
    else if (!isBlank(delta.delta_text)) pieces.set(pieces.size, delta.delta_text);
  }
  const text = [...pieces.values()].join(join === 'concat' ? '\n' : ' ');
  const excluded = Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { text, counters: { included, excluded, missingSubtype } };
}

interface TextAndCounters {
  readonly text: string;
  readonly counters: TextCounters;
}

/** The text of the whole trace; a trace without a message is an error. */
export function canonicalText(trace: Trace, { join }: { readonly join: Join }): TextAndCounters {
  const made = messageText(trace, { join });
  if (made.counters.included > 0) return made;
  throw new InputError([
    {
      file: trace.file,
      line: null,
      message: `the trace ${trace.meta.case_id} has no message: ${trace.deltas.length} deltas, all left out`,
      next: 'event_subtype of what belongs to the conversation is "message"',
    },
  ]);
}

/** Whether a delta is a part of the conversation's text. */
export function isMessage(delta: StreamDelta): boolean {
  return excludedAs(delta) === null;
}

/** Why a delta is not a message: its subtype, or its agent if it has none. */
export interface Exclusion {
  readonly subtype: string | null;
}

/** Null if the delta is a message. */
export function excludedAs({ event_subtype: subtype, agent_id: agent }: StreamDelta): Exclusion | null {
  if (subtype === 'message') return null;
  if (subtype !== undefined) return { subtype };
  return NOT_SPEAKERS.has(agent.toLowerCase()) ? { subtype: null } : null;
}

function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (!isWhiteSpace(text.charCodeAt(at))) return false;
  return true;
}
