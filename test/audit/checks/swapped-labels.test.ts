import { expect, test } from 'vitest';

import { swappedLabels } from '../../../src/audit/checks/swapped-labels.ts';
import { type Case, makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { look } from '../audited.ts';
import { Chance } from '../content/made-texts.ts';
import { spanCase, STRICT, times } from '../made-items.ts';
import { settingsIn } from '../span-records.ts';

const OTHER: Readonly<Record<string, string>> = { A: 'B', B: 'A', C: 'C' };
const exchanged = (word: string): string => `${OTHER[word.slice(0, 1)] ?? ''}${word.slice(1)}`;

/** Cases with things of two labels and of a third; `isExchanged` is asked for each case, `confused` for each thing. */
function cases(n: number, isExchanged: (at: number) => boolean, confused: number): Case[] {
  const chance = new Chance(5);
  return times(n, (at) => {
    const words = Array.from({ length: 2 + (at % 5) }, (_, index) => `${index % 2 === 0 ? 'A' : 'B'} ${index * 10}`);
    const said = isExchanged(at) ? words.map(exchanged) : words;
    const predicted = said.map((word) => (chance.happens(confused) ? exchanged(word) : word));
    return spanCase(`c${at}`, [...words, 'C 90'], [...predicted, 'C 90']);
  });
}

test.each([
  ['half', (at: number) => at % 2 === 0],
  ['a quarter', (at: number) => at % 4 === 0],
  ['two thirds', (at: number) => at % 3 > 0],
])('labels that are exchanged in %s of the cases are an error', async (_, isExchanged) => {
  for (const confused of [0, 0.1]) {
    const made = cases(80, isExchanged, confused);
    const { findings, said } = await look(swappedLabels, STRICT, made);
    expect(said).toEqual([
      expect.stringMatching(/^error: A and B \(span\) are exchanged throughout in \d+ cases; in /),
    ]);
    expect(findings[0]?.subjects).toEqual(['A', 'B']);
    const { run } = await look(swappedLabels, STRICT, made, { set: settingsIn(findings[0]!.todo) });
    expect(run.measures.measures.find(({ name }) => name === 'f1')?.value).toBe(1);
  }
});

test('classes that are exchanged have the label of gold with the setting that is printed', async () => {
  const turned: Readonly<Record<string, string>> = { vata: 'pitta', pitta: 'vata', kapha: 'kapha' };
  const class_ = (label: string) => [makeItem({ kind: 'class', index: 0, label, text: label })];
  const made = times(40, (at) => {
    const label = ['vata', 'pitta', 'kapha'][at % 3]!;
    return makeCase({ id: `c${at}`, text: `Case ${at}`, gold: class_(label), predicted: class_(turned[label]!) });
  });
  const { findings } = await look(swappedLabels, 'consult/ayurmind', made);
  const set = settingsIn(findings[0]!.todo);
  expect(set).toEqual(['prepare.relabel.map.pitta=vata', 'prepare.relabel.map.vata=pitta']);
  const { run, said } = await look(swappedLabels, 'consult/ayurmind', made, { set });
  expect(said).toEqual([]);
  expect(run.measures.measures.find(({ name }) => name === 'accuracy')?.value).toBe(1);
});

test('confusions that are independent of each other are none, however many', async () => {
  for (const confused of [0.2, 0.35, 0.5])
    expect(
      (
        await look(
          swappedLabels,
          STRICT,
          cases(200, () => false, confused),
        )
      ).said,
    ).toEqual([]);
});

test('a label that is predicted for another in all of some cases is not exchanged with it', async () => {
  const made = times(60, (at) =>
    spanCase(
      `c${at}`,
      ['A 0', 'A 10', 'B 20', 'B 30'],
      [...(at % 2 === 0 ? ['B 0', 'B 10'] : ['A 0', 'A 10']), 'B 20', 'B 30'],
    ),
  );
  expect((await look(swappedLabels, STRICT, made)).said).toEqual([]);
});

test('predictions that only overlap gold with another label are not exchanged, whatever else is wrong with boundaries', async () => {
  // All boundaries are off by one, a few labels are confused: the right ones are no hits, and nothing is exchanged.
  const made = times(40, (at) =>
    spanCase(`c${at}`, ['A 10', 'B 50'], at % 4 === 0 ? ['B 11', 'A 51'] : ['A 11', 'B 51']),
  );
  expect((await look(swappedLabels, STRICT, made)).said).toEqual([]);
});
