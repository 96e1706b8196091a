import { deflateSync, inflateSync } from 'node:zlib';

import type { Span } from '../../text/span.ts';
import { CaseSize } from '../case-size.ts';
import type { ReadContext, Row, TextFormat, WrittenCase } from '../format.ts';
import { decodeMessagePack, encodeMessagePack } from '../message-pack.ts';
import { InputError } from '../problems.ts';
import { isRecord, unknownList } from '../record-fields.ts';
import type { Records } from '../records.ts';
import { errorCode } from '../source.ts';
import { categoriesOf } from './categories.ts';
import { sideOfRole } from './mentions.ts';
import { bioTags, placeTokens, taggedSpans } from './tagged-tokens.ts';
import { caseTokens } from './token-records.ts';

/** Numbers of the attributes that are read, and of words that are symbols: spaCy 3, spacy/symbols.pxd. */
const [ORTH, ENT_IOB, ENT_TYPE] = [65, 77, 78];
const SYMBOLS: readonly (readonly [first: number, names: string])[] = [
  [1, 'IS_ALPHA IS_ASCII IS_DIGIT IS_LOWER IS_PUNCT IS_SPACE IS_TITLE IS_UPPER LIKE_URL LIKE_NUM LIKE_EMAIL IS_STOP'],
  [13, 'IS_OOV_DEPRECATED IS_BRACKET IS_QUOTE IS_LEFT_PUNCT IS_RIGHT_PUNCT IS_CURRENCY'],
  [
    64,
    'ID ORTH LOWER NORM SHAPE PREFIX SUFFIX LENGTH CLUSTER LEMMA POS TAG DEP ENT_IOB ENT_TYPE HEAD SENT_START SPACY PROB LANG',
  ],
  [84, 'ADJ ADP ADV AUX CONJ CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X EOL SPACE'],
  [
    380,
    'PERSON NORP FACILITY ORG GPE LOC PRODUCT EVENT WORK_OF_ART LANGUAGE LAW DATE TIME PERCENT MONEY QUANTITY ORDINAL',
  ],
  [
    397,
    'CARDINAL acomp advcl advmod agent amod appos attr aux auxpass cc ccomp complm conj cop csubj csubjpass dep det dobj',
  ],
  [
    417,
    'expl hmod hyph infmod intj iobj mark meta neg nmod nn npadvmod nsubj nsubjpass num number oprd obj obl parataxis',
  ],
  [
    437,
    'partmod pcomp pobj poss possessive preconj prep prt punct quantmod relcl rcmod root xcomp acl ENT_KB_ID MORPH ENT_ID IDX _',
  ],
];
/** Numbers without a name in use any more. */
const FLAGS: readonly (readonly [name: string, number: number])[] = [
  ...Array.from({ length: 45 }, (_, at) => [`FLAG${at + 19}`, at + 19] as const),
  ...Array.from({ length: 276 }, (_, at) => [`DEPRECATED${String(at + 1).padStart(3, '0')}`, at + 104] as const),
];
const SYMBOL_IDS = new Map([
  ...FLAGS.map(([name, number]) => [name, BigInt(number)] as const),
  ...SYMBOLS.flatMap(([first, names]) => names.split(' ').map((name, at) => [name, BigInt(first + at)] as const)),
]);
const IOB: Readonly<Record<string, string>> = { '3': 'B', '1': 'I' };
/** Tables of tokens are packed to a tenth or so: much more is a trap. */
const MOST_TIMES = 250;
const LEAST_LIMIT = 1 << 24;
/** Bytes of a document with one token, at the least. */
const LEAST_DOCUMENT = 32;
/** The strings are hashed, which takes a second for so many. */
const MOST_STRINGS = 1 << 24;

/**
 * Documents of spaCy as a DocBin (.spacy): compressed MessagePack with a table of token attributes, in which texts are
 * 64-bit hashes. Words, white space and entities are read; span groups and other attributes are not.
 * https://spacy.io/api/docbin
 */
export const spacyDocbin: TextFormat = {
  kind: 'text',
  name: 'spacy-docbin',
  about: 'documents of spaCy as a DocBin (.spacy): words and entities',
  example: '',
  extensions: ['.spacy'],
  detects: () => false,
  // zlib data may also begin with x^, which is text as well.
  isBinary: (head, name) => /\.spacy$/i.test(name) || (head[0] === 0x78 && [0x01, 0x9c, 0xda].includes(head[1] ?? 0)),
  async *read(records, context) {
    yield* docRows(await records.bytes(), records.limits, context);
  },
  writer: {
    extension: '.spacy',
    offsets: 'utf16',
    layout: 'whole',
    holds: ['pieces'],
    needsText: true,
    whole: docBytes,
  },
};

function* docRows(stored: Buffer, limits: Records['limits'], context: ReadContext): Generator<Row[]> {
  const fault = (message: string): InputError =>
    new InputError([{ file: context.file, line: null, message: `not a DocBin: ${message}` }]);
  const { bytes, packed } = decompressed(stored, limits, fault);
  if (!isRecord(packed)) throw fault('no map inside');
  const { attrs, tokens, spaces, lengths, strings, flags, cats, span_groups: groups } = packed;
  if (!Array.isArray(attrs) || !Buffer.isBuffer(tokens) || !Buffer.isBuffer(lengths) || !Array.isArray(strings))
    throw fault('attrs, tokens, lengths or strings are missing');
  if (lengths.length % 4 !== 0) throw fault('its lengths are cut off');
  if (lengths.length / 4 > bytes / LEAST_DOCUMENT) throw fault('it has more documents than tokens');
  const [orth, iob, type] = [ORTH, ENT_IOB, ENT_TYPE].map((id) => attrs.indexOf(id));
  if (orth === undefined || orth < 0) throw fault('it has no words');
  const texts = strings.filter((text) => typeof text === 'string');
  if (texts.reduce((sum, { length }) => sum + length, 0) > MOST_STRINGS)
    throw fault(`its strings are longer than ${MOST_STRINGS >> 20} MiB`);
  const names = new Map(texts.map((text) => [hashOf(text), text]));
  const cell = (row: number, column: number | undefined): bigint =>
    column === undefined || column < 0 ? 0n : tokens.readBigUInt64LE(8 * (row * attrs.length + column));
  let characters = 0;
  let from = 0;
  const first = context.numbering?.at ?? 0;
  for (let at = 0; at < lengths.length / 4; at += 1) {
    const length = lengths.readInt32LE(4 * at);
    if (length < 0 || 8 * (from + length) * attrs.length > tokens.length) throw fault('its table is cut off');
    const size = new CaseSize(limits, 1);
    const words: string[] = [];
    const tags: string[] = [];
    for (let row = from; row < from + length; row += 1) {
      const word = names.get(cell(row, orth)) ?? '';
      if (word === '') throw fault(`the words of document ${at + 1} are not among its strings`);
      const mark = IOB[String(cell(row, iob))];
      if (!size.add(1, mark === undefined ? 0 : 1, word.length)) return;
      words.push(word);
      tags.push(mark === undefined ? 'O' : `${mark}-${names.get(cell(row, type)) ?? 'ENTITY'}`);
      characters += word.length;
    }
    // A table may name one long string again and again.
    if (characters > bytes + LEAST_LIMIT) throw fault('its texts are longer than its table');
    const flag: unknown = Array.isArray(flags) ? flags[at] : undefined;
    const isSpaced = Buffer.isBuffer(spaces) && !(isRecord(flag) && flag['has_unknown_spaces'] === true);
    const placed = isSpaced ? spacedTokens(words, spaces.subarray(from, from + length)) : placeTokens(words, null);
    const items = taggedSpans(
      tags.map((tag) => ({ tag, line: 1 })),
      placed,
      'prefix',
      context,
    );
    if (context.numbering !== undefined) {
      context.numbering.used += 1;
      context.numbering.at += 1;
    }
    yield [
      {
        id: String(first + at + 1),
        line: 1,
        text: placed.text,
        tokens: placed.places,
        fields: {},
        ...sideOfRole(items, context),
        ...categoriesOf({ cats: unknownList(cats)[at] }),
        ...leftOutGroups(unknownList(groups)[at]),
        failed: null,
        unit: 'utf16',
      },
    ];
    from += length;
  }
}

function decompressed(
  stored: Buffer,
  { maxBytes }: Records['limits'],
  fault: (message: string) => InputError,
): { readonly bytes: number; readonly packed: unknown } {
  const most = 2 * maxBytes;
  const times = Math.max(LEAST_LIMIT, MOST_TIMES * stored.length);
  try {
    const plain = inflateSync(stored, { maxOutputLength: Math.floor(Math.min(most, times)) });
    return { bytes: plain.length, packed: decodeMessagePack(plain) };
  } catch (error) {
    if (errorCode(error) !== 'ERR_BUFFER_TOO_LARGE')
      throw fault(error instanceof Error ? error.message : String(error));
    throw fault(
      times < most
        ? `it expands to more than ${MOST_TIMES} times its size`
        : `it expands to more than ${most / 2 ** 20} MiB (split it, or raise the limit with --set data.maxRecordMiB=NUMBER)`,
    );
  }
}

/** Span groups have entities that may overlap (`doc.spans`); without any, they are an empty list or map of MessagePack. */
function leftOutGroups(groups: unknown): Pick<Row, 'leftOut'> {
  return Buffer.isBuffer(groups) && groups.length > 1 ? { leftOut: ['the span groups'] } : {};
}

/** Words, with a space after each that `spaces` marks. */
function spacedTokens(words: readonly string[], spaces: Buffer): { text: string; places: Span[] } {
  const places: Span[] = [];
  let text = '';
  words.forEach((word, at) => {
    places.push({ start: text.length, end: text.length + word.length });
    text += spaces[at] === 1 ? `${word} ` : word;
  });
  return { text, places };
}

/** Words with the white space after them; what is more than one space is a token, as it is in spaCy. */
function docBytes(cases: readonly WrittenCase[]): Buffer {
  const attrs = [ORTH, ENT_IOB, ENT_TYPE];
  const strings = new Set<string>(['']);
  const [cells, spaces, lengths]: [bigint[], number[], number[]] = [[], [], []];
  for (const given of cases) {
    const text = given.text ?? '';
    const { places } = caseTokens(given);
    const spaced = places.flatMap(({ start, end }, at) => {
      const gap = text.slice(end, places[at + 1]?.start ?? text.length);
      const rest = gap.startsWith(' ') ? gap.slice(1) : gap;
      const own = { start, end, space: gap.startsWith(' ') };
      return rest === ''
        ? [own]
        : [own, { start: end + gap.length - rest.length, end: end + gap.length, space: false }];
    });
    const before = text.slice(0, places[0]?.start ?? text.length);
    const all = before === '' ? spaced : [{ start: 0, end: before.length, space: false }, ...spaced];
    const tags = bioTags(all, given.items);
    all.forEach(({ start, end, space }, at) => {
      const [mark = 'O', label = ''] = tags[at]!.split(/-(.*)/s);
      for (const one of [text.slice(start, end), label]) strings.add(one);
      cells.push(hashOf(text.slice(start, end)), mark === 'B' ? 3n : mark === 'I' ? 1n : 2n, hashOf(label));
      spaces.push(space ? 1 : 0);
    });
    lengths.push(all.length);
  }
  const tokens = Buffer.alloc(8 * cells.length);
  cells.forEach((value, at) => tokens.writeBigUInt64LE(value, 8 * at));
  const sizes = Buffer.alloc(4 * lengths.length);
  lengths.forEach((value, at) => sizes.writeInt32LE(value, 4 * at));
  return deflateSync(
    encodeMessagePack({
      version: '0.1',
      attrs,
      tokens,
      spaces: Uint8Array.from(spaces),
      lengths: sizes,
      strings: [...strings].sort(),
      cats: cases.map(() => ({})),
      flags: cases.map(() => ({ has_unknown_spaces: false })),
      span_groups: cases.map(() => new Uint8Array()),
    }),
  );
}

const MASK = (1n << 64n) - 1n;
const FACTOR = 0xc6a4a7935bd1e995n;

/**
 * What spaCy calls a text: the number of a symbol, else MurmurHash64A of its UTF-8 with seed 1; 0 for an empty text.
 *
 * @example hashOf('coffee') // 3197928453018144401n
 */
export function hashOf(text: string): bigint {
  const symbol = SYMBOL_IDS.get(text);
  if (text === '' || symbol !== undefined) return symbol ?? 0n;
  const bytes = Buffer.from(text, 'utf8');
  const times = (a: bigint, b: bigint): bigint => (a * b) & MASK;
  let hash = 1n ^ times(BigInt(bytes.length), FACTOR);
  const whole = bytes.length - (bytes.length % 8);
  for (let at = 0; at < whole; at += 8) {
    let block = times(bytes.readBigUInt64LE(at), FACTOR);
    block = times(block ^ (block >> 47n), FACTOR);
    hash = times(hash ^ block, FACTOR);
  }
  if (whole < bytes.length) {
    for (let at = bytes.length - 1; at >= whole; at -= 1) hash ^= BigInt(bytes[at]!) << BigInt(8 * (at - whole));
    hash = times(hash, FACTOR);
  }
  hash = times(hash ^ (hash >> 47n), FACTOR);
  return hash ^ (hash >> 47n);
}
