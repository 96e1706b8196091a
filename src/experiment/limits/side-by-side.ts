/** Runs the work `most` at a time; results keep their order. After a failure, work in progress is waited for. */
export async function sideBySide<T, R>(
  all: Iterable<T> | AsyncIterable<T>,
  most: number,
  work: (one: T, index: number) => Promise<R>,
  isOver: () => boolean = () => false,
): Promise<R[]> {
  const results: R[] = [];
  const faults: unknown[] = [];
  const items = (async function* () {
    yield* all;
  })();
  let begun = 0;
  const worker = async (): Promise<void> => {
    try {
      for (let next = await items.next(); next.done !== true; next = await items.next()) {
        if (faults.length > 0 || isOver()) return;
        const index = begun;
        begun += 1;
        results[index] = await work(next.value, index);
      }
    } catch (error) {
      faults.push(error);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, most) }, worker));
  await items.return();
  if (faults.length > 0) throw faults[0];
  return results;
}

/** Batches of `size`, the last one with what is left. */
export async function* inBatches<T>(all: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const one of all) {
    if (batch.push(one) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
