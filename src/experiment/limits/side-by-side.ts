/**
 * Does the work for each, at most so many at a time, and answers in their order. Nothing new is begun after a failure, nor
 * once it is over; what is in hand is waited for, so that no call is still under way when the failure is told.
 */
export async function sideBySide<T, R>(
  all: Iterable<T> | AsyncIterable<T>,
  most: number,
  work: (one: T, index: number) => Promise<R>,
  isOver: () => boolean = () => false,
): Promise<R[]> {
  const results: R[] = [];
  const faults: unknown[] = [];
  const inHand = new Set<number>();
  let begun = 0;
  let freed = Promise.withResolvers<void>();
  const begin = async (one: T, index: number): Promise<void> => {
    inHand.add(index);
    try {
      results[index] = await work(one, index);
    } catch (error) {
      faults.push(error);
    }
    inHand.delete(index);
    freed.resolve();
  };
  const untilFewerThan = async (count: number): Promise<void> => {
    while (inHand.size >= count) {
      freed = Promise.withResolvers();
      await freed.promise;
    }
  };
  for await (const one of all) {
    await untilFewerThan(Math.max(1, most));
    if (faults.length > 0 || isOver()) break;
    void begin(one, begun);
    begun += 1;
  }
  await untilFewerThan(1);
  if (faults.length > 0) throw faults[0];
  return results;
}
