import { UsageError } from '../../data/problems.ts';
import { shorten, visible } from '../../data/visible.ts';
import { durationText } from '../../text/figures.ts';

const DAY_MS = 86_400_000;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };
const PART = /(\d+(?:\.\d+)?)(ms|s|m|h|d)/g;
const FORM = 'expected a number with its unit, such as 30s, 10m, 2h or 1h30m, or a plain number of seconds';

/**
 * A duration as people write it, in milliseconds: a number of seconds, or numbers with ms, s, m, h or d, but never 0.
 * @example parseDuration('1h30m', '--time') // 5_400_000
 */
export function parseDuration(given: string | number, what: string): number {
  const written = String(given).trim().toLowerCase();
  const text = /^\d+(?:\.\d+)?$/.test(written) ? `${written}s` : written;
  const parts = [...text.matchAll(PART)];
  const ms = Math.round(parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * UNITS[unit]!, 0));
  const shown = `${what}: ${visible(shorten(String(given)))}`;
  if (text.replaceAll(PART, '') !== '' || text === '') throw new UsageError(`${shown} is no duration`, FORM);
  if (ms === 0) throw new UsageError(`${shown} is no time at all`, 'give at least a millisecond, or leave it out');
  // More is a slip, and no timer takes it.
  if (!(ms <= 36_500 * DAY_MS)) throw new UsageError(`${shown} is too long`, 'the most is 36500d, a hundred years');
  return ms;
}

/** A wait that a server asks for: in the seconds it names, as long as a person can make something of them. */
export function waitText(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (ms <= DAY_MS) return `${seconds} s`;
  return ms <= 365 * DAY_MS ? durationText(seconds) : 'more than a year';
}
