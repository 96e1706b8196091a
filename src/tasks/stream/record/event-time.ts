import { describe } from '../../../data/record-fields.ts';

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
