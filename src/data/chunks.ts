/** The first chunks glued to at least `least` bytes, as far as there are so many; null when there is nothing at all. */
export async function takeHead(chunks: AsyncIterator<Buffer>, least: number): Promise<Buffer | null> {
  const held: Buffer[] = [];
  let bytes = 0;
  while (bytes < least) {
    const next = await chunks.next();
    if (next.done === true) break;
    held.push(next.value);
    bytes += next.value.length;
  }
  if (bytes === 0) return null;
  return held.length === 1 ? held[0]! : Buffer.concat(held);
}

/** Puts back what was taken. Whoever stops early closes the rest too, also when it was not begun. */
export async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}
