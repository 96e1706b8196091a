import { describe, expect, test } from 'vitest';

import { Chance } from './content/made-texts.ts';
import { auditRecords, type DocumentRecord, madeRecords, type SpanRecord } from './span-records.ts';

const FAULTS = ['untrimmed-spans', 'shifted-spans', 'repeated-items', 'cut-off-predictions', 'swapped-labels'];

async function alarms(documents: readonly DocumentRecord[], recipe: string): Promise<string[]> {
  const { audit } = await auditRecords(documents, recipe);
  return audit.findings.filter(({ name }) => FAULTS.includes(name)).map(({ name, title }) => `${name}: ${title}`);
}

const changed = (
  documents: readonly DocumentRecord[],
  change: (span: SpanRecord, document: DocumentRecord) => readonly SpanRecord[],
): DocumentRecord[] =>
  documents.map((one) => ({ ...one, predicted: one.predicted.flatMap((span) => change(span, one)) }));

const ORDINARY = { missed: 0.2, bounds: 0.2, confused: 0.1, invented: 0.1 };

/** Phrases that cover a sentence from end to end, as chunkers mark them. */
function chunks(n: number, seed: number): DocumentRecord[] {
  const chance = new Chance(seed);
  return Array.from({ length: n }, (_, at) => {
    let text = '';
    const gold: SpanRecord[] = [];
    for (let phrase = 0; phrase < 6 + chance.below(12); phrase += 1) {
      const words = Array.from({ length: 1 + chance.below(3) }, () =>
        chance.one(['the', 'old', 'firm', 'rose', 'in', 'a', '%', '5', 'May']),
      );
      const start = text.length;
      text += words.join(' ');
      gold.push({ start, end: text.length, label: chance.one(['NP', 'NP', 'VP', 'PP']) });
      text += ' ';
    }
    const predicted = gold.map((span) => {
      if (chance.happens(0.94)) return span;
      // A word more or less: many have one letter.
      const end = text.indexOf(' ', span.end + 1);
      return { ...span, end: end < 0 ? span.end : end };
    });
    return { id: `s${at}`, text, gold, predicted };
  });
}

/** Boundaries that are off by a character now and then, each end for itself. */
function noisy(documents: readonly DocumentRecord[], seed: number, share: number): DocumentRecord[] {
  const chance = new Chance(seed);
  const by = (): number => (chance.happens(share) ? chance.one([-1, 1]) : 0);
  return changed(documents, ({ start, end, label }, { text }) => {
    const moved = { start: Math.max(0, start + by()), end: Math.min([...text].length, end + by()), label };
    return moved.end > moved.start ? [moved] : [];
  });
}

const SETS: Readonly<Record<string, () => DocumentRecord[]>> = {
  'news, whose names stand early': () => madeRecords(60, 11, { ...ORDINARY, sentences: 40, namedUpTo: 5 }),
  'long texts of a weak system': () =>
    madeRecords(30, 12, { sentences: 30, missed: 0.7, bounds: 0.5, confused: 0.3, invented: 0.3 }),
  'a system that confuses two labels in nearly half of the cases': () =>
    madeRecords(80, 13, { ...ORDINARY, sentences: 8, confused: 0.45 }),
  'posts of a few words with emoji': () =>
    madeRecords(600, 14, { ...ORDINARY, sentences: 1, emoji: 0.5, missed: 0.55 }),
  'phrases side by side': () => chunks(150, 15),
  'boundaries that are off here and there, in long texts': () =>
    noisy(madeRecords(40, 16, { ...ORDINARY, sentences: 15 }), 16, 0.15),
  'boundaries that are off here and there, in single sentences': () =>
    noisy(madeRecords(600, 17, { ...ORDINARY, sentences: 1 }), 17, 0.15),
  'a full stop with every abbreviation': () =>
    changed(madeRecords(80, 18, { ...ORDINARY, sentences: 10 }), (span, { text }) => [
      [...text].slice(span.start, span.end).join('').endsWith('Inc.') ? { ...span, end: span.end - 1 } : span,
    ]),
  'a loop in three answers': () =>
    madeRecords(100, 19, { ...ORDINARY, sentences: 4 }).map((one, at) =>
      at % 40 === 7
        ? { ...one, predicted: [...one.predicted, ...Array.from({ length: 30 }, () => one.predicted[0]!)] }
        : one,
    ),
  'blanks here and there': () =>
    changed(madeRecords(200, 20, { ...ORDINARY, sentences: 8 }), (span, { id }) => [
      id.endsWith('77') ? { ...span, end: span.end + 1 } : span,
    ]),
  'a label that is never found and stands last': () =>
    madeRecords(60, 21, { ...ORDINARY, sentences: 6 }).map((one) => {
      const start = one.text.length;
      const text = `${one.text}Case number 17, register 21, file 44, shelf 10.`;
      const found = [...text.matchAll(/\d+(?=[,.])/g)].filter(({ index }) => index >= start);
      const offset = [...text].length - text.length;
      return {
        ...one,
        text,
        gold: [
          ...one.gold,
          ...found.map(({ index, 0: words }) => ({
            start: index + offset,
            end: index + offset + words.length,
            label: 'CODE',
          })),
        ],
      };
    }),
};

/** White space within a boundary that is off by a character is there, and trimming is right about it. */
const isWrong =
  (name: string) =>
  (alarm: string): boolean =>
    !(name.startsWith('boundaries') && alarm.startsWith('untrimmed-spans'));

describe('an honest evaluation is accused of none of these faults', () => {
  test.each(Object.keys(SETS))('%s', async (name) => {
    const documents = SETS[name]!();
    for (const recipe of ['spans/strict', 'spans/iou', 'spans/semeval'])
      for (const some of [documents, documents.slice(0, 20)])
        expect((await alarms(some, recipe)).filter(isWrong(name)), `${recipe}, ${some.length}`).toEqual([]);
  });
});
