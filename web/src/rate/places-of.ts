const MOST = 1000;

/** The places of words in a text, from left to right; `[]` for no words. */
export function placesOf(text: string, words: string): readonly number[] {
  if (words === '') return [];
  const places: number[] = [];
  for (let at = text.indexOf(words); at >= 0 && places.length < MOST; at = text.indexOf(words, at + 1)) places.push(at);
  return places;
}

/** What stands around a place, cut at words where that is not far, with … where it is cut. */
export function around(
  text: string,
  start: number,
  end: number,
  reach = 40,
): { readonly before: string; readonly after: string } {
  const from = Math.max(0, start - reach);
  const to = Math.min(text.length, end + reach);
  const before = text.slice(from, start).replaceAll(/\s+/g, ' ');
  const after = text.slice(end, to).replaceAll(/\s+/g, ' ');
  return {
    before: from === 0 ? before : `…${before.replace(/^\S{0,15}\s/u, '')}`,
    after: to === text.length ? after : `${after.replace(/\s\S{0,15}$/u, '')}…`,
  };
}
