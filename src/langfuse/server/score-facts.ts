import type { ScoreRecord } from '../../store/records.ts';
import { SCORE_SOURCES } from '../shapes/values.ts';

type ScoreSource = (typeof SCORE_SOURCES)[number];

/** Who gave a score; what the store was told otherwise came through an interface, not from a person. */
export function scoreSource({ source }: ScoreRecord): ScoreSource {
  return SCORE_SOURCES.find((one) => one === source) ?? 'API';
}

/** The number of a score that has to have one: a missing one is never answered as 0. */
export function numberOf({ id, dataType, value }: ScoreRecord): number {
  if (value === null) throw new Error(`the ${dataType} score ${id} has no number`);
  return value;
}
