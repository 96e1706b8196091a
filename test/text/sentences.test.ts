import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWhiteSpace } from '../../src/text/characters.ts';
import { fullStopEnds, sentenceSpans } from '../../src/text/sentences.ts';
import { anyText, runs } from './arbitraries.ts';

const sentences = (text: string): string[] => sentenceSpans(text).map(({ start, end }) => text.slice(start, end));

/** A text whose sentences are parted by ‖, so that a row reads as it should come out. */
const rows: readonly (readonly [what: string, marked: string])[] = [
  ['full stops, question and exclamation marks', 'Rest well.‖ Did it help?‖ It did!‖ Good.'],
  ['closing quotes and brackets', 'He said “rest.”‖ (She agreed.)‖ "Why?"‖ **Never.**‖ Yes.'],
  ['a quoted question in the middle', '“Why me?” she asked.‖ (Is it safe?) and so on.‖ Done.'],
  ['marks in a row', 'Really?!‖ Stop!!!‖ Well.'],
  ['small letters after a full stop', 'i have pain.‖ it hurts at night.‖ what helps?‖ milk.'],
  ['a title before a name', 'Dr. Rao met Mr. Shah and Mrs. D’Souza at St. Xavier.‖ Prof. Iyer left.'],
  ['Latin abbreviations', 'Some foods (e.g. ghee, i.e. Butter oil) vs. milk, cf. Table 2.‖ Others too.'],
  [
    'etc. in the middle and at the end',
    'Nuts, seeds etc. are heavy.‖ Avoid nuts, seeds, etc.‖ Eat rice, dal etc., daily.',
  ],
  ['approximate amounts', 'Take approx. 5 ml, max. two spoons.‖ Then stop.'],
  ['numbers of things', 'See No. 5, p. 12, Ch. 3 and Vol. II.‖ Also pp. 3-4 and Fig. 2.'],
  ['the answer no', 'Did it help?‖ No.‖ It did not.'],
  ['verses of a classical text', 'Ch. Su. 12 says so (C.S. Su. 1.5).‖ It is old.'],
  ['degrees', 'Asha Rao, B.A.M.S., is here.‖ She holds a B.A.M.S. from Pune.‖ He has a Ph.D.‖ They met.'],
  ['countries', 'The U.S. Government said so.‖ It came from the U.S.‖ It was old.'],
  ['initials', 'A. K. Sharma and J. Smith wrote it.‖ They differ.'],
  ['a letter that ends a name', 'Take vitamin C.‖ Eat oranges.‖ He has hepatitis B.‖ It is mild.'],
  ['the word I', 'She is older than I.‖ Nobody knew.'],
  ['decimals, versions and times', 'Take 3.5 g at 10.30 with v2.1.0 of it.‖ Wait 2.5 h.'],
  ['times of day', 'Sleep at 10 p.m. daily and rise at 5 a.m.‖ Drink water.‖ At 6 p.m. eat.'],
  ['months', 'Since Jan. 5 she rests.‖ It began in Feb.‖ She was ill.'],
  ['studies', 'Rao et al. 2019 and Shah et al. (2020) agree.‖ Others do not.'],
  ['a year at the end', 'It was found in 1998.‖ Nobody cared.'],
  ['numbers inside a paragraph', 'Do this: 1. Eat rice.‖ 2. Drink water.‖ That is all.'],
  ['an unknown abbreviation without vowels', 'The govt. hospital and the mgmt. there are good.‖ Go.'],
  ['ellipses', 'Well... maybe it helps.‖ Wait…‖ Then rest.‖ So . . . perhaps not.‖ I see..‖ Fine.'],
  ['an ellipsis in front', '...and then it stopped.‖ Good.'],
  ['addresses', 'See https://a.example/b.c?d=e!f.‖ Or www.a.example.‖ Write to dr.rao@a.example.‖ Thanks.'],
  ['sources in brackets', 'Ghee calms vata.[1]‖ It warms.[2, 3][4]‖ It feeds.¹‖ Good.'],
  ['an emoji at the end', 'Great!‖ Rest well. 😊'],
  ['Devanagari dandas', 'वात शांत करें।‖ गर्म दूध पिएँ।‖क्या दर्द है?‖ हाँ।'],
  ['double dandas with the number of the verse', 'प्रथम श्लोक ॥ १२ ॥‖ द्वितीय श्लोक॥१३॥'],
  ['Hindi titles', 'डॉ. शर्मा और श्री. वर्मा आए।‖ प्रो. राव नहीं आए।'],
  ['Hindi with full stops', 'मैं ठीक हूँ.‖ आप कैसे हैं.'],
  ['Hindi units', '५ मि.ग्रा. दवा लें।‖ आराम करें।'],
  ['other scripts', '你好。‖再见！‖ كيف حالك؟‖ بخير.'],
  ['a blank line', 'Diet and sleep\n\n‖eat early\n \t\n‖ sleep'],
  ['a wrapped line', 'Eat warm food that is\neasy to digest.‖ Then\nrest.'],
  ['every kind of line break', 'one\r\n\r\n‖two\r\rthree\u2029‖four\u2028five'.replace('\r\r', '\r\r‖')],
  ['lines in bold', 'Read on.\n‖**Diet**\n‖Eat rice.\n‖__Sleep__:\n‖early'],
  ['a short line of capitalised words', 'Diet and Lifestyle\n‖Eat rice.'],
  ['a line that ends with a colon', 'Do this:\n‖Eat rice\nand dal.'],
  ['rows of a table', '| Food | When |\n‖| Rice | Noon |'],
];

describe('the sentences of a text', () => {
  it.each(rows)('are told apart: %s', (_, marked) => {
    const parts = marked.split('‖').map((part) => part.trim());
    expect(sentences(marked.replaceAll('‖', ''))).toEqual(parts);
  });

  it('leave out the markers of lists', () => {
    const text = [
      'Try these:',
      '1. Rest well. Sleep early.',
      '2) Eat rice',
      '(3) Drink water',
      '- Walk',
      '  * Run',
      '• Swim',
      '•Sit',
      '+ [x] Breathe',
      'a) Ghee',
      'b. Oil',
      'iv) Salt',
      '५. दूध',
      '- 1. Milk',
    ].join('\n');
    expect(sentences(text)).toEqual([
      'Try these:',
      'Rest well.',
      'Sleep early.',
      'Eat rice',
      'Drink water',
      ...'Walk Run Swim Sit Breathe Ghee Oil Salt दूध Milk'.split(' '),
    ]);
  });

  it('leave out the marks of headings and quotations, and lines that only divide', () => {
    expect(sentences('## Diet\nEat rice.\n---\n> Rest\n|---|:--|\n***\n- \nSleep')).toEqual([
      'Diet',
      'Eat rice.',
      'Rest',
      'Sleep',
    ]);
  });

  it('go on over an indented or small-lettered line of a list item, and end with the item otherwise', () => {
    expect(sentences('- Eat what is\n  Easy to digest\n- Rest\nand sleep\nThat is all')).toEqual([
      'Eat what is\n  Easy to digest',
      'Rest\nand sleep',
      'That is all',
    ]);
  });

  it('do not take a number that was wrapped to the next line for a list', () => {
    expect(sentences('He was ill from the age of\n12. Then he got well.')).toEqual([
      'He was ill from the age of\n12.',
      'Then he got well.',
    ]);
  });

  it('do not take a number with a decimal point, a year or a dash before a figure for a list', () => {
    for (const text of ['1.5 cups of rice', '-5 degrees outside', '2019 was a bad year'])
      expect(sentences(text)).toEqual([text]);
  });

  it('are none where there is nothing', () => {
    expect(sentenceSpans('')).toEqual([]);
    expect(sentenceSpans(' \n\t\u3000')).toEqual([]);
  });

  it('are places in UTF-16 units', () => {
    expect(sentenceSpans(' 😀 Hi. Yo.')).toEqual([
      { start: 1, end: 7 },
      { start: 8, end: 11 },
    ]);
  });
});

const marker = fc.constantFrom('- ', '* ', '• ', '1. ', '2) ', '(3) ', 'a) ', '# ', '');
const body = fc
  .array(fc.constantFrom('Dr.', 'ghee', 'Rest.', 'etc.', 'p.m.', '3.5', '"No!"', 'क्या?', 'है।', '…', 'A.', '😀'), {
    minLength: 1,
    maxLength: 8,
  })
  // The first word keeps a body from being taken for a marker itself.
  .map((words) => `Take ${words.join(' ')}`);

describe('the spans of sentences', () => {
  it('lie in order, apart and trimmed, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let last = 0;
        for (const { start, end } of sentenceSpans(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(isWhiteSpace(text.charCodeAt(start)) || isWhiteSpace(text.charCodeAt(end - 1))).toBe(false);
          last = end;
        }
      }),
      runs,
    );
  });

  it('leave out nothing but white space and what markers are made of, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(outside(text)).toMatch(
          /^(?:\s|[\u001c-\u001f\u0085]|[-*+–—·∙•‣▪◦●○■□➢➤►▶✓✔✅[\]#>|_=:~().]|\ufe0f|\p{Nd}|\p{L})*$/u,
        );
      }),
      runs,
    );
  });

  it('leave out exactly the markers and the white space', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(marker, body), { minLength: 1, maxLength: 6 }), (lines) => {
        const text = lines.map(([mark, words]) => mark + words).join('\n\n');
        expect(outside(text).replaceAll(/\s/gu, '')).toBe(lines.map(([mark]) => mark.trim()).join(''));
      }),
      runs,
    );
  });
});

function outside(text: string): string {
  let left = '';
  let at = 0;
  for (const { start, end } of sentenceSpans(text)) {
    left += text.slice(at, start);
    at = end;
  }
  return left + text.slice(at);
}

describe('a full stop', () => {
  it.each([
    ['rice', 'eat', 'Then', true],
    ['rice', 'eat', 'then', true],
    ['Dr', 'by', 'Rao', false],
    ['डॉ', '', 'राव', false],
    ['etc', 'nuts,', 'are', false],
    ['etc', 'nuts,', 'Avoid', true],
    ['No', 'see', '5', false],
    ['No', '', 'It', true],
    ['p.m', '5', 'daily', false],
    ['p.m', '5', 'Drink', true],
    ['B.A.M.S', 'a', 'Hospital', false],
    ['B.A.M.S', 'a', 'She', true],
    ['K', 'A.', 'Rao', false],
    ['C', 'vitamin', 'Oranges', true],
    ['2', 'these:', 'Rice', false],
    ['2', '', 'Rice', false],
    ['2', 'took', 'Then', true],
    ['dept', 'the', 'of', false],
    ['constructor', 'the', 'Then', true],
  ])('after %j (%j before it, %j after it) ends a sentence: %s', (word, before, next, ends) => {
    expect(fullStopEnds({ word, before, next })).toBe(ends);
  });
});
