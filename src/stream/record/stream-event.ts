import { z } from 'zod';

import { describe, isRecord } from '../../plugin.ts';
import { commitHash } from '../trace-records.ts';
import { eventTime } from './event-clock.ts';

/** What a running multi-agent system sends: one piece of an agent's words. Absent and null are the same. */
export const streamEvent = z.looseObject({
  agent: z.string().min(1).meta({ description: 'who speaks' }),
  text: z.string().nullish().meta({ description: 'the words, as they came; may be absent at the end of a turn' }),
  time: z.union([z.number(), z.string()]).nullish().meta({
    description: 'when the words came: milliseconds since 1970, or ISO 8601 with Z or an offset; all events or none',
  }),
  turn: z.union([z.number(), z.string()]).nullish().meta({ description: 'a turn’s name: another one begins a turn' }),
  end_of_turn: z.boolean().nullish().meta({ description: 'whether the agent’s turn ends with this' }),
  subtype: z.string().nullish().meta({ description: 'message, or what else it is; becomes event_subtype' }),
  mac_commit: commitHash
    .nullish()
    .meta({ description: 'version of the agents; the first event’s holds for the trace' }),
});

const FIELDS: readonly string[] = Object.keys(streamEvent.shape);

/** An event with nothing left open but its time. */
export interface StreamEvent {
  readonly agent: string;
  readonly text: string;
  /** Milliseconds since 1970; null if the event has none. */
  readonly time: number | null;
  readonly turn: string | null;
  readonly endOfTurn: boolean;
  readonly subtype: string | null;
  /** Version of the agents, if the event names it. */
  readonly macCommit: string | null;
}

type ReadEvent =
  | { readonly event: StreamEvent; readonly fault: null; readonly unused: readonly string[] }
  | { readonly event: null; readonly fault: string };

export function readEvent(value: unknown): ReadEvent {
  if (!isRecord(value)) return { event: null, fault: `expected a JSON object, found ${describe(value)}` };
  const parsed = streamEvent.safeParse(value);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? '');
    return {
      event: null,
      fault: `${field}: expected ${EXPECTED[field] ?? 'something else'}, found ${describe(value[field])}`,
    };
  }
  const { agent, text, time, turn, end_of_turn: ends, subtype, mac_commit: macCommit } = parsed.data;
  const endOfTurn = ends === true;
  if (typeof text !== 'string' && !endOfTurn)
    return { event: null, fault: `text: expected text, found ${describe(text)}` };
  const moment = time === undefined || time === null ? { ms: null } : eventTime(time);
  if ('fault' in moment) return { event: null, fault: `time: ${moment.fault}` };
  return {
    event: {
      agent,
      text: text ?? '',
      time: moment.ms,
      turn: turn === undefined || turn === null ? null : String(turn),
      endOfTurn,
      subtype: subtype ?? null,
      macCommit: macCommit ?? null,
    },
    fault: null,
    unused: Object.keys(value).filter((name) => !FIELDS.includes(name)),
  };
}

const EXPECTED: Readonly<Record<string, string>> = {
  agent: 'the name of an agent',
  text: 'text',
  time: 'milliseconds since 1970 or a time in ISO 8601',
  turn: 'a number or a name',
  end_of_turn: 'true or false',
  subtype: 'text',
  mac_commit: 'the 40 hexadecimal digits of a commit',
};
