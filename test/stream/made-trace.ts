import { sortedJson } from '../../src/data/sorted-json.ts';
import { parseTrace } from '../../src/stream/read-trace.ts';
import type { Trace } from '../../src/stream/trace-records.ts';

/** A turn of a made trace: who speaks, and what comes when (milliseconds since the first delta). */
export interface MadeTurn {
  readonly agent: string;
  readonly deltas: readonly (readonly [text: string, time: number])[];
  readonly subtype?: string;
}

/** Each delta as `text@time`. */
export function turn(agent: string, ...deltas: readonly string[]): MadeTurn {
  const parted = (delta: string, at = delta.lastIndexOf('@')): [string, number] => [
    delta.slice(0, at),
    Number(delta.slice(at + 1)),
  ];
  return { agent, deltas: deltas.map((delta) => parted(delta)) };
}

const T0 = Date.UTC(2020, 0, 1);

/** A trace as a file holds it: boundaries and deltas share one rising seq, as a recorder gives them. */
export function traceText(caseId: string, turns: readonly MadeTurn[]): string {
  const records: object[] = [
    {
      record_type: 'trace_meta',
      case_id: caseId,
      t0_emitted_ms: T0,
      mas_run_id: 'mas_made',
      total_turns: turns.length,
    },
  ];
  let seq = 0;
  turns.forEach(({ agent, deltas, subtype }, at) => {
    const own = { turn_id: at + 1, agent_id: agent };
    const boundary = (which: string, time: number): object => ({
      record_type: 'turn_boundary',
      boundary: which,
      ...own,
      seq: seq++,
      t_ms: T0 + time,
    });
    records.push(boundary('start', deltas[0]?.[1] ?? 0));
    for (const [text, time] of deltas)
      records.push({
        record_type: 'stream_delta',
        ...own,
        seq: seq++,
        delta_text: text,
        t_emitted_ms: T0 + time,
        t_rel_ms: time,
        ...(subtype === undefined ? {} : { event_subtype: subtype }),
      });
    records.push(boundary('end', deltas.at(-1)?.[1] ?? 0));
  });
  return records.map((record) => `${sortedJson(record)}\n`).join('');
}

export function madeTrace(caseId: string, turns: readonly MadeTurn[]): Trace {
  return parseTrace(traceText(caseId, turns), `${caseId}.trace.jsonl`);
}
