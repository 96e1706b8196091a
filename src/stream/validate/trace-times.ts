import type { TraceMeta, TraceLine } from '../trace-records.ts';
import type { Invariant } from './invariant.ts';

/** How far times may be apart that should be equal, or run backwards: clocks are read in whole milliseconds. */
export const TOLERANCE_MS = 2;

/** Boundaries before the first delta wait for it; no honest trace has so many of them. */
const MOST_WAITING = 10_000;

interface Moment {
  readonly time: number;
  readonly line: number;
  readonly is: 'start' | 'delta' | 'end';
}

interface RelativeTime {
  readonly field: 't_ms' | 't_emitted_ms';
  readonly time: number;
  readonly since: number;
  readonly line: number;
}

/** What has been read of a trace so far, this record included. */
interface ClockFacts {
  readonly meta: TraceMeta | null;
  readonly metaLine: number | null;
  readonly deltas: number;
  readonly sure: boolean;
}

/**
 * The clock of a trace holds together: t0 is the emission of the first delta, relative times count from it, and time does
 * not run backwards, neither from delta to delta nor between a turn's boundaries and its deltas.
 */
export const timesHold: Invariant<TraceLine, ClockFacts> = (findings, facts) => {
  let first: number | null = null;
  let withoutTime = 0;
  let hasTime = false;
  let latest: Moment | null = null;
  let waiting: RelativeTime[] = [];

  /** If t0 and the first delta do not agree, which has been reported, either may be what the others count from. */
  const relative = ({ field, time, since, line }: RelativeTime): void => {
    const starts = [facts.meta?.t0_emitted_ms ?? null, first].filter((start) => start !== null);
    if (starts.length === 0 || starts.some((start) => Math.abs(time - start - since) <= TOLERANCE_MS)) return;
    const expected = `${time - starts[0]!}, ${field} ${time} - ${starts[0]!}, within ${TOLERANCE_MS} ms`;
    findings.add(line, 'time', `t_rel_ms: found ${since}, expected ${expected}`);
  };
  const release = (): void => {
    for (const each of waiting) relative(each);
    waiting = [];
  };
  const follows = (moment: Moment): void => {
    const by = latest === null ? 0 : latest.time - moment.time;
    if (latest !== null && by > TOLERANCE_MS) findings.add(moment.line, 'time', backwards(moment, latest, by));
    if (by <= 0 || by > TOLERANCE_MS) latest = moment;
  };
  return {
    see(record, line) {
      if (record.record_type === 'turn_boundary') {
        const { boundary, t_ms: time, t_rel_ms: since } = record;
        follows({ time, line, is: boundary });
        if (since === undefined) return;
        const own = { field: 't_ms', time, since, line } as const;
        if (facts.deltas === 0 && waiting.length < MOST_WAITING) waiting.push(own);
        else relative(own);
      } else if (record.record_type === 'stream_delta') {
        const { t_emitted_ms: time, t_rel_ms: since } = record;
        if (time === undefined || time === null) withoutTime += 1;
        else {
          hasTime = true;
          // A record that was lost before it may have been the first delta.
          if (facts.deltas === 1 && facts.sure) {
            first = time;
            const { meta, metaLine } = facts;
            const why = `, t_emitted_ms of the first delta (record ${line})`;
            if (meta !== null) findings.compare(metaLine, 't0', 't0_emitted_ms', meta.t0_emitted_ms, time, why);
          }
          follows({ time, line, is: 'delta' });
          relative({ field: 't_emitted_ms', time, since, line });
        }
        release();
      }
    },
    end() {
      release();
      if (withoutTime > 0 && !hasTime) findings.notice('untimed-trace');
      findings.notice('no-emission-time', withoutTime);
    },
  };
};

function backwards({ time, is }: Moment, before: Moment, by: number): string {
  const allowed = `expected at most ${TOLERANCE_MS} ms`;
  if (is === 'end' && before.is === 'delta')
    return `t_ms: the turn ends at ${time}, ${by} ms before the delta in record ${before.line}, ${allowed}`;
  if (is === 'delta' && before.is === 'start')
    return `t_emitted_ms: found ${time}, ${by} ms before the start of a turn in record ${before.line}, ${allowed}`;
  const field = is === 'delta' ? 't_emitted_ms' : 't_ms';
  return `${field}: found ${time}, ${by} ms before record ${before.line}, ${allowed}`;
}
