import { skipSpace } from '../../text/characters.ts';
import type { Span } from '../../text/span.ts';
import type { ReadContext } from '../data-options.ts';
import { type Item, makeItem } from '../item.ts';
import { wrong } from '../record-fields.ts';

/** `O`, `B-PER`, `U-LOC`; the type may also come first, `PER-B`, or be left out, `B`. */
export const TAG = /^(?:O|[BIESLU]-.+)$/s;
const SUFFIXED = /^(\S.*)-([BIESLU])$/;
const UNTYPED = 'ENTITY';
const BEGIN_STRAY = 'or read it as a beginning: --set data.strayInside=begin';

/** Labels of syntactic chunks. In CoNLL-2003 and its kin, they are an input of the tagger that stands before the tags. */
const CHUNKS = new Set('ADJC ADJP ADVC ADVP CONJP INTJ LST NC NP PC PP PRT SBAR UCP VC VP'.split(' '));

/** How the tags of a file are written. */
export type TagScheme = 'prefix' | 'suffix' | 'bare' | 'types';

const SCHEMES = ['prefix', 'suffix', 'bare'] as const;
const FITS: Readonly<Record<TagScheme, RegExp>> = { prefix: TAG, suffix: SUFFIXED, bare: /^[BIESLU]$/, types: /./s };

export function fitsScheme(tag: string, scheme: TagScheme): boolean {
  return tag === 'O' || FITS[scheme].test(tag);
}

/** The labels of some tags; tags that do not fit have none. */
export function tagLabels(tags: readonly string[], scheme: TagScheme): ReadonlySet<string> {
  const fitting = tags.filter((tag) => tag !== 'O' && fitsScheme(tag, scheme));
  return new Set(fitting.map((tag) => tagParts(tag, scheme)[1]));
}

/** Whether labels are those of syntactic chunks, and no others. */
export function areChunks(labels: ReadonlySet<string>): boolean {
  return labels.size > 0 && labels.isSubsetOf(CHUNKS);
}

export interface TaggedToken {
  readonly tag: string;
  readonly line: number;
}

/** The scheme that all of some tags are in, the plainest first; null if no scheme fits. `types` is IO without a prefix. */
export function schemeOf(tags: Iterable<string>, allowsTypes = false): TagScheme | null {
  const found = new Set(tags);
  const plain = SCHEMES.find((scheme) => [...found].every((tag) => fitsScheme(tag, scheme)));
  return plain ?? (allowsTypes && found.has('O') ? 'types' : null);
}

/** What tokens of the Penn Treebank stand for in a text. */
const TREEBANK: ReadonlyMap<string, readonly string[]> = new Map([
  ['``', ['"', '“']],
  ["''", ['"', '”']],
  ['-LRB-', ['(']],
  ['-RRB-', [')']],
]);

/** Places of tokens: in the given text if it has all of them in order, else in the tokens joined by single spaces. */
export function placeTokens(
  tokens: readonly string[],
  given: string | null,
): { text: string; places: Span[]; isGiven: boolean } {
  const places: Span[] = [];
  let at = 0;
  if (given !== null) {
    for (const token of tokens) {
      const next = skipSpace(given, at);
      // A token may be white space itself.
      const own = given.indexOf(token, at);
      const isOwn = own >= 0 && own <= next;
      const word = isOwn ? token : TREEBANK.get(token)?.find((one) => given.startsWith(one, next));
      if (word === undefined) break;
      const start = isOwn ? own : next;
      at = start + word.length;
      places.push({ start, end: at });
    }
    if (places.length === tokens.length) return { text: given, places, isGiven: true };
  }
  at = 0;
  const joined = tokens.map((token): Span => {
    const start = at;
    at += token.length + 1;
    return { start, end: start + token.length };
  });
  return { text: tokens.join(' '), places: joined, isGiven: false };
}

/** A word of the text that is parted into several tokens. */
export interface PartedWord {
  readonly text: string;
  /** The first token of it, and how many there are. */
  readonly from: number;
  readonly count: number;
}

/**
 * Places of the tokens and of the words that they are parts of. Parts have the place of their word, since the text has no
 * other; without a text that has the words, the text is the parts.
 */
export function placeWords(
  tokens: readonly string[],
  parted: readonly PartedWord[],
  text: string | null,
): { text: string; places: Span[]; words: Span[] } {
  const parts = new Map(parted.map((word) => [word.from, word]));
  const words: { readonly text: string; readonly count: number }[] = [];
  for (let at = 0; at < tokens.length;) {
    const word = parts.get(at);
    const isWhole = word !== undefined && word.count > 0 && at + word.count <= tokens.length;
    words.push(isWhole ? word : { text: tokens[at]!, count: 1 });
    at += words.at(-1)!.count;
  }
  const whole = placeTokens(
    words.map((word) => word.text),
    text,
  );
  if (whole.isGiven)
    return {
      text: whole.text,
      places: words.flatMap(({ count }, at) => Array.from({ length: count }, () => whole.places[at]!)),
      words: whole.places,
    };
  const own = placeTokens(tokens, text);
  return { text: own.text, places: own.places, words: own.places };
}

/**
 * Spans of IOB1, IOB2, BIOES, BILOU or IO tags, with UTF-16 places. An I-, E- or L- that nothing began begins one, as
 * conlleval reads it, or is a problem.
 */
export function taggedSpans(
  tokens: readonly TaggedToken[],
  { text, places }: { readonly text: string; readonly places: readonly Span[] },
  scheme: TagScheme,
  context: ReadContext,
): Item[] {
  const items: Item[] = [];
  let from = -1;
  let label = '';
  const close = (to: number): void => {
    if (from < 0) return;
    const [start, end] = [places[from]!.start, places[to]!.end];
    const { line } = tokens[from]!;
    items.push(makeItem({ kind: 'span', index: items.length, label, text: text.slice(start, end), start, end, line }));
    from = -1;
  };
  tokens.forEach(({ line, tag }, at) => {
    const [mark, own] = tagParts(tag, scheme);
    const isInside = mark === 'I' || mark === 'E' || mark === 'L';
    const goesOn = isInside && from >= 0 && own === label;
    if (!goesOn) close(at - 1);
    if (mark === 'O') return;
    if (!goesOn) {
      if (isInside && scheme !== 'types' && context.options.strayInside === 'error')
        wrong(context, line, 'tag', `B-${own} before ${tag}`, tag, BEGIN_STRAY);
      from = at;
      label = own;
    }
    if (mark !== 'B' && mark !== 'I') close(at);
  });
  close(tokens.length - 1);
  return items;
}

function tagParts(tag: string, scheme: TagScheme): [mark: string, label: string] {
  if (tag === 'O') return ['O', ''];
  if (scheme === 'types') return ['I', tag];
  if (scheme === 'bare') return [tag, UNTYPED];
  if (scheme === 'prefix') return [tag[0]!, tag.slice(2)];
  const [, label = '', mark = ''] = SUFFIXED.exec(tag) ?? [];
  return [mark, label];
}

/**
 * A BIO tag for each token; a span has to be in one piece, to begin and end with tokens, and may not share one with
 * another: what does not fit is left out, the first of two that overlap stays.
 */
export function bioTags(places: readonly Span[], items: readonly Item[]): string[] {
  const tags = places.map(() => 'O');
  const [starts, ends] = [
    new Map(places.map(({ start }, at) => [start, at])),
    new Map(places.map(({ end }, at) => [end, at])),
  ];
  for (const { kind, start, end, label, fragments } of items) {
    const [first, last] = [starts.get(start), ends.get(end)];
    if (kind === 'relationship' || fragments !== undefined || first === undefined || last === undefined) continue;
    if (tags.slice(first, last + 1).some((tag) => tag !== 'O')) continue;
    for (let at = first; at <= last; at += 1) tags[at] = `${at === first ? 'B' : 'I'}-${label}`;
  }
  return tags;
}
