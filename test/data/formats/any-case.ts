import fc from 'fast-check';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { type Fields, type Item, makeItem } from '../../../src/data/item.ts';
import { wordSpans } from '../../../src/text/words.ts';

/** Cases with whatever a file may hold: what formats stumble over, rather than what texts are usually like. */

/** Parted by ~. */
const parts = (list: string): string[] => list.split('~');

const PIECES = [
  ...parts('Ann~met~Bo~O~B-PER~#~# id = 7~# text = x~-DOCSTART-~|~1~12~ ~ ~ ~ ~ ~🙂~👩‍👩‍👧~नमस्ते~שלום~"~\'~<b>~&amp;~]]>'),
  ...parts(',~;~=1+1~[1]~_~*~\\~\\n~<!--~%~{}~e\u0301~\t~\n~\r\n~\r~  ~\u2028~\u0085~\u00a0~\ufeff~\ud83d~\u0007'),
];
const IDS = [
  ...parts('d1~D1~d2~a/b~a_b~..~.x~CON~a b~ a b ~a\tb~a|b~été~e\u0301te\u0301~🙂~#1~1~2~007~-~a\nb~constructor~\ud800'),
  ...parts(`a,b~"~=1~x.~${'x'.repeat(300)}~${'यात्रा'.repeat(40)}`),
];
const LABELS = [
  ...parts(
    'PER~PER~LOC~O~B-PER~A B~ x~x ~a\tb~a|b~a\nb~DATE-OF-BIRTH~é~🙂~=x~#~1~constructor~T1~a:b~*~_~[2]~a\\~calls',
  ),
  ...parts('\ud83d~MASK'),
];
const WORDS = parts('~x~a b~0~7~true~a"b~it\'s~<&>~a\nb~a\tb~ x~\\~|~🙂~\u2028~*~_');
/** Names that some format has for something else, and others. */
const ITEM_FIELDS = [
  ...parts('score~note~type~text~label~name~start~word~entity_group~entity_type~kind~layer~feature~value~role~slot'),
  ...parts('attributes~notes~normalisations~events~event~concept~more~set~features~a b~x"y~Governor~begin~sofa~links'),
  ...parts('xmi:id~%TYPE~user~labels~choices~scores~extraction_text~alignment_status~head~subject~source~call~values~'),
];
const CASE_FIELDS = [
  ...parts('meta~split~entities~label~labels~spans~results~output~tokens~data~relations~input~features~title_length'),
  ...parts('sentence_lengths~sentence~full_text~answer~triples~ner~cats~annotations~x_detected_pii~ground_truth~gold'),
  ...parts('document~sent~paragraphs~classes~a b'),
];

const value = fc.oneof(
  fc.constantFrom<unknown>(...WORDS, 0, 1, 0.5, -3, true, false, null),
  fc.constantFrom<unknown>([], [1, 2], ['a', 'b'], { a: 1 }, { deep: { er: ['x'] } }),
);

const fieldsOf = (names: readonly string[], maxLength: number): fc.Arbitrary<Fields> =>
  fc
    .array(fc.tuple(fc.constantFrom(...names), value), { maxLength })
    .map((entries): Fields => Object.fromEntries(entries));
const itemFields = fieldsOf(ITEM_FIELDS, 3);
const caseFields = fieldsOf(CASE_FIELDS, 2);

/** Places between characters; a pair of surrogates is one. */
function places(text: string): number[] {
  const found = [0];
  for (const sign of text) found.push(found.at(-1)! + sign.length);
  return found;
}

function spanIn(text: string): fc.Arbitrary<Item | null> {
  const at = places(text);
  const words = wordSpans(text, 'unicode');
  const anywhere = fc
    .tuple(fc.nat(at.length - 1), fc.integer({ min: 1, max: 6 }))
    .map(([from, length]) => ({ start: at[from]!, end: at[Math.min(at.length - 1, from + length)]! }));
  const onWords = fc.tuple(fc.nat(Math.max(0, words.length - 1)), fc.nat(2)).map(([from, more]) => ({
    start: words[from]?.start ?? 0,
    end: words[Math.min(words.length - 1, from + more)]?.end ?? 0,
  }));
  const rest = fc.record({
    label: fc.constantFrom(...LABELS),
    annotator: fc.constantFrom(null, null, null, 'ann', 'bo', '1'),
    fields: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: itemFields }),
    id: fc.constantFrom(null, null, 'T1', 'T2', 'e1', 'a b', '3', 'x;y'),
  });
  const placed = fc.tuple(fc.oneof(anywhere, onWords), fc.oneof(anywhere, onWords), fc.nat(9), rest);
  return placed.map(([first, second, isPieces, { id, ...init }]) => {
    const hasPieces = isPieces === 0 && second.start > first.end && second.end > second.start;
    const { start } = first;
    const end = hasPieces ? second.end : first.end;
    if (end <= start) return null;
    const words_ = hasPieces
      ? `${text.slice(first.start, first.end)} ${text.slice(second.start, second.end)}`
      : text.slice(start, end);
    const fields = id === null ? init.fields : { id, ...init.fields };
    const item = makeItem({ kind: 'span', index: 0, ...init, fields, text: words_, start, end });
    return hasPieces ? { ...item, fragments: [first, second] } : item;
  });
}

function relationBetween(spans: readonly Item[]): fc.Arbitrary<Item> {
  const ends = spans.flatMap(({ text, fields: { id: own, temp_id: id = own } }) => [
    text,
    ...(typeof id === 'string' ? [id, id] : []),
  ]);
  const end = fc.constantFrom(...ends, 'nobody', 'T1');
  return fc
    .record({
      source: end,
      target: end,
      label: fc.constantFrom(...LABELS),
      fields: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: itemFields }),
    })
    .map(({ source, target, label, fields }) =>
      makeItem({
        kind: 'relationship',
        index: 0,
        label,
        source,
        target,
        fields,
        text: `${source} --${label}--> ${target}`,
      }),
    );
}

/** An entity that is a name, in the text or not. */
const unplaced: fc.Arbitrary<Item> = fc
  .record({
    text: fc.constantFrom('Ann', 'Bo', 'Zoë', 'B-PER'),
    label: fc.constantFrom(...LABELS),
    id: fc.constantFrom(null, 'e7', 'T9'),
  })
  .map(({ id, ...init }) =>
    makeItem({ kind: 'entity', index: 0, ...init, start: -1, end: -1, fields: id === null ? {} : { temp_id: id } }),
  );

function itemsIn(text: string): fc.Arbitrary<Item[]> {
  const mention = fc.oneof({ weight: 9, arbitrary: spanIn(text) }, { weight: 1, arbitrary: unplaced });
  return fc
    .array(mention, { maxLength: 5 })
    .map((found) => found.filter((item) => item !== null))
    .chain((spans) =>
      fc
        .oneof(
          { weight: 2, arbitrary: fc.constant<Item[]>([]) },
          { weight: 1, arbitrary: fc.array(relationBetween(spans), { maxLength: 3 }) },
        )
        .map((relations) => [...spans, ...relations].map((item, index) => ({ ...item, index }))),
    );
}

const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''));

function tokensIn(whole: string): fc.Arbitrary<Case['tokens']> {
  const words = wordSpans(whole, 'unicode');
  const blocks = wordSpans(whole, 'whitespace');
  return fc.constantFrom(undefined, undefined, words, blocks, words.slice(1), []);
}

/** Fewer odd things at once: failures are then easier to read. */
const anyCase: fc.Arbitrary<Case> = text.chain((whole) =>
  fc
    .record({
      id: fc.constantFrom(...IDS),
      tokens: tokensIn(whole),
      fields: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: caseFields }),
      gold: itemsIn(whole),
      predicted: itemsIn(whole),
      failed: fc.constantFrom(null, null, null, null, 'timed out'),
    })
    .map(({ failed, predicted, ...rest }) =>
      makeCase({ ...rest, text: whole, failed, predicted: failed === null ? predicted : [] }),
    ),
);

export const anyCases: fc.Arbitrary<Case[]> = fc.uniqueArray(anyCase, {
  minLength: 1,
  maxLength: 3,
  selector: ({ id }) => id,
});
