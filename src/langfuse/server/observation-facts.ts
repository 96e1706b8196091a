import type { ObservationRecord } from '../../store/records.ts';
import { LEVELS } from '../shapes/values.ts';

export type Level = (typeof LEVELS)[number];

export function levelOf({ level }: ObservationRecord): Level {
  return LEVELS.find((one) => one === level) ?? 'DEFAULT';
}

/** In seconds; null while it is not at its end. */
export function latencyOf({ startTime, endTime }: Pick<ObservationRecord, 'startTime' | 'endTime'>): number | null {
  return endTime === null ? null : secondsBetween(startTime, endTime);
}

/** In seconds; null where it was not told. */
export function timeToFirstToken({ startTime, completionStartTime }: ObservationRecord): number | null {
  return completionStartTime === null ? null : secondsBetween(startTime, completionStartTime);
}

/** The total that was told, else the sum of the parts; null where nothing was told. */
export function totalOf(details: Readonly<Record<string, number>>): number | null {
  if (details['total'] !== undefined) return details['total'];
  const parts = Object.values(details);
  return parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0);
}

function secondsBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 1000;
}
