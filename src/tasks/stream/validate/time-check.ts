import type { StreamDelta, TraceMeta, TurnBoundary } from '../trace-records.ts';
import type { Check } from './findings.ts';

type Tell = (line: number | null, check: Check, message: string) => void;

/** How far times may be apart that should be equal, or run backwards: clocks are read in whole milliseconds. */
export const TOLERANCE_MS = 2;

/** Boundaries before the first delta wait for it; nobody has so many of them by honest means. */
const MOST_WAITING = 10_000;

interface Moment {
  readonly time: number;
  readonly line: number;
  readonly is: 'start' | 'delta' | 'end';
}

interface Waiting {
  readonly time: number;
  readonly since: number;
  readonly line: number;
}

/**
 * Whether the clock of a trace holds together: t0 is the emission of the first delta, relative times count from it, and
 * time does not run backwards, neither from delta to delta nor between a turn's boundaries and its deltas.
 */
export class TimeCheck {
  readonly #tell: Tell;
  #stated: { readonly t0: number; readonly line: number } | null = null;
  #first: number | null = null;
  #deltas = 0;
  #withoutTime = 0;
  #latest: Moment | null = null;
  #waiting: Waiting[] = [];

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** Deltas that do not say when they were emitted. */
  get withoutTime(): number {
    return this.#withoutTime;
  }

  meta({ t0_emitted_ms: t0 }: TraceMeta, line: number): void {
    this.#stated ??= { t0, line };
  }

  boundary({ boundary, t_ms: time, t_rel_ms: since }: TurnBoundary, line: number): void {
    this.#follows({ time, line, is: boundary });
    if (since === undefined) return;
    const waits = this.#deltas === 0 && this.#waiting.length < MOST_WAITING;
    if (waits) this.#waiting.push({ time, since, line });
    else this.#relative('t_ms', { time, since, line });
  }

  /** `first` is false where a record before it was lost that may have been a delta. */
  delta({ t_emitted_ms: time, t_rel_ms: since }: StreamDelta, line: number, first: boolean): void {
    this.#deltas += 1;
    if (time === undefined || time === null) this.#withoutTime += 1;
    else {
      if (this.#deltas === 1 && first) this.#start(time, line);
      this.#follows({ time, line, is: 'delta' });
      this.#relative('t_emitted_ms', { time, since, line });
    }
    this.#release();
  }

  end(): void {
    this.#release();
  }

  #start(time: number, line: number): void {
    this.#first = time;
    if (this.#stated !== null && this.#stated.t0 !== time)
      this.#tell(
        this.#stated.line,
        't0',
        `t0_emitted_ms: found ${this.#stated.t0}, expected ${time}, t_emitted_ms of the first delta (record ${line})`,
      );
  }

  #release(): void {
    if (this.#waiting.length === 0) return;
    for (const one of this.#waiting) this.#relative('t_ms', one);
    this.#waiting = [];
  }

  /** Where t0 and the first delta do not agree, which has been told, either may be what the others count from. */
  #relative(field: string, { time, since, line }: Waiting): void {
    const starts = [this.#stated?.t0 ?? null, this.#first].filter((one) => one !== null);
    if (starts.length === 0 || starts.some((start) => Math.abs(time - start - since) <= TOLERANCE_MS)) return;
    this.#tell(
      line,
      'time',
      `t_rel_ms: found ${since}, expected ${time - starts[0]!}, ${field} ${time} - ${starts[0]!}, within ${TOLERANCE_MS} ms`,
    );
  }

  #follows(moment: Moment): void {
    const before = this.#latest;
    if (before === null || moment.time >= before.time) {
      this.#latest = moment;
      return;
    }
    const by = before.time - moment.time;
    if (by <= TOLERANCE_MS) return;
    this.#tell(moment.line, 'time', backwards(moment, before, by));
    this.#latest = moment;
  }
}

function backwards({ time, is }: Moment, before: Moment, by: number): string {
  const allowed = `expected at most ${TOLERANCE_MS} ms`;
  if (is === 'end' && before.is === 'delta')
    return `t_ms: the turn ends at ${time}, ${by} ms before its delta in record ${before.line}, ${allowed}`;
  if (is === 'delta' && before.is === 'start')
    return `t_emitted_ms: found ${time}, ${by} ms before the start of its turn in record ${before.line}, ${allowed}`;
  const field = is === 'delta' ? 't_emitted_ms' : 't_ms';
  return `${field}: found ${time}, ${by} ms before record ${before.line}, ${allowed}`;
}
