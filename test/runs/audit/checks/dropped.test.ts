import { describe, expect, test } from 'vitest';

import { makeCase } from '../../../../src/data/case.ts';
import { dropped } from '../../../../src/runs/audit/checks/dropped.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const good = (n: number) => times(n, (at) => spanCase(`g${at}`, ['PERSON 0'], ['PERSON 0']));
const failed = (n: number) => times(n, (at) => spanCase(`f${at}`, ['PERSON 0'], [], { failed: 'time-out' }));
const silent = (n: number) => times(n, (at) => spanCase(`u${at}`, ['PERSON 0'], [], { answered: false }));

describe('cases that are not scored', () => {
  test('failed: two of forty are a warning, one of ten a note, ten of fifty an error', async () => {
    const { said, findings } = await look(dropped, STRICT, [...good(38), ...failed(2)]);
    expect(said).toEqual(['warning: 2 of 40 cases (5 %) failed and are in no average']);
    expect(findings[0]).toMatchObject({ cases: { total: 2, shown: ['f0', 'f1'] }, subjects: ['failed'] });
    expect(findings[0]!.items.shown[0]!.text).toBe('time-out');
    expect((await look(dropped, STRICT, [...good(9), ...failed(1)])).said).toEqual([
      'note: 1 of 10 cases (10 %) failed and is in no average',
    ]);
    expect((await look(dropped, STRICT, [...good(40), ...failed(10)])).said).toEqual([
      'error: 10 of 50 cases (20 %) failed and are in no average',
    ]);
  });

  test('unanswered: three of thirty are a warning, two a note, half of them an error', async () => {
    expect((await look(dropped, STRICT, [...good(27), ...silent(3)])).said).toEqual([
      'warning: 3 of 30 cases (10 %) have no prediction: scored as an empty answer',
    ]);
    expect((await look(dropped, STRICT, [...good(8), ...silent(2)])).said[0]).toMatch(/^note: 2 of 10 cases/);
    expect((await look(dropped, STRICT, [...good(5), ...silent(5)])).said[0]).toMatch(/^error: 5 of 10 cases/);
  });

  test('none of it where all went well', async () => {
    expect((await look(dropped, STRICT, good(5))).said).toEqual([]);
  });
});

describe('items that are set aside', () => {
  const dropping = (side: string): object => ({
    ...STRICT,
    prepare: { drop: { side, labels: ['MISC'], because: 'not asked for' } },
  });

  test('predictions: a tenth of them is a warning, fewer a note', async () => {
    const noisy = times(5, (at) => spanCase(`n${at}`, [], ['MISC 0']));
    const { said, findings } = await look(dropped, dropping('predicted'), [...good(45), ...noisy]);
    expect(said).toEqual(['warning: 5 of 50 predictions (10 %) were set aside by the rule drop before pairing']);
    expect(findings[0]).toMatchObject({ subjects: ['drop'], items: { total: 5 } });
    expect((await look(dropped, dropping('predicted'), [...good(45), noisy[0]!])).said[0]).toMatch(
      /^note: 1 of 46 predictions \(2 %\) was/,
    );
  });

  test('gold: what the task leaves out is a note', async () => {
    const extra = times(9, (at) => spanCase(`n${at}`, ['MISC 0'], []));
    expect((await look(dropped, dropping('gold'), [...good(21), ...extra])).said).toEqual([
      'note: 9 of 30 gold items (30 %) were set aside by the rule drop before pairing',
    ]);
  });

  test('what a failed case has is said of the case alone', async () => {
    expect((await look(dropped, dropping('gold'), [...good(9), ...failed(1)])).said).toHaveLength(1);
  });
});

describe('what reading let pass', () => {
  test('is said with its count, as a warning where it is much', async () => {
    const notices = {
      unknownCasesAsSpurious: 3,
      uncheckedSpans: 80,
      casesWithoutGold: 2,
      heuristicLogs: 4,
      unansweredCases: 7,
    };
    const { said, findings } = await look(dropped, STRICT, good(40), { notices });
    expect(findings.map(({ subjects }) => subjects.join())).toEqual([
      'unknown-cases',
      'unchecked-spans',
      'cases-without-gold',
    ]);
    expect(said).toEqual([
      'warning: 3 prediction records for cases that nobody knows, counted as spurious',
      'note: 80 spans not checked against the text: no text was given',
      'note: 2 cases without gold: every prediction there is spurious',
    ]);
  });

  test('gold of other annotators is left out by first, and counted once by union and majority', async () => {
    const [own] = spanCase('a', ['PERSON 0'], ['PERSON 0']).gold;
    const twice = makeCase({
      id: 'a',
      gold: [
        { ...own!, annotator: 'ann' },
        { ...own!, index: 1, annotator: 'bob' },
      ],
      predicted: [own!],
    });
    const by = async (use: string) =>
      (await look(dropped, { ...STRICT, prepare: { annotator: use } }, [...good(3), twice])).said;
    expect(await by('first')).toEqual(['note: 1 gold item of annotators whom the recipe does not use']);
    const once = 'note: 1 gold item that another annotator had marked too: what several marked counts once';
    expect(await by('union')).toEqual([once]);
    expect(await by('majority')).toEqual([once]);
  });
});
