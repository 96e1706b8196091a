import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { alignQuotes, type QuoteAlignment } from '../../src/text/align-quotes.ts';
import { levenshtein, levenshteinSimilarity } from '../../src/text/levenshtein.ts';
import { findQuote } from '../../src/text/quote.ts';
import { wordSpans } from '../../src/text/words.ts';
import { anyText, runs } from './arbitraries.ts';

const [exact, normalised, fuzzy, missing] = ['exact', 'normalised', 'fuzzy', 'missing'] as const;

function align(text: string, quote: string, least?: number): QuoteAlignment {
  return alignQuotes(text, [quote], least === undefined ? {} : { fuzzy: least })[0]!;
}

/** What stands at the places of the quotes, with the offset where it begins. */
function placed(text: string, quotes: readonly string[]): string[] {
  return alignQuotes(text, quotes).map(({ start, end }) => (start < 0 ? '-' : `${text.slice(start, end)}@${start}`));
}

function graphemes(text: string): string[] {
  return Array.from(new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);
}

/** The rules of normalisation for a whole text, without a way back to the places. */
function plain(text: string): string {
  const visible = text.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const signs = visible.replace(/[\p{Quotation_Mark}´`]/gu, "'").replace(/\p{Dash}/gu, '-');
  const folded = signs.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC');
  const letters = folded.replaceAll('ς', 'σ').replaceAll('i\u0307', 'i');
  return letters
    .replace(/[\s\x1c-\x1f\x85]+/g, ' ')
    .replace(/'+/g, "'")
    .replace(/-+/g, '-')
    .trim();
}

describe('a quote in other spelling', () => {
  it.each([
    ['the very words', 'Slept badly, woke at 4.', 'woke at 4', 13, 22, exact],
    ['white space around the quote', 'Slept badly, woke', ' badly,\n', 6, 12, normalised],
    ['white space that is in the text too', 'Slept badly, woke', ' badly', 5, 11, exact],
    ['line breaks', 'no\r\n\r\n  sleep', 'no sleep', 0, 13, normalised],
    ['no-break and thin spaces', 'at 5\u00a0mg\u2009daily', '5 mg daily', 3, 13, normalised],
    ['case', 'Slept BADLY', 'slept badly', 0, 11, normalised],
    ['curly apostrophes', 'I don’t know', "don't", 2, 7, normalised],
    ['quotation marks of any kind', 'She said « yes »', 'said "', 4, 10, normalised],
    ['two apostrophes for a quotation mark', "a ''yes'' b", '"yes"', 2, 9, normalised],
    ['dashes', 'pain — none', 'pain - none', 0, 11, normalised],
    ['two hyphens for a dash', 'pain—none', 'pain--none', 0, 9, normalised],
    ['no-break hyphens and minus signs', 'follow‑up at −5', 'follow-up at -5', 0, 15, normalised],
    ['an ellipsis', 'well… no', 'well... no', 0, 8, normalised],
    ['three points', 'well... no', 'well…', 0, 7, normalised],
    ['composed letters', 'a cafe\u0301 b', 'caf\u00e9', 2, 7, normalised],
    ['decomposed letters', 'a caf\u00e9 b', 'cafe\u0301', 2, 6, normalised],
    ['ligatures and wide letters', 'the ﬁrst ＡＢＣ', 'first abc', 4, 12, normalised],
    ['ß for ss', 'Die Straße.', 'STRASSE', 4, 10, normalised],
    ['ss for ß', 'DIE STRASSE.', 'Straße', 4, 11, normalised],
    ['half of a ß', 'Die Straße.', 'stras', -1, -1, missing],
    ['final sigma', 'ΟΔΟΣ', 'οδος', 0, 4, normalised],
    ['dotted capital i', 'in İstanbul', 'istanbul', 3, 11, normalised],
    ['dotted capital i in lower case', 'in İstanbul', 'i̇stanbul', 3, 11, normalised],
    ['dotless i', 'ISPARTA', 'ısparta', 0, 7, normalised],
    ['soft hyphens', 'in\u00adsom\u00adnia', 'insomnia', 0, 10, normalised],
    ['zero-width spaces, which the place leaves out', 'x \u200binsomnia\u200b y', 'In\u200bsomnia', 3, 11, normalised],
    ['a byte order mark', '\ufeffTea', 'tea', 1, 4, normalised],
    ['nothing', 'tea', '', -1, -1, missing],
    ['white space only', 'a b', ' \u00a0\n', -1, -1, missing],
    ['invisible characters only', 'a\u200bb', '\u200b\u00ad', -1, -1, missing],
    ['a text of nothing', '', 'tea', -1, -1, missing],
    ['more than the text', 'tea', 'tea, then more tea', -1, -1, missing],
  ])('%s: %j has %j', (_, text, quote, start, end, status) => {
    expect(align(text, quote)).toMatchObject({ start, end, status, ambiguous: false });
  });
});

describe('scripts and emoji', () => {
  it.each([
    ['सिरदर्द है। तेज़ सिरदर्द', 'तेज\u093c', 12, 16, exact],
    ['ते\u095b सिरदर्द', 'तेज\u093c', 0, 3, normalised],
    // A conjunct, a vowel sign and a nukta are never cut off.
    ['क्षत्रिय', 'क', -1, -1, missing],
    ['क्षत्रिय', 'क्षत्रि', 0, 7, exact],
    ['तेज\u093c', 'तेज', -1, -1, missing],
    ['की', 'क', -1, -1, missing],
    ['क्\u200dष', 'क्ष', 0, 4, normalised],
    ['می\u200cخواهم', 'میخواهم', 0, 8, normalised],
    ['שלום \u200fעולם', 'שלום עולם', 0, 10, normalised],
    ['\u202bשלום\u202c!', 'שלום', 1, 5, exact],
    ['(שלום)', '\u2067שלום\u2069', 1, 5, normalised],
    ['צה״ל', 'צה"ל', 0, 4, normalised],
    ['قال \u2068محمد\u2069 نعم', 'محمد نعم', 5, 14, normalised],
    ['a 👩‍👩‍👧 b', '👩‍👩‍👧', 2, 10, exact],
    ['a 👩‍👩‍👧 b', '👩', -1, -1, missing],
    ['👩‍👩‍👧 👩', '👩', 9, 11, exact],
    ['ok 👍🏽', '👍', -1, -1, missing],
    ['🇩🇪🇫🇷', '🇪🇫', -1, -1, missing],
    ['🇩🇪🇫🇷', '🇫🇷', 4, 8, exact],
    ['I ❤️ tea', 'i ❤ tea', 0, 8, normalised],
    ['cafe\u0301', 'cafe', -1, -1, missing],
    ['😀', '\ud83d', -1, -1, missing],
    ['😀\ud83d', '\ud83d', 2, 3, exact],
    ['𝒳-ray', 'x-ray', 0, 6, normalised],
    ['각 각', '\u1100\u1161\u11a8 각', 0, 3, normalised],
    ['去東京了', '東京', 1, 3, exact],
  ])('%j has %j', (text, quote, start, end, status) => {
    expect(align(text, quote, 1)).toMatchObject({ start, end, status });
  });
});

describe('edges of words', () => {
  it('are preferred, even to the very letters inside a word', () => {
    expect(align('Annual review by Ann', 'Ann')).toMatchObject({ start: 17, status: exact, ambiguous: false });
    expect(align('planning by Ann', 'ann')).toMatchObject({ start: 12, status: normalised });
    expect(align('Annual plan: Ann’s', 'Ann')).toMatchObject({ start: 13, status: exact });
    expect(align('3.5 mg, 1,005 mg and 5 mg', '5 mg')).toMatchObject({ start: 21, ambiguous: false });
    expect(align('3.5 and 3', '3')).toMatchObject({ start: 8, ambiguous: false });
  });

  it('are not needed if there is no other place', () => {
    expect(align('Annual', 'Ann')).toMatchObject({ start: 0, end: 3, status: exact, ambiguous: false });
    expect(align('Annual, annals', 'ANN')).toMatchObject({ start: 0, status: normalised, ambiguous: true });
    expect(align('Planning, Annual', 'ann')).toMatchObject({ start: 2, status: exact, ambiguous: false });
  });

  it('are everywhere in scripts without spaces', () => {
    expect(align('東京都の東京', '東京')).toMatchObject({ start: 0, ambiguous: true });
    expect(align('ไปกรุงเทพ กรุงเทพ', 'กรุงเทพ')).toMatchObject({ start: 2, ambiguous: true });
  });
});

describe('a quote that is nearly right', () => {
  it.each([
    // nite is night without e and with g and h: 3 edits, of 25 characters.
    ['He slept badly last night, then woke.', 'He slept badly last nite', 0, 25, 1 - 3 / 25],
    ['He slept badly last night, then woke.', 'slept verry badly', 3, 14, 0],
    ['He slept very badly.', 'slept verry badly', 3, 19, 1 - 1 / 17],
    ['Dr. Jon Smith', 'Dr Jon Smith', 0, 13, 1 - 1 / 13],
    ['seen by Smith, then home', 'Smyth', 8, 13, 1 - 1 / 5],
    // A comma more or less is as many edits: the place without it.
    ['so he slept badly, then', 'slept badly.', 6, 17, 1 - 1 / 12],
    ['सिरदर्द है', 'सिर दर्द', 0, 7, 1 - 1 / 5],
    // An emoji is one character.
    ['so tired today 👩‍👩‍👧', 'so tired tonight 👩‍👩‍👧', 0, 23, 0],
    ['so tired, today 👩‍👩‍👧', 'so tired today 👩‍👩‍👧', 0, 24, 1 - 1 / 17],
  ])('%j has %j', (text, quote, start, end, similarity) => {
    const found = similarity === 0 ? { start: -1, end: -1, status: missing } : { start, end, status: fuzzy };
    expect(align(text, quote)).toEqual({ ...found, ambiguous: false, similarity });
  });

  it.each<[text: string, quote: string, words: string, similarity: number, least?: number]>([
    // mild for with: 3 edits, and 5 without it, of 30 characters.
    [
      'Spine with degenerative disc disease.',
      'mild degenerative disc disease',
      'degenerative disc disease',
      1 - 5 / 30,
    ],
    ['degenerative disc disease was seen', 'degenerative disc disease now', 'degenerative disc disease', 1 - 4 / 29],
    // A word at either end.
    ['the chronic lower back pain and', 'new chronic lower back pain ...', 'chronic lower back pain', 1 - 8 / 31, 0.7],
    [
      'for moderate aortic valve stenosis it',
      'his moderate aortic valve stenosis',
      'moderate aortic valve stenosis',
      1 - 4 / 34,
    ],
    // Inner words stay, and so does a word that is spelled otherwise.
    ['He had pain in left knee today', 'pain of left knee', 'pain in left knee', 1 - 2 / 17],
    ['degeneratve disc diseases', 'degenerative disc disease', 'degeneratve disc diseases', 1 - 2 / 25],
    // Its own word of the quote counts, not any: with is no match for mild because of a later with.
    ['a with lumbar pain with fever', 'mild lumbar pain with fever', 'lumbar pain with fever', 1 - 5 / 27],
    // A word of the quote counts once, and so does its copy at an end of the place.
    ['pain pain in the lower back', 'severe pain in the lower back', 'pain in the lower back', 1 - 7 / 29, 0.7],
    ['was in the back back', 'in the back now', 'in the back', 1 - 4 / 15, 0.7],
    // A word that is two in the other.
    ['lower backpain at night', 'lower back pain at night', 'lower backpain at night', 1 - 1 / 24],
    // A value is part of it, and what is left must still be like the quote.
    ['the 5 mg aspirine tablet', 'but 5 mg aspirin tablet', '5 mg aspirine tablet', 1 - 5 / 23, 0.7],
    ['with degenerative', 'mild degenerative', 'with degenerative', 1 - 3 / 17],
    ['with degenerative', 'mild degenerative', 'degenerative', 1 - 5 / 17, 0.7],
    // Nor is a word a match for one at the other end of the quote.
    [
      'with lumbar pain after long walks in the town and',
      'mild lumbar pain after long walks in the town with',
      'lumbar pain after long walks in the town',
      1 - 10 / 50,
    ],
    // A third of the letters is enough for another spelling.
    ['own degenerative disc disease', 'old degenerative disc disease', 'own degenerative disc disease', 1 - 2 / 29],
    // Eight edits of forty are as many as are accepted.
    [
      'with severe degenerative disc disease at',
      'very severe degenerative disc disease no',
      'severe degenerative disc disease',
      1 - 8 / 40,
    ],
    // Without both ends it would be too little like the quote, without one of them it is not.
    [
      'with acute degenerative disc disease at',
      'very acute degenerative disc disease no',
      'acute degenerative disc disease at',
      1 - 7 / 39,
    ],
    [
      'rather acute degenerative disc disease at',
      'recent acute degenerative disc disease no',
      'rather acute degenerative disc disease',
      1 - 8 / 41,
    ],
    // A colon or full stop at an end goes, unless the quote has a sign there.
    ['pain: acute lower back pain, radiating', 'the acute lower back pain', 'acute lower back pain', 1 - 4 / 25],
    ['acute lower back pain; no fever', 'acute lower back pain at', 'acute lower back pain', 1 - 3 / 24],
    ['pain: "acute lower back pain", radiating', '"acute lower bakc pain"', '"acute lower back pain"', 1 - 2 / 23],
    // A value stays although its word is not like the quote's.
    ['5 micrograms of thyroxine', '5micrograms of thyroxine', '5 micrograms of thyroxine', 1 - 1 / 25],
  ])('%j: %j is trimmed to the words that match: %j', (text, quote, words, similarity, least = 0.8) => {
    const start = text.indexOf(words);
    expect(align(text, quote, least)).toEqual({
      start,
      end: start + words.length,
      status: fuzzy,
      ambiguous: false,
      similarity: expect.closeTo(similarity, 12),
    });
  });

  it('is found only with the similarity that is asked for, the very number included', () => {
    expect(align('Smith', 'Smyth', 0.8).status).toBe(fuzzy);
    expect(align('Smith', 'Smyth', 0.81).status).toBe(missing);
    expect(align('Smith', 'Smyth', 1).status).toBe(missing);
    expect(align('so the cat sat', 'cut', 0)).toMatchObject({ start: 7, end: 10, similarity: 1 - 1 / 3 });
    expect(align('so the cat sat', 'xyz', 0).status).toBe(missing);
    expect(align('so the cat sat', ' ', 0).status).toBe(missing);
    expect(align('He slept badly', 'slept verry badly', 0.6)).toMatchObject({ start: 3, similarity: 1 - 6 / 17 });
  });

  it('does not take one value for another', () => {
    expect(align('took 5 mg twice', 'took 6 mg twice').status).toBe(missing);
    expect(align('with pain < 5 all day', 'with pain > 5 all day').status).toBe(missing);
    expect(align('on 2024-05-01 and 2024-05-02', 'on 2024-05-03').status).toBe(missing);
    expect(align('took 10 mg, took 5 mg twice', 'took 5 mg twicee')).toMatchObject({ start: 12, status: fuzzy });
  });

  it('takes the best place, and the first of equal ones', () => {
    expect(align('Jan Smithers, Jon Smithers', 'Jon Smithhers')).toMatchObject({ start: 14, ambiguous: false });
    expect(align('Jan Smithers, Jun Smithers', 'Jon Smithers')).toMatchObject({ start: 0, ambiguous: true });
    // Three edits and one more for the z, then three.
    const twice = align('zabcdefxhix klmxop and abcdefxhix klmxop', 'abcdefghij klmnop', 0.75);
    expect(twice).toMatchObject({ start: 23, similarity: 1 - 3 / 17, ambiguous: false });
    expect(placed('Jan Smithers, Jun Smithers', ['Jon Smithers', 'Jon Smithers'])).toEqual([
      'Jan Smithers@0',
      'Jun Smithers@14',
    ]);
  });

  it('needs a similarity that can be one', () => {
    for (const least of [-0.01, 1.01, Number.NaN]) expect(() => align('a', 'a', least)).toThrow(RangeError);
  });
});

describe('several places', () => {
  it('are chosen by the order of the list', () => {
    expect(placed('Ann met Bob. Bob met Ann.', ['Bob', 'Ann'])).toEqual(['Bob@8', 'Ann@21']);
    expect(placed('Ann met Bob. Bob met Ann.', ['Ann', 'Bob'])).toEqual(['Ann@0', 'Bob@8']);
    expect(placed('Ann met Bob. Bob met Ann.', ['Ann', 'Bob', 'Bob', 'Ann'])).toEqual([
      'Ann@0',
      'Bob@8',
      'Bob@13',
      'Ann@21',
    ]);
  });

  it('do not let one quote out of order carry the others away', () => {
    const text = 'tea, cake, tea, jam, tea, end';
    expect(placed(text, ['cake', 'end', 'tea', 'jam'])).toEqual(['cake@5', 'end@26', 'tea@11', 'jam@16']);
  });

  it('rather do not overlap', () => {
    expect(placed('John Smith left. Smith stayed.', ['John Smith', 'Smith'])).toEqual(['John Smith@0', 'Smith@17']);
    expect(placed('University of Paris. Then Lyon.', ['University of Paris', 'Paris', 'Lyon'])).toEqual([
      'University of Paris@0',
      'Paris@14',
      'Lyon@26',
    ]);
  });

  it('are ordered again for quotes that begin from the start, as in a list by label', () => {
    const text = 'Ann in Rome, Bob in Oslo, Cem in Rome, Dan in Oslo, Eve';
    const quotes = ['Ann', 'Bob', 'Cem', 'Dan', 'Eve', 'Rome', 'Oslo', 'Rome'];
    expect(placed(text, quotes).join(' ')).toBe('Ann@0 Bob@13 Cem@26 Dan@39 Eve@52 Rome@7 Oslo@20 Rome@33');
  });

  it('go round when there are more equal quotes than places', () => {
    expect(placed('Ann, Bob, Ann', ['Ann', 'Bob', 'Ann', 'Ann'])).toEqual(['Ann@0', 'Bob@5', 'Ann@10', 'Ann@10']);
    expect(placed('Ann', ['Ann', 'Ann'])).toEqual(['Ann@0', 'Ann@0']);
    expect(alignQuotes('Ann', ['Ann', 'Ann']).map(({ ambiguous }) => ambiguous)).toEqual([false, false]);
  });

  it('are those in other spelling too when there are more equal quotes than exact places, but not inside words', () => {
    expect(placed('Ann, ANN, ann', ['Ann'])).toEqual(['Ann@0']);
    expect(placed('ANN, ANN, Ann, Annual', ['Ann', 'Ann'])).toEqual(['ANN@0', 'Ann@10']);
    expect(placed('Ann, Annual', ['Ann', 'Ann'])).toEqual(['Ann@0', 'Ann@0']);
    expect(placed('ANN, Ann', ['Ann', 'ANN'])).toEqual(['Ann@5', 'ANN@0']);
    expect(placed('Ann, Ann', ['ANN', 'Ann'])).toEqual(['Ann@0', 'Ann@5']);
  });

  it('are marked as ambiguous', () => {
    const [tea, cake] = alignQuotes('tea, cake, tea', ['tea', 'cake']);
    expect(tea).toEqual({ start: 0, end: 3, status: exact, ambiguous: true, similarity: 1 });
    expect(cake).toEqual({ start: 5, end: 9, status: exact, ambiguous: false, similarity: 1 });
  });
});

describe('laws', () => {
  const awkwardText = fc.oneof(
    anyText,
    anyText.map((text) => `${text} ${text.toUpperCase()}`),
  );
  const cutText = fc.tuple(awkwardText, fc.nat(), fc.nat()).map(([text, first, second]) => {
    const parts = graphemes(text);
    const [from, to] = [first % (parts.length + 1), second % (parts.length + 1)].sort((a, b) => a - b) as [
      number,
      number,
    ];
    return { text, quote: parts.slice(from, to).join('') };
  });

  it('finds what is in the text, as exact unless it is a word elsewhere in another spelling', () => {
    fc.assert(
      fc.property(cutText, ({ text, quote }) => {
        fc.pre(plain(quote) !== '');
        const { start, end, status } = align(text, quote, 1);
        const slice = text.slice(start, end);
        expect(status).toBe(slice === quote ? exact : normalised);
        expect(findQuote(text, quote)).not.toBeNull();
        const isLetter = (part: string | undefined): boolean => /^[\p{L}\p{N}]/u.test(part ?? '');
        const isInside = isLetter(graphemes(text.slice(0, start)).at(-1)) && isLetter(slice);
        expect(slice !== quote && isInside).toBe(false);
      }),
      runs,
    );
  });

  it('finds exactly what is between white space', () => {
    fc.assert(
      fc.property(awkwardText, fc.nat(), (text, at) => {
        const tokens = graphemes(text)
          .map((part) => (/^\s$/.test(part) ? '\n' : part))
          .join('')
          .split('\n')
          .filter((part) => plain(part) !== '');
        fc.pre(tokens.length > 0);
        expect(align(text, tokens[at % tokens.length]!, 1).status).toBe(exact);
      }),
      runs,
    );
  });

  it('finds what is in the text in any spelling', () => {
    const respell = fc.constantFrom(
      (quote: string) => quote.toUpperCase(),
      (quote: string) => quote.toLowerCase(),
      (quote: string) => quote.normalize('NFD'),
      (quote: string) => quote.normalize('NFKC'),
      (quote: string) =>
        graphemes(quote)
          .map((part) => (part === ' ' ? '\r\n\u00a0' : part))
          .join(''),
      (quote: string) => quote.replace(/['’]/g, '“').replaceAll('—', '--'),
      (quote: string) => graphemes(quote).join('\u2060'),
      (quote: string) => `\u200f\n${quote}\n`,
    );
    fc.assert(
      fc.property(cutText, respell, ({ text, quote }, change) => {
        fc.pre(plain(quote) !== '');
        expect(align(text, change(quote), 1).similarity).toBe(1);
      }),
      runs,
    );
  });

  it('gives places that are whole characters and normalise to the quote', () => {
    fc.assert(
      fc.property(awkwardText, fc.nat(), fc.nat(5), (text, at, length) => {
        const start = at % (text.length + 1);
        const quote = text.slice(start, start + length).toLowerCase();
        const place = align(text, quote, 1);
        const slice = text.slice(place.start, place.end);
        expect(place.status === missing ? plain(quote) : plain(slice)).toBe(plain(quote));
        const parts = graphemes(text);
        const isBoundary = (index: number): boolean =>
          parts.some((_, count) => parts.slice(0, count).join('').length === index) || index === text.length;
        expect(place.status === missing || (isBoundary(place.start) && isBoundary(place.end))).toBe(true);
      }),
      runs,
    );
  });

  const word = fc.constantFrom('café', 'ệ', 'Å', 'naïve', '각', 'नमस्ते', 'क़लम', 'ü', 'a', 'שָׁלוֹם', '👩‍👩‍👧', 'tea');
  const sentence = fc.array(word, { minLength: 1, maxLength: 10 });

  it('gives the same places in any Unicode form', () => {
    fc.assert(
      fc.property(
        sentence,
        fc.array(
          sentence.map((parts) => parts.slice(0, 2).join(' ')),
          { maxLength: 4 },
        ),
        (parts, quotes) => {
          const text = parts.join(' ').normalize('NFC');
          const places = (form: string, quoteForm: string): string[] => {
            const own = text.normalize(form);
            const aligned = alignQuotes(
              own,
              quotes.map((quote) => quote.normalize(quoteForm)),
              { fuzzy: 1 },
            );
            return aligned.map(({ start, end }) =>
              start < 0 ? '-' : `${own.slice(0, start)}|${own.slice(start, end)}`.normalize('NFC'),
            );
          };
          const expected = places('NFC', 'NFC');
          expect(places('NFD', 'NFC')).toEqual(expected);
          expect(places('NFC', 'NFD')).toEqual(expected);
          expect(places('NFD', 'NFD')).toEqual(expected);
        },
      ),
      runs,
    );
  });

  it('keeps the order of quotes that are in order, each at its own place', () => {
    fc.assert(
      fc.property(sentence, fc.infiniteStream(fc.boolean()), (parts, chosen) => {
        const quotes = parts.filter(() => chosen.next().value);
        const starts = alignQuotes(parts.join(' '), quotes).map(({ start }) => start);
        expect(starts.every((start, at) => start > (starts[at - 1] ?? -1))).toBe(true);
      }),
      runs,
    );
  });

  it('finds the fewest edits of all places at the edges of words', () => {
    const letters = fc
      .array(fc.constantFrom('a', 'b', 'c', 'ab'), { minLength: 1, maxLength: 4 })
      .map((own) => own.join(''));
    const phrase = fc.array(letters, { minLength: 1, maxLength: 6 }).map((own) => own.join(' '));
    fc.assert(
      fc.property(phrase, phrase, fc.constantFrom(0.5, 0.7, 0.8), (text, quote, least) => {
        const spans = wordSpans(text, 'whitespace');
        const editsOf = (slice: string): number => {
          const edits = levenshtein(slice, quote);
          return 1 - edits / Math.max(slice.length, quote.length) >= least ? edits : Infinity;
        };
        const windows = spans.flatMap((first, at) =>
          spans.slice(at).map((last) => ({ from: first.start, to: last.end })),
        );
        const edits = windows.map(({ from, to }) => editsOf(text.slice(from, to)));
        const fewest = Math.min(...edits);
        const { start, end, status, similarity } = align(text, quote, least);
        // Inside a word there can be an exact place.
        fc.pre(status === fuzzy || status === missing);
        const slice = text.slice(start, end);
        // Words at its ends that do not match may be gone; the rest is similar enough.
        const isWithin = windows.some(({ from, to }, at) => edits[at] === fewest && from <= start && end <= to);
        expect(status === missing ? fewest === Infinity : isWithin && editsOf(slice) < Infinity).toBe(true);
        expect(similarity).toBe(status === missing ? 0 : levenshteinSimilarity(slice, quote));
      }),
      runs,
    );
  });
});

describe('hostile input', () => {
  const a = 'a'.repeat(5000);

  it.each([
    ['one letter', a, Array.from({ length: 100 }, () => 'a'), [exact]],
    ['quotes longer than the text', a, [`${a}b`, `b${a}${a}`], [fuzzy, missing]],
    ['lone surrogates', '\ud83d'.repeat(5000), ['\ud83d'.repeat(300), '\ude00'], [exact, missing]],
    ['halves of emoji', '😀'.repeat(5000), ['\ude00', '\ud83d', '\ude00\ud83d'], [missing]],
    [
      'marks upon one letter',
      `x a${'\u0301\u0316'.repeat(200_000)}`,
      ['a', `a${'\u0301\u0316'.repeat(500)}`],
      [missing],
    ],
    ['invisible characters', `${'\u200d'.repeat(50_000)}x`, [`${'\u200d'.repeat(900)}x`, 'X'], [normalised]],
    ['white space', `${' '.repeat(50_000)}x`, [`${'\n'.repeat(30_000)}x`], [normalised]],
  ] as const)('takes no long time: %s', (_, text, quotes, statuses) => {
    expect(new Set(alignQuotes(text, quotes).map(({ status }) => status))).toEqual(new Set(statuses));
  });
});

describe('two quotes that touch', () => {
  it.each([
    // The second one also has a place further on: touching is no overlap, so that the earlier place is as good.
    ['Tea, cake, more', ['Tea', ','], ['Tea@0', ',@3']],
    ['3% or 5%', ['3', '%'], ['3@0', '%@1']],
    ['東京大阪 大阪', ['東京', '大阪'], ['東京@0', '大阪@2']],
    ['(a)(b) x (b)', ['(a)', '(b)'], ['(a)@0', '(b)@3']],
    ['(a)(b)(c) (c)(b)', ['(a)', '(b)', '(c)'], ['(a)@0', '(b)@3', '(c)@6']],
    ['(a)(a) (a)', ['(a)', '(a)'], ['(a)@0', '(a)@3']],
    // Equal quotes with one exact place take a normalised one that begins or ends there too.
    ['ab,AB, cd', ['ab,', 'ab,'], ['ab,@0', 'AB,@3']],
    ['AB,ab, cd', ['ab,', 'ab,'], ['AB,@0', 'ab,@3']],
    ['(Jon)(Ann)', ['(Jonn)', '(Ann)'], ['(Jon)@0', '(Ann)@5']],
    // Both are one edit away; the one as long as the quote is looked at first, whichever comes first.
    ['And then: abcde)abcxef) there', ['abcdef)', 'abcdef)'], ['abcde)@10', 'abcxef)@16']],
    ['And then: abcxef)abcde) there', ['abcdef)', 'abcdef)'], ['abcxef)@10', 'abcde)@17']],
  ])('in %j have their places: %j', (text, quotes, expected) => {
    expect(placed(text, quotes)).toEqual(expected);
  });

  it('are all found in a text that is nothing else', () => {
    const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(words, (all) => {
        const quotes = all.map((word) => `(${word})`);
        let at = 0;
        const expected = quotes.map((quote) => `${quote}@${(at += quote.length) - quote.length}`);
        expect(placed(quotes.join(''), quotes)).toEqual(expected);
      }),
    );
  });
});
