/** One column each, whatever is beside them: ASCII, Latin, dashes and quotes, arrows, lines, the signs of verdicts. */
const PLAIN =
  /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u2193\u2500-\u257f\u2713\u2717]*$/;
let segmenter: Intl.Segmenter | null = null;

/** Made when it is first needed: that takes longer than most commands, and so does reading the patterns of `clusterWidth`. */
function segments(text: string): Intl.Segments {
  return (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })).segment(text);
}

/** What a reader sees as one character: never cut, and marked as a whole. */
export interface Cluster {
  readonly text: string;
  /** Place in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Columns of a terminal. */
  readonly width: number;
}

export function clusters(text: string): Cluster[] {
  return Array.from(segments(text), ({ segment, index }) => ({
    text: segment,
    start: index,
    end: index + segment.length,
    width: clusterWidth(segment),
  }));
}

/**
 * How many columns a terminal gives a text, by the rule most of them follow: 2 for East Asian wide characters and
 * emoji, 0 for marks that sit on the letter before, 1 for the rest.
 *
 * @example displayWidth('日本') // 4
 * @example displayWidth('नमस्ते') // 4
 * @example displayWidth('👩‍🍳') // 2
 */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segments(text)) width += clusterWidth(segment);
  return width;
}

function clusterWidth(cluster: string): number {
  if (cluster.length === 1 && PLAIN.test(cluster)) return 1;
  return isEmoji(cluster) ? 2 : Array.from(cluster, characterWidth).reduce((sum, width) => sum + width, 0);
}

function characterWidth(character: string): number {
  const wide =
    /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18d08}\u{1b000}-\u{1b2fb}\u{20000}-\u{3fffd}]/u;
  return /[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u.test(character) ? 0 : wide.test(character) ? 2 : 1;
}

/** Made of several code points: joined people, flags, keycaps, or a sign with the emoji selector. */
function isEmoji(cluster: string): boolean {
  return /^(?:\p{RGI_Emoji}|\p{Extended_Pictographic}[^]*(?:\u200d|\ufe0f)[^]*)$/v.test(cluster);
}

/** The beginning of a text in at most `width` columns, with … where something was cut. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let out = '';
  let used = 0;
  for (const cluster of clusters(text)) {
    if (used + cluster.width > width - 1) break;
    out += cluster.text;
    used += cluster.width;
  }
  return width > 0 ? `${out}…` : '';
}

/**
 * Both ends of a text in at most `width` columns: names of measures begin alike and end alike.
 *
 * @example truncateMiddle('relationship_over_extraction', 20) // 'relationsh…xtraction'
 */
export function truncateMiddle(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const most = Math.floor((width - 1) / 2);
  let used = 0;
  const tail = clusters(text)
    .toReversed()
    .find((cluster) => {
      used += cluster.width;
      return used > most;
    });
  return `${truncate(text, width - most)}${text.slice(tail?.end ?? 0)}`;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** How wide a text is, and what is not broken into lines unless it must be. */
interface Wrapping {
  readonly measure: (text: string) => number;
  readonly words: RegExp;
}

const TERMINAL: Wrapping = { measure: displayWidth, words: /[^ ]+(?: +[%·][^ ]*)*/g };

/**
 * Lines of at most `width` columns, broken at spaces, though not before a per cent sign or a separating dot; a word that
 * is longer is broken where it must be.
 */
export function wrapWords(text: string, width: number, wrapping: Wrapping = TERMINAL): string[] {
  return lineRanges(text, width, wrapping).map(([start, end]) => text.slice(start, end));
}

/** The same for text in pieces, which stay pieces. */
export function wrapPieces<P extends { readonly text: string }>(pieces: readonly P[], width: number): P[][] {
  const text = pieces.map((piece) => piece.text).join('');
  return lineRanges(text, width, TERMINAL).map(([from, to]) => {
    let at = 0;
    return pieces.flatMap((piece) => {
      const [start, end] = [Math.max(from - at, 0), Math.min(to - at, piece.text.length)];
      at += piece.text.length;
      return start < end ? [{ ...piece, text: piece.text.slice(start, end) }] : [];
    });
  });
}

function lineRanges(text: string, width: number, { measure, words }: Wrapping): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  let [start, end] = [0, 0];
  for (const { 0: word, index } of text.matchAll(words)) {
    const wordEnd = index + word.length;
    if (end > start && measure(text.slice(start, wordEnd)) <= width) {
      end = wordEnd;
      continue;
    }
    if (end > start) ranges.push([start, end]);
    [start, end] = [index, wordEnd];
    while (measure(text.slice(start, end)) > width) {
      const next = start + cut(text.slice(start, end), width, measure).length;
      ranges.push([start, next]);
      start = next;
    }
  }
  return end > start || ranges.length === 0 ? [...ranges, [start, end]] : ranges;
}

function cut(text: string, width: number, measure: Wrapping['measure']): string {
  let used = 0;
  let end = 0;
  for (const cluster of clusters(text)) {
    used += measure(cluster.text);
    if (used > width && end > 0) break;
    end = cluster.end;
  }
  return text.slice(0, end);
}

/**
 * Names with what they are, in two columns that fit a width: for help texts.
 *
 * @example definitionList([['merge', 'joins neighbours']], 80) // ['  merge  joins neighbours']
 */
export function definitionList(rows: readonly (readonly [name: string, about: string])[], width: number): string[] {
  const names = Math.max(0, ...rows.map(([name]) => displayWidth(name)));
  const room = Math.max(20, width - names - 4);
  return rows.flatMap(([name, about]) =>
    wrapWords(about, room).map((line, at) => `  ${(at === 0 ? name : '').padEnd(names)}  ${line}`.trimEnd()),
  );
}
