import { describe, expect, test } from 'vitest';

import { type Case, makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { splitWords } from '../../../src/audit/checks/content/trace-faults.ts';
import type { Join } from '../../../src/stream/canonical-text.ts';
import { streamCase } from '../../../src/stream/measure/stream-case.ts';
import { madeTrace, turn } from '../../stream/made-trace.ts';
import { foundBy } from './found-by.ts';
import { capitals, madeLog } from './stream-log.ts';

const trace = madeTrace('c', [
  {
    agent: 'anna',
    deltas: ['Spin', 'oc', 'ere', 'bell', 'ar', ' at', 'ax', 'ia', ' is', ' rare', '.'].map(
      (text, at) => [text, at * 10] as const,
    ),
  },
  turn('bert', 'Yes@200'),
]);

function journal(id: string, text: string, quotes: readonly string[] = []): Case {
  return makeCase({
    id,
    text,
    gold: [makeItem({ kind: 'object', index: 0, label: 'food', text: text.slice(0, 9) })],
    predicted: quotes.map((quote, index) => makeItem({ kind: 'object', index, label: 'food', text: quote })),
  });
}

const found = (cases: readonly Case[]): ReturnType<typeof foundBy> => foundBy([splitWords], 'journal/ashwam', cases);

describe('deltas joined by a space', () => {
  const measured = async (join: Join): ReturnType<typeof foundBy> =>
    foundBy([splitWords], 'stream/exaid', [await streamCase(trace, madeLog(trace, [[1, 11, 'Rare']]), capitals, join)]);

  test('say how many words they cut', async () => {
    const { findings } = await measured('space');
    // Spin|oc|ere|bell|ar has four cuts, at|ax|ia two; a full stop and another turn are no cut.
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      ['error', 'stream.join: space has cut 2 words of 1 trace into pieces, at 6 places: "Spin oc ere bell ar"'],
    ]);
    expect(findings[0]?.items.shown.map(({ text }) => text)).toEqual(['Spin oc ere bell ar', 'at ax ia']);
  });

  test('that came with a space each are found in the trace itself', async () => {
    // Per round: a joint after each delta but the last of all; ' at' has a space of its own, 'ax' and 'ia' go on with it.
    const round = ['Spin', 'oc', 'ere', ' bell', ' at', 'ax', 'ia', ' is', ' rare'];
    const deltas = [...round, ...round.map((text, at) => (at === 0 ? ` ${text}` : text)), ' and', ' so', ' on', '.'];
    const padded = (pad: (text: string) => string) =>
      madeTrace('c', [{ agent: 'anna', deltas: deltas.map((text, at) => [pad(text), at * 10] as const) }]);
    for (const pad of [(text: string) => `${text} `, (text: string) => ` ${text}`]) {
      const given = padded(pad);
      const log = madeLog(given, [[1, 20, 'Rare']]);
      const { findings } = await foundBy([splitWords], 'stream/exaid', [
        await streamCase(given, log, capitals, 'concat'),
      ]);
      expect(findings.map(({ severity, title, subjects }) => [severity, title, subjects])).toEqual([
        [
          'error',
          '1 of 1 trace has a space added to every delta, which cuts 4 words into pieces, at 8 places: "Spin oc ere"',
          ['delta_text'],
        ],
      ]);
    }
  });

  test('joined as they came, nothing is cut', async () => {
    expect((await measured('concat')).said).toEqual([]);
  });
});

describe('texts that show it themselves', () => {
  const SHREDDED =
    'The pat ient had a spin oc ere bell ar at ax ia and br uc ell osis , and was seen by the n eur ol og ist on the w ard for it .';

  test('many pieces in a row that are no words', async () => {
    const { findings } = await found(Array.from({ length: 5 }, (_, at) => journal(`c${at}`, SHREDDED)));
    expect(findings.map(({ severity, subjects }) => [severity, subjects])).toEqual([['warning', ['case texts']]]);
  });

  test.each([
    [
      'a list',
      'Bring a pen, a cup, a cap and an old hat; then ox, yak, emu, elk and ape. Add up: a b c d e f g of the set.',
    ],
    [
      'doses',
      'Give 5 mg po bid and 2 ml iv tid for 3 d, then 1 g im qid if hb is low or bp is up; no ac or hs dose to be had.',
    ],
    ['codes', 'The ref is ab1 cd2 ef3 and the box is A1 B2 C3 D4, to be read as is by the ops on the net at no 12.'],
    ['Hindi', 'मैं कल से ठीक नहीं हूँ और मुझे सिर में दर्द है पर अब थोड़ा आराम है तो मैं सो जा रहा हूँ घर पर ही।'],
    [
      'Hindi in Latin letters',
      'Aaj subah se hi mera sir bhi dukh raha tha aur neend bhi na aai thi to kal ka din bas aisa hi gaya yaar.',
    ],
    [
      'Vietnamese',
      'Tôi bị đau đầu và ho từ hôm qua nên hôm nay tôi ở nhà nghỉ và uống trà ấm cho dễ chịu hơn một chút.',
    ],
    [
      'Danish',
      'I dag vågnede jeg med ondt i ryg og nakke, og så gik jeg en tur ud ad en sti ved åen. Om aftenen var der for lidt at se på, og det var for koldt under min dyne.',
    ],
    [
      'Swedish',
      'I dag åt jag ris och ägg, och sen tog vi en tur ut i en båt. Det var så fint att se sol, men jag har ont i en fot och kan inte gå så långt.',
    ],
    [
      'Dutch',
      'Ik had pijn in mijn rug en was om elf uur in bed. Er was een ei op een bord, en ik at er wat van, want ik had al zo lang niet in de zon over de dijk gelopen.',
    ],
    [
      'romanised Chinese',
      'Wo jue de hen lei ye bu xiang qu le ni ne wo men ming tian zai shuo ba hao bu hao a ni xian shui ba.',
    ],
    [
      'short words',
      'I ate an egg and a bun, had tea, got a bus to the sea, sat in the sun, saw a dog run by, and was in bed by ten.',
    ],
  ])('%s is fine', async (_, text) => {
    expect((await found(Array.from({ length: 20 }, (_own, at) => journal(`c${at}`, text)))).said).toEqual([]);
  });
});

describe('quotes with spaces inside words', () => {
  const text = 'I had porridge with blueberries and then a headache all afternoon.';

  test('are recognised by the text they stand in', async () => {
    const cases = Array.from({ length: 5 }, (_, at) =>
      journal(`c${at}`, text, ['por ridge with blue ber ries', 'a headache']),
    );
    const { findings } = await found(cases);
    expect(findings.map(({ severity, title }) => [severity, title])).toEqual([
      [
        'warning',
        '5 of 10 predicted quotes (50 %) are in their text except for spaces put inside words: "por ridge with blue ber ries"',
      ],
    ]);
  });

  test('line breaks, words left out and other words are none', async () => {
    const quotes = ['porridge\nwith blueberries', 'porridge blueberries', 'a head ache all over', 'porridgewith'];
    expect((await found(Array.from({ length: 9 }, (_, at) => journal(`c${at}`, text, quotes)))).said).toEqual([]);
  });
});
