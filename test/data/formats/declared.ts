import type { Case } from '../../../src/data/case.ts';
import type { Item, Side } from '../../../src/data/item.ts';
import type { Span } from '../../../src/text/span.ts';
import { wordSpans } from '../../../src/text/words.ts';

/** What each format is said to hold, apart from the code that writes it: what a round trip is measured by. */

export interface Declared {
  /** Places of mentions: any; any but in pieces; beginning and ending in tokens or with them; tags that share no token. */
  readonly spans: 'pieces' | 'anywhere' | 'in-tokens' | 'on-tokens' | 'tags' | 'none' | 'quotes';
  /** Characters of a text that it cannot hold; null: it holds no text. */
  readonly signs?: RegExp | null;
  /** Characters of what items quote that it cannot hold; those of texts, if that is not said. */
  readonly words?: RegExp;
  /** Labels that it holds as they are. */
  readonly labels?: (label: string) => boolean;
  /** Relations between mentions; or between names, where mentions are not kept; or neither. */
  readonly relations?: 'mentions' | 'names';
  readonly annotators?: boolean | 'gold';
  readonly ids?: (id: string) => boolean;
  /** What it keeps of fields with plain names: of items, and of cases. */
  readonly fields?: 'json' | 'text';
  readonly caseFields?: 'json' | 'text';
  readonly tokens?: boolean;
  readonly failures?: boolean;
  readonly both?: boolean;
  /** Entities without a place: as they are, or as quotes that are looked for. */
  readonly names?: boolean;
  readonly quotes?: boolean;
}

const LINES = /[\t\n\r]/;
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u;
const LONE = /\p{Cs}/u;
const isFileName = (id: string): boolean =>
  /^[^\\/:*?"<>|\p{Cc}\p{Cs}]+$/u.test(id) &&
  !/^[.-]|[. ]$|^CON$/.test(id) &&
  id === id.normalize('NFC') &&
  id.length <= 200;
const EDGES = /^[\s\u0085\u001c-\u001f]|[\s\u0085\u001c-\u001f]$/;
const isXml = (text: string): boolean => !NOT_XML.test(text);
const isWhole = (id: string): boolean => !LONE.test(id);
const JSON_FIELDS = { fields: 'json', caseFields: 'json' } as const;

export const DECLARED: Readonly<Record<string, Declared>> = {
  spans: { ...JSON_FIELDS, spans: 'pieces', annotators: true, tokens: true, failures: true, both: true, quotes: true },
  graph: {
    ...JSON_FIELDS,
    spans: 'pieces',
    relations: 'mentions',
    annotators: true,
    tokens: true,
    failures: true,
    both: true,
    names: true,
  },
  'annotated-documents': { ...JSON_FIELDS, spans: 'pieces', annotators: 'gold', both: true },
  journal: { ...JSON_FIELDS, spans: 'quotes', failures: true, names: true },
  'model-json': { ...JSON_FIELDS, spans: 'quotes', quotes: true },
  doccano: { ...JSON_FIELDS, spans: 'anywhere', relations: 'mentions', annotators: true },
  'label-studio': { spans: 'anywhere', relations: 'mentions', caseFields: 'json', annotators: true, both: true },
  prodigy: { ...JSON_FIELDS, spans: 'anywhere', relations: 'mentions' },
  presidio: { ...JSON_FIELDS, spans: 'anywhere' },
  'presidio-research': { ...JSON_FIELDS, spans: 'anywhere' },
  'hugging-face': { ...JSON_FIELDS, spans: 'anywhere' },
  langextract: { ...JSON_FIELDS, spans: 'anywhere', quotes: true },
  'spacy-json': { ...JSON_FIELDS, spans: 'anywhere' },
  'spacy-pairs': { spans: 'anywhere', ids: () => false },
  'gate-bdoc': { ...JSON_FIELDS, spans: 'anywhere' },
  'gate-xml': { fields: 'text', caseFields: 'text', spans: 'anywhere', signs: NOT_XML, labels: isXml, ids: isFileName },
  'uima-json': { fields: 'text', spans: 'anywhere', relations: 'mentions', tokens: true },
  'uima-xmi': {
    fields: 'text',
    spans: 'anywhere',
    signs: NOT_XML,
    labels: isXml,
    relations: 'mentions',
    tokens: true,
    ids: isXml,
  },
  'webanno-tsv': {
    fields: 'text',
    spans: 'in-tokens',
    signs: LONE,
    labels: isWhole,
    relations: 'mentions',
    tokens: true,
    ids: isFileName,
  },
  brat: {
    spans: 'pieces',
    signs: LONE,
    labels: (label) => !/\s/.test(label) && isWhole(label),
    relations: 'mentions',
    ids: isFileName,
  },
  pubtator: {
    spans: 'anywhere',
    signs: /[\t\n\r]|\p{Cs}/u,
    labels: (label) => !LINES.test(label) && isWhole(label),
    relations: 'mentions',
    ids: (id) => !/[|\t\r\n]|\p{Cs}|^\s|\s$/u.test(id),
  },
  conll: {
    spans: 'tags',
    signs: /[\t\n\r\u2028\u2029]|\p{Cs}/u,
    labels: (label) => !/[\t\n\r]|^ | $|\p{Cs}/u.test(label),
    tokens: true,
    ids: (id) => id === id.replaceAll(/\s+/g, ' ').trim() && isWhole(id),
    both: true,
  },
  'tagged-records': { spans: 'tags', caseFields: 'json', tokens: true },
  'spacy-training': { spans: 'tags', tokens: true },
  'spacy-docbin': { spans: 'tags', signs: LONE, labels: isWhole, ids: () => false },
  gliner: { spans: 'on-tokens', caseFields: 'json', tokens: true },
  dygie: { spans: 'on-tokens', relations: 'mentions', caseFields: 'json', tokens: true, both: true },
  masks: { spans: 'anywhere', signs: null, labels: (label) => label === 'MASK' },
  csv: {
    fields: 'text',
    spans: 'anywhere',
    signs: null,
    words: LONE,
    labels: isWhole,
    relations: 'names',
    annotators: true,
    ids: isWhole,
  },
  triples: { ...JSON_FIELDS, spans: 'none', relations: 'names', annotators: false },
  text2kgbench: { spans: 'none', relations: 'names', caseFields: 'json', both: true },
  'function-calls': { spans: 'none', signs: null, relations: 'names', caseFields: 'json' },
};

/** What becomes of the items of a side: null where the format itself does not say. */
export function keptItems(
  format: string,
  given: Case,
  side: Side,
  cases: readonly Case[],
): ReadonlyMap<Item, boolean | null> {
  const declared = DECLARED[format]!;
  const items = given[side];
  const kept = new Map<Item, boolean | null>();
  const mentions = items.filter(({ kind }) => kind !== 'relationship');
  const joins = items.filter(({ kind }) => kind === 'relationship');
  const tokens = tokensOf(given);
  const taken = new Set<number>();
  // A table has rows of one kind.
  const isTriples = format === 'csv' && cases.some((one) => one[side].some(({ kind }) => kind === 'relationship'));
  for (const item of mentions) {
    const isKept = isTriples ? false : isMentionKept(item, declared, tokens, taken);
    // Beside a tag that may be there or not, so may others.
    const isBeside = mentions.some((one) => kept.get(one) === null && one.start < item.end && item.start < one.end);
    kept.set(item, declared.spans === 'tags' && isBeside ? null : isKept);
  }
  for (const join of joins) kept.set(join, isJoinKept(join, mentions, kept, declared, format));
  return kept;
}

/** Whether all that is seen of a text is in its tokens, in their order. */
export function tokensOf({ text, tokens }: Case): readonly Span[] {
  const whole = text ?? '';
  const words = wordSpans(whole, 'unicode');
  if (!tokens) return words;
  const inside = new Set(
    tokens.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)),
  );
  return words.every(({ start, end }) => inside.has(start) && inside.has(end - 1)) ? tokens : words;
}

function isMentionKept(
  item: Item,
  { spans, signs, words = signs ?? undefined, labels = () => true, names, quotes }: Declared,
  tokens: readonly Span[],
  taken: Set<number>,
): boolean | null {
  const { start, end, label, text, fragments } = item;
  // A quote may be found in the text, and is then a span.
  if (start < 0) return names ? true : quotes ? null : false;
  const isInWords = words?.test(text) !== true;
  if (spans === 'none') return false;
  if (spans === 'quotes') return null;
  const [first, last] = [tokens.findIndex((one) => one.start === start), tokens.findIndex((one) => one.end === end)];
  if (spans === 'tags') {
    const own = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    if (fragments !== undefined || first < 0 || last < 0 || own.some((at) => taken.has(at)))
      // White space may be a token to spaCy.
      return EDGES.test(text) ? null : false;
    for (const at of own) taken.add(at);
  }
  if (spans === 'on-tokens' && (first < 0 || last < 0)) return false;
  if (spans === 'in-tokens') {
    const isInside = (place: number): boolean => tokens.some((one) => one.start <= place && place < one.end);
    if (!isInside(start) || !isInside(end - 1)) return false;
  }
  return (fragments === undefined || spans === 'pieces') && labels(label) && isInWords;
}

/** A relation names mentions by id, else by their words. */
function mentionNamed(ref: string | null, mentions: readonly Item[]): Item | undefined {
  return (
    mentions.find(({ fields }) => (fields['id'] ?? fields['temp_id']) === ref) ??
    mentions.find(({ text }) => text === ref)
  );
}

function isJoinKept(
  join: Item,
  mentions: readonly Item[],
  kept: ReadonlyMap<Item, boolean | null>,
  { relations, labels = () => true }: Declared,
  format: string,
): boolean | null {
  const ends = [join.source, join.target].map((ref) => mentionNamed(ref, mentions));
  if (relations === undefined) return false;
  // Its arguments have one value each.
  if (format === 'function-calls') return ends.every((end) => end === undefined) ? null : false;
  if (relations === 'names') return ends.every((end) => end === undefined) && labels(join.label);
  if (format === 'graph') return true;
  if (ends.some((end) => end === undefined)) return false;
  // What an annotator joins is the annotator's own.
  if (format === 'label-studio' && ends[0]!.annotator !== ends[1]!.annotator) return false;
  // Of two mentions of one place or concept, these formats do not say which is meant.
  if (format === 'dygie' || format === 'pubtator') return null;
  return ends.every((end) => kept.get(end!) === true) && labels(join.label);
}
