import { describe, expect, test } from 'vitest';

import { makeCase } from '../../../src/data/case.ts';
import { dropped } from '../../../src/audit/checks/dropped-data.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const good = (n: number) => times(n, (at) => spanCase(`g${at}`, ['PERSON 0'], ['PERSON 0']));
const failed = (n: number) => times(n, (at) => spanCase(`f${at}`, ['PERSON 0'], [], { failed: 'time-out' }));
const nothing = (n: number) => times(n, (at) => spanCase(`e${at}`, [], []));
/** No gold and no record: a system that writes nothing where it finds nothing. */
const omitted = (n: number) => times(n, (at) => spanCase(`o${at}`, [], [], { answered: false }));
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

  test('unanswered where there is nothing to find: a note, however many, with both numbers', async () => {
    const { said, findings } = await look(dropped, STRICT, [...good(10), ...omitted(10)]);
    expect(said).toEqual([
      'note: 10 of 10 cases without gold and none of 10 with gold have no prediction: scored as an empty answer',
    ]);
    expect(findings[0]).toMatchObject({ subjects: ['unanswered'], cases: { total: 10 } });
    // 2 of 22 with gold are 9 %, although 12 of 32 are 38 % of all.
    const some = await look(dropped, STRICT, [...good(20), ...omitted(10), ...silent(2)]);
    expect(some.said).toEqual([
      'note: 2 of 22 cases with gold (9 %) and 10 of 10 without have no prediction: scored as an empty answer',
    ]);
    // Those with gold are shown first.
    expect(some.findings[0]!.cases).toMatchObject({ total: 12 });
    expect(some.findings[0]!.cases.shown.slice(0, 3)).toEqual(['u0', 'u1', 'o0']);
    expect((await look(dropped, STRICT, [...nothing(3), ...omitted(1)])).said).toEqual([
      'note: 1 of 4 cases without gold has no prediction: scored as an empty answer',
    ]);
  });

  test('predictions lost among the cases with gold: their share counts, however many cases have none', async () => {
    // 5 of 10 with gold, 5 of 50 of all.
    expect((await look(dropped, STRICT, [...good(5), ...silent(5), ...nothing(40)])).said).toEqual([
      'error: 5 of 10 cases with gold (50 %) and none of 40 without have no prediction: scored as an empty answer',
    ]);
    // Half of a file is gone, from cases of both sorts.
    expect((await look(dropped, STRICT, [...good(10), ...silent(10), ...nothing(15), ...omitted(15)])).said).toEqual([
      'error: 10 of 20 cases with gold (50 %) and 15 of 30 without have no prediction: scored as an empty answer',
    ]);
    // 3 of 30 with gold, 3 of 60 of all.
    expect((await look(dropped, STRICT, [...good(27), ...silent(3), ...nothing(30)])).said[0]).toMatch(
      /^warning: 3 of 30 cases with gold \(10 %\) and none of 30 without have/,
    );
  });

  test('gold that a rule took out is nothing that could be missed', async () => {
    const dropping = { ...STRICT, prepare: { drop: { side: 'gold', labels: ['MISC'] } } };
    const unmasked = times(5, (at) => spanCase(`n${at}`, ['MISC 0'], [], { answered: false }));
    expect((await look(dropped, dropping, [...good(5), ...unmasked])).said).toContain(
      'note: 5 of 5 cases without gold and none of 5 with gold have no prediction: scored as an empty answer',
    );
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
    const once = { ...STRICT, prepare: { dedupe: { side: 'predicted' } } };
    // Each says the same twice: 40 + 2 x 5 = 50 predictions, 5 of them copies.
    const twice = times(5, (at) => spanCase(`n${at}`, ['PERSON 0'], ['PERSON 0', 'PERSON 0']));
    const { said, findings } = await look(dropped, once, [...good(40), ...twice]);
    expect(said).toEqual(['warning: 5 of 50 predictions (10 %) were set aside by the rule dedupe before pairing']);
    expect(findings[0]).toMatchObject({ subjects: ['dedupe'], items: { total: 5 } });
    expect((await look(dropped, once, [...good(44), twice[0]!])).said[0]).toMatch(
      /^note: 1 of 46 predictions \(2 %\) was/,
    );
  });

  test('what somebody wrote a rule for is a note, and a warning where nine tenths go', async () => {
    const noisy = (n: number) => times(n, (at) => spanCase(`n${at}`, [], ['MISC 0']));
    const { said, findings } = await look(dropped, dropping('predicted'), [...good(45), ...noisy(5)]);
    expect(said).toEqual(['note: 5 of 50 predictions (10 %) were set aside by the rule drop before pairing']);
    expect(findings[0]!.why).toMatch(/^The recipe asks for that\. They are neither right nor wrong/);
    expect((await look(dropped, dropping('predicted'), [...good(6), ...noisy(44)])).said).toEqual([
      'note: 44 of 50 predictions (88 %) were set aside by the rule drop before pairing',
    ]);
    const most = await look(dropped, dropping('predicted'), [...good(5), ...noisy(45)]);
    expect(most.said).toEqual(['warning: 45 of 50 predictions (90 %) were set aside by the rule drop before pairing']);
    expect(most.findings[0]!.why).toMatch(/^Next to nothing is left to be scored\./);
    // On both sides: 5 of 50 gold items stay, and 5 of 6 predictions.
    const asked = times(45, (at) => spanCase(`n${at}`, ['MISC 0'], at === 0 ? ['MISC 0'] : []));
    expect((await look(dropped, dropping('both'), [...good(5), ...asked])).said).toEqual([
      'warning: 45 of 50 gold items (90 %) and 1 of 6 predictions (17 %) were set aside by the rule drop before pairing',
    ]);
  });

  test('predictions below a confidence that was asked for, by whatever name the rule goes', async () => {
    const unsure = times(5, (at) => {
      const made = spanCase(`n${at}`, [], ['PERSON 0']);
      return { ...made, predicted: made.predicted.map((item) => ({ ...item, fields: { confidence: 0.4 } })) };
    });
    const named = { ...STRICT, prepare: { sure: { rule: 'min-confidence', min: 0.6 } } };
    expect((await look(dropped, named, [...good(20), ...unsure])).said).toEqual([
      'note: 5 of 25 predictions (20 %) were set aside by the rule sure before pairing',
    ]);
  });

  test('gold: what the task leaves out is a note', async () => {
    const extra = times(9, (at) => spanCase(`n${at}`, ['MISC 0'], []));
    expect((await look(dropped, dropping('gold'), [...good(21), ...extra])).said).toEqual([
      'note: 9 of 30 gold items (30 %) were set aside by the rule drop before pairing',
    ]);
    const most = times(20, (at) => spanCase(`n${at}`, ['MISC 0'], []));
    expect((await look(dropped, dropping('gold'), [...good(10), ...most])).said).toEqual([
      'note: 20 of 30 gold items (67 %) were set aside by the rule drop before pairing',
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
