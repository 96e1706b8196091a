/** Does it for each, a few at a time, and answers in their order. The first failure ends it: nothing new is begun. */
export async function sideBySide<T, R>(
  all: readonly T[],
  most: number,
  work: (one: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results = Array.from<R>({ length: all.length });
  let next = 0;
  let failed = false;
  const worker = async (): Promise<void> => {
    while (next < all.length && !failed) {
      const index = next;
      next += 1;
      try {
        results[index] = await work(all[index]!, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  // All of them are waited for, so that no call is still under way when the failure is told.
  const ends = await Promise.allSettled(Array.from({ length: Math.min(most, all.length) }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}
