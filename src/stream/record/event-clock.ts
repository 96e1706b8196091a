import { describe } from '../../plugin.ts';
import type { ClockKind } from '../trace-records.ts';

export interface ClockOptions {
  /** Whether events without a time get that of their arrival. */
  readonly arrival: boolean;
  /** From event to event, if time is made up. */
  readonly gapMs: number;
  /** The first moment of a time that is made up. */
  readonly startMs: number;
}

/** 2000-01-01T00:00:00Z */
export const DEFAULT_CLOCK: ClockOptions = { arrival: false, gapMs: 20, startMs: 946_684_800_000 };

/** When an event was. The first event decides where the times of all events come from. */
export class EventClock {
  readonly #options: ClockOptions;
  readonly #now: () => number;
  #kind: ClockKind | null;
  #events = 0;
  #latest = -Infinity;

  constructor(options: ClockOptions, now: () => number, kind: ClockKind | null = null) {
    this.#options = options;
    this.#now = now;
    this.#kind = kind;
  }

  /** The time of the next event, or why it cannot have one. An event that is refused for any reason is not counted. */
  read(given: number | null): { readonly time: number; readonly kind: ClockKind } | { readonly fault: string } {
    const kind = this.#kind ?? (given !== null ? 'given' : this.#options.arrival ? 'arrival' : 'virtual');
    if (kind === 'given') {
      if (given === null) return { fault: 'time: found none, expected one as in the events before' };
      if (given < this.#latest)
        return { fault: `time: found ${shown(given)}, expected ${shown(this.#latest)} of the event before, or later` };
      return { time: given, kind };
    }
    if (given !== null) return { fault: `time: found ${shown(given)}, expected none as in the events before` };
    if (kind === 'arrival') return { time: Math.max(this.#latest, Math.round(this.#now())), kind };
    return { time: this.#options.startMs + this.#events * this.#options.gapMs, kind };
  }

  /** The event was taken: the next one comes after it. */
  take(time: number, kind: ClockKind): void {
    this.#kind = kind;
    this.#latest = time;
    this.#events += 1;
  }
}

function shown(ms: number): string {
  return new Date(ms).toISOString();
}

/** 1973: what is before it was meant as seconds. */
const EARLIEST = 1e11;
/** The year 9999, the last that ISO 8601 writes with four digits. */
const LATEST = 253_402_300_799_999;

const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * A moment in whole milliseconds since 1970, or why it is none.
 *
 * @example eventTime('2000-01-01T01:00:00+01:00') // { ms: 946684800000 }
 */
export function eventTime(given: number | string): { readonly ms: number } | { readonly fault: string } {
  if (typeof given === 'number') {
    const ms = Math.round(given);
    if (ms >= EARLIEST && ms <= LATEST) return { ms };
    const hint =
      ms > 0 && ms < EARLIEST ? ', which would be before 1973; if these are seconds, multiply them by 1000' : '';
    return { fault: `expected milliseconds since 1970, found ${given}${hint}` };
  }
  // Without an offset it would be another moment on every machine.
  const ms = ISO.test(given) ? Date.parse(given.replace(' ', 'T').replace(',', '.')) : Number.NaN;
  if (Number.isNaN(ms))
    return { fault: `expected a time such as 2000-01-31T12:00:00.000Z, with Z or an offset, found ${describe(given)}` };
  return ms >= EARLIEST ? { ms } : { fault: `expected a time after 1973, found ${describe(given)}` };
}
