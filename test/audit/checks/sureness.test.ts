import { describe, expect, test } from 'vitest';

import { missingIntervals, tooFewCases } from '../../../src/audit/checks/claims.ts';
import { placeholderAnswers } from '../../../src/audit/checks/no-values.ts';
import { ungrounded } from '../../../src/audit/checks/broken-items.ts';
import { parseRules } from '../../../src/compare/gate/rules.ts';
import { makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const INTERVALS = { set: ['interval.resamples=500'] };
/** Every fifth case is wrong. */
const cases = (n: number) => times(n, (at) => spanCase(`c${at}`, ['A 0'], at % 5 === 4 ? ['A 50'] : ['A 0']));

describe('too few cases', () => {
  test('four are a warning, nineteen a note, twenty are enough', async () => {
    expect((await look(tooFewCases, STRICT, cases(4))).said).toEqual(['warning: f1 rests on 4 cases']);
    expect((await look(tooFewCases, STRICT, cases(19))).said).toEqual(['note: f1 rests on 19 cases']);
    expect((await look(tooFewCases, STRICT, cases(20))).said).toEqual([]);
  });

  test('an interval over more than half of the range is a warning with seven cases and a note with twelve', async () => {
    const half = (n: number) => times(n, (at) => spanCase(`c${at}`, ['A 0'], at % 2 === 0 ? ['A 0'] : ['A 50']));
    expect((await look(tooFewCases, STRICT, half(7), INTERVALS)).said[0]).toMatch(
      /^warning: f1 rests on 7 cases: it may lie anywhere from/,
    );
    expect((await look(tooFewCases, STRICT, half(12), INTERVALS)).said[0]).toMatch(/^note: f1 rests on 12 cases/);
  });

  test('a rule of the gate that is inconclusive is a warning with how many cases it needs', async () => {
    const gate = parseRules(
      'rules:\n  - { measure: f1, atLeast: 0.75, sure: true }\n  - { measure: f1, atLeast: 0.5 }\n',
      'gate.yaml',
    );
    const { said, findings } = await look(tooFewCases, STRICT, cases(30), { ...INTERVALS, gate });
    expect(said).toEqual(['warning: Rule 1 of the gate (f1 atLeast 0.75) is inconclusive for 1 of 1 value']);
    expect(findings[0]!.todo).toMatch(/^Score about [\d,]+ cases/);
  });
});

describe('a rule of the gate that skips what is small', () => {
  // Of A there are 20 items, of B 4 and of C 2.
  const some = (label: string, n: number) =>
    times(n, (at) => spanCase(`${label}${at}`, [`${label} 0`], [`${label} 0`]));
  const labelled = [...some('A', 20), ...some('B', 4), ...some('C', 2)];
  const sliced = { ...STRICT, slice: ['label'] };
  const gate = (rule: string) => parseRules(`rules:\n  - { measure: recall, each: label, ${rule} }\n`, 'gate.yaml');
  const said = async (rule: string) => (await look(tooFewCases, sliced, labelled, { gate: gate(rule) })).said;

  test('is told by the values that are left', async () => {
    expect(await said('atLeast: 0.5, minimum: { n: 10 }, small: skip')).toEqual([]);
    expect(await said('atLeast: 0.5, minimum: { n: 10 }')).toEqual([
      'warning: Rule 1 of the gate (recall atLeast 0.5) is inconclusive for 2 of 3 values',
    ]);
  });

  test('looks at nothing where all values are small', async () => {
    expect(await said('atLeast: 0.5, minimum: { n: 21 }, small: skip')).toEqual([
      'warning: Rule 1 of the gate (recall atLeast 0.5) looks at nothing: all 3 values are below its minimum and skipped',
    ]);
  });

  test('may still not be told for one that is left', async () => {
    // A: 16 of 20, in an interval that reaches below 0.75. B and C are skipped.
    const unsure = [
      ...times(20, (at) => spanCase(`a${at}`, ['A 0'], at % 5 === 4 ? ['A 50'] : ['A 0'])),
      ...some('B', 4),
      ...some('C', 2),
    ];
    const rule = gate('atLeast: 0.75, sure: true, minimum: { n: 10 }, small: skip');
    expect((await look(tooFewCases, sliced, unsure, { ...INTERVALS, gate: rule })).said).toEqual([
      'warning: Rule 1 of the gate (recall atLeast 0.75) is inconclusive for 1 of 1 value',
    ]);
  });
});

describe('intervals', () => {
  test('that are switched off are a note, and none where they are there', async () => {
    expect((await look(missingIntervals, STRICT, cases(10))).said).toEqual([
      'note: The recipe asks for no intervals: how sure the values are is unknown',
    ]);
    expect((await look(missingIntervals, STRICT, cases(10), INTERVALS)).said).toEqual([]);
  });

  test('that cannot be had are a note with the reason', async () => {
    const same = times(10, (at) => spanCase(`c${at}`, ['A 0'], ['A 0']));
    expect((await look(missingIntervals, STRICT, same, INTERVALS)).said[0]).toMatch(
      /^note: f1 has no interval: every resample gave the same value/,
    );
  });
});

describe('placeholder-answers', () => {
  test('instead of a model or of a conversation are errors', async () => {
    expect(
      (await look(placeholderAnswers, STRICT, cases(5), { notices: { heuristicLogs: 5, stubTraces: 1 } })).said,
    ).toEqual([
      'error: 5 logs of 5 cases were answered by a heuristic stand-in, not by a language model',
      'error: 1 trace of 5 cases is a stub: no real conversation',
    ]);
    expect((await look(placeholderAnswers, STRICT, cases(5))).said).toEqual([]);
  });
});

describe('quotes that are not in the text', () => {
  const quoting = (id: string, gold: string, predicted: string) => {
    const object = (text: string) =>
      makeItem({ kind: 'object', index: 0, label: 'food', text, fields: { polarity: 'present' } });
    return makeCase({ id, text: 'rice and dal for lunch', gold: [object(gold)], predicted: [object(predicted)] });
  };
  const right = (n: number) => times(n, (at) => quoting(`r${at}`, 'rice and dal', 'rice and dal'));
  const wrong = (n: number) => times(n, (at) => quoting(`w${at}`, 'rice and dal', 'rice with dal'));

  test('are a warning from a tenth of the predictions on, a note below', async () => {
    const { said, findings } = await look(ungrounded, 'journal/ashwam', [...right(45), ...wrong(5)]);
    expect(said).toEqual(['warning: 5 of 50 predicted quotes (10 %) are not verbatim in the text']);
    expect(findings[0]).toMatchObject({ subjects: ['predicted'], cases: { total: 5 }, items: { total: 5 } });
    expect((await look(ungrounded, 'journal/ashwam', [...right(4), ...wrong(1)])).said).toEqual([
      'note: 1 of 5 predicted quotes (20 %) is not verbatim in the text',
    ]);
    expect((await look(ungrounded, 'journal/ashwam', right(4))).said).toEqual([]);
  });

  test('are a warning from a twentieth of gold on', async () => {
    const bad = times(5, (at) => quoting(`w${at}`, 'dal with rice', 'rice and dal'));
    expect((await look(ungrounded, 'journal/ashwam', [...right(95), ...bad])).said).toEqual([
      'warning: 5 of 100 gold quotes (5 %) are not verbatim in the text',
    ]);
  });

  test('but for white space are a note of their own, however many', async () => {
    const wrapped = (n: number, predicted: string) =>
      times(n, (at) => ({ ...quoting(`l${at}`, 'rice and dal', predicted), text: 'rice\nand  dal for lunch' }));
    const { said, findings } = await look(ungrounded, 'journal/ashwam', [...right(5), ...wrapped(5, 'rice and dal')]);
    expect(said).toEqual([
      'note: 5 of 10 predicted quotes (50 %) are in the text but for white space, such as line breaks of wrapped text',
      'note: 5 of 10 gold quotes (50 %) are in the text but for white space, such as line breaks of wrapped text',
    ]);
    expect(findings[0]).toMatchObject({ subjects: ['predicted'], cases: { total: 5 }, items: { total: 5 } });
    // The rest is a warning as ever.
    const mixed = [...right(35), ...wrapped(10, 'rice and dal'), ...wrong(5)];
    expect((await look(ungrounded, 'journal/ashwam', mixed)).said).toEqual([
      'warning: 5 of 50 predicted quotes (10 %) are not verbatim in the text, white space apart',
      'note: 10 of 50 predicted quotes (20 %) are in the text but for white space, such as line breaks of wrapped text',
      'note: 10 of 50 gold quotes (20 %) are in the text but for white space, such as line breaks of wrapped text',
    ]);
  });
});
