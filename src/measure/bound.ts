/** One end that a number may be held against; exactly one of the two is given. */
export interface Bound {
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

export function keepsTo({ atLeast, atMost }: Bound, value: number): boolean {
  return (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
}

/** `at least 0.85`; also what tells two bounds apart. */
export function boundText({ atLeast, atMost }: Bound): string {
  return atLeast === undefined ? `at most ${atMost ?? ''}` : `at least ${atLeast}`;
}
