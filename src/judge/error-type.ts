/**
 * What kind of error a missed or spurious item is: each has one type and no other.
 * A figure of them adds up to the gap between F1 and 1.
 */
export const ERROR_TYPES = [
  'boundary',
  'type',
  'both',
  'split',
  'merged',
  'duplicate',
  'missed',
  'spurious',
  'ungrounded',
] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];
