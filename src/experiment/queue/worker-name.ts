/** Of a worker whose name does not say, and of a queue without workers. */
export const LEAST_CAPACITY = 8;

const CAPACITY = /-x(\d+)$/;

/** Shows how many calls the worker makes at once. */
export const workerName = (id: string, concurrency: number): string => `${id}-x${concurrency}`;

/**
 * The calls that workers with these names make at once.
 * @example callsAtOnce(['a-x4', 'b-x2']) // 6
 */
export const callsAtOnce = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + Number(CAPACITY.exec(name)?.[1] ?? LEAST_CAPACITY), 0);
