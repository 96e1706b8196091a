/** What a number is held against: one end, or both. */
export interface Bound {
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

export function keepsTo({ atLeast, atMost }: Bound, value: number): boolean {
  return (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
}

/** `at least 0.85`, `from 8 to 10`; also what tells two bounds apart. */
export function boundText({ atLeast, atMost }: Bound): string {
  if (atLeast === undefined) return `at most ${atMost ?? ''}`;
  return atMost === undefined ? `at least ${atLeast}` : `from ${atLeast} to ${atMost}`;
}
