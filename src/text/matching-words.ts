/**
 * The first and the last word of a place that a quote has too; null if it has none. Words match one to one: as many as
 * possible in the order of both, closest together, and then those before and after that stand elsewhere in the quote.
 *
 * @example place "pain pain in the back", quote "severe pain in the back": from the second "pain"
 */
export function matchingEnds(
  count: number,
  quoted: number,
  isLike: (word: number, quotedWord: number) => boolean,
): { readonly first: number; readonly last: number } | null {
  const width = quoted + 1;
  const like = Uint8Array.from({ length: count * quoted }, (_, at) =>
    Number(isLike(Math.floor(at / quoted), at % quoted)),
  );
  /** How many words match at most, of those of the place and those of the quote from here on. */
  const most = new Uint32Array((count + 1) * width);
  for (let word = count - 1; word >= 0; word -= 1)
    for (let other = quoted - 1; other >= 0; other -= 1) {
      const [at, below] = [word * width + other, (word + 1) * width + other];
      most[at] = Math.max(most[at + 1]!, most[below]!, like[word * quoted + other]! + most[below + 1]!);
    }
  const all = most[0]!;
  if (all === 0) return null;
  let first = 0;
  while (most[(first + 1) * width] === all) first += 1;
  let last = first;
  const left = new Set(Array.from({ length: quoted }, (_, other) => other));
  for (let [word, other, rest] = [first, 0, all]; rest > 0;) {
    const below = (word + 1) * width + other;
    if (like[word * quoted + other] === 1 && rest === 1 + most[below + 1]!) {
      left.delete(other);
      last = word;
      word += 1;
      other += 1;
      rest -= 1;
    } else if (most[word * width + other + 1] === rest) other += 1;
    else word += 1;
  }
  const isLeft = (word: number): boolean => {
    const other = left.values().find((at) => like[word * quoted + at] === 1);
    return other !== undefined && left.delete(other);
  };
  for (let word = first - 1; word >= 0; word -= 1) if (isLeft(word)) first = word;
  for (let word = last + 1; word < count; word += 1) if (isLeft(word)) last = word;
  return { first, last };
}
