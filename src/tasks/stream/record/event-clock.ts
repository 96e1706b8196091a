import type { Clock } from '../trace-records.ts';

export interface ClockOptions {
  /** Whether events without a time get that of their arrival. */
  readonly arrival: boolean;
  /** From event to event, where time is made up. */
  readonly gapMs: number;
  /** The first moment of a time that is made up. */
  readonly startMs: number;
}

/** 2000-01-01T00:00:00Z */
export const USUAL_CLOCK: ClockOptions = { arrival: false, gapMs: 20, startMs: 946_684_800_000 };

/** Says when an event was. The first event decides where times come from, for all of them. */
export class EventClock {
  readonly #options: ClockOptions;
  readonly #now: () => number;
  #kind: Clock | null;
  #events = 0;
  #latest = -Infinity;

  constructor(options: ClockOptions, now: () => number, kind: Clock | null = null) {
    this.#options = options;
    this.#now = now;
    this.#kind = kind;
  }

  /** Null before the first event. */
  get kind(): Clock | null {
    return this.#kind;
  }

  /** The time of the next event, or why it cannot have one. An event that is refused for any reason is not counted. */
  read(given: number | null): { readonly time: number; readonly kind: Clock } | { readonly fault: string } {
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
  take(time: number, kind: Clock): void {
    this.#kind = kind;
    this.#latest = time;
    this.#events += 1;
  }
}

function shown(ms: number): string {
  return new Date(ms).toISOString();
}
