/**
 * How many of `many` runs a law gets here: a fifth of them in the main suite, and all in the slow one, whose configuration
 * sets MANY_RUNS. `test/laws/many-runs.slow.test.ts` lists the files that the slow suite runs again in this way.
 */
export function runsHere(many: number): number {
  return process.env['MANY_RUNS'] === undefined ? Math.ceil(many / 5) : many;
}
