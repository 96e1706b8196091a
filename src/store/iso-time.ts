import { shorten, visible } from '../data/visible.ts';
import { StoreConflict } from './store-conflict.ts';

/** Thousands of rows are written within a millisecond of each other, and making the text takes longer than they do. */
let current = { at: Number.NaN, iso: '' };

export function now(): string {
  const at = Date.now();
  if (at !== current.at) current = { at, iso: new Date(at).toISOString() };
  return current.iso;
}

/**
 * A time as it is kept: in UTC, with milliseconds. Beyond the year 9999 the text would no longer sort by time.
 *
 * @example isoTime('2026-01-02T03:04:05+01:00') // '2026-01-02T02:04:05.000Z'
 */
export function isoTime(given: string): string {
  if (given === last.given) return last.iso;
  const time = new Date(given);
  const iso = Number.isNaN(time.getTime()) ? '' : time.toISOString();
  if (iso.length === 24) {
    last = { given, iso };
    return iso;
  }
  throw new StoreConflict(`${visible(shorten(given))} is no time; expected one like 2026-01-31T12:00:00.000Z`);
}

/** The scores of a trace all have its time. */
let last = { given: '', iso: '' };

/** The next time that can be told from the given one. */
export function justAfter(time: string): string {
  return new Date(Date.parse(time) + 1).toISOString();
}

export function latest(...times: readonly (string | null)[]): string {
  return times.reduce<string>((most, time) => (time !== null && time > most ? time : most), '');
}
