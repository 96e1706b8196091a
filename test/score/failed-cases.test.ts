import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { Case } from '../../src/data/case.ts';
import { memorySource } from '../../src/data/source.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { compareRuns } from '../../src/compare/compare-runs.ts';
import { caseReader } from '../../src/formats/case-formats.ts';
import { auditRun } from '../../src/audit/audit-run.ts';
import { readLedger, readRun } from '../../src/score/run-file.ts';
import { retally } from '../../src/score/retally.ts';
import type { Run } from '../../src/score/run.ts';
import { scoreToRun } from '../../src/score/score-to-folder.ts';
import { comparisonNotices } from '../../src/report/comparison-sentences.ts';
import { noticesOf } from '../../src/report/notices.ts';
import { recipeFacts } from '../../src/report/recipe-facts.ts';
import { scoreWith } from '../recipe/score-with.ts';
import { waterfallOf } from '../../src/compare/waterfall/make-waterfall.ts';
import { auditOf } from '../audit/audited.ts';
import { folders, SPANS, spansCase } from './scored-folders.ts';

/* A system that fails on the hard cases must not score better for it without anybody seeing it. */

const EMPTY = ['data.failed=empty'];
// 2 of 2 found; 2 in the case that failed, whose one prediction came before the crash and does not count.
const CASES: readonly Case[] = [spansCase('c1', [2, 0, 0]), spansCase('c2', [0, 1, 2], { failed: 'timed out' })];

const scored = folders();

function values(run: Run, names: readonly string[] = ['precision', 'recall', 'f1']): (number | null | undefined)[] {
  return names.map((name) => run.measures.measures.find((one) => one.name === name && same(one.slice, {}))?.value);
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

describe('failed cases', () => {
  test('leave the numbers by default, with what they would be if the gold counted as missed', async () => {
    const run = await scored('leave-out', CASES);
    expect(values(run)).toEqual([1, 1, 1]);
    // Precision 2 of 2, recall 2 of 4, F1 = 2 · 1 · 0.5 / 1.5.
    expect(run.measures.failedOtherwise).toEqual({
      failed: 'empty',
      measures: [
        { name: 'precision', value: 1, undefined: null, n: 2 },
        { name: 'recall', value: 1 / 2, undefined: null, n: 4 },
        { name: 'f1', value: 2 / 3, undefined: null, n: 4 },
      ],
    });
    expect((await readRun(run.folder)).measures).toEqual(run.measures);
    const [notice] = noticesOf(run, recipeFacts(run));
    expect(notice).toBe(
      '1 of 2 cases failed: not scored, in no average; the gold shows as excused. Counted as empty answers (--set data.failed=empty): recall 0.500 instead of 1.000, f1 0.667 instead of 1.000',
    );
  });

  test('have their items in the ledger as set aside: two of gold, and what was predicted before the crash', async () => {
    const { folder } = await scored('set-aside', CASES);
    const records = await Array.fromAsync(readLedger(folder, new Set(['c2'])));
    expect(records.map(({ verdict, rule, setAside, gold }) => [verdict, rule, setAside, gold !== undefined])).toEqual([
      ['excused', 'failed', true, true],
      ['excused', 'failed', true, true],
      ['excused', 'failed', true, false],
    ]);
  });

  test('count as empty answers with data.failed=empty, and the other values are beside them', async () => {
    const run = await scored('empty', CASES, { set: EMPTY });
    expect(values(run)).toEqual([1, 1 / 2, 2 / 3]);
    expect(run.measures.failedOtherwise).toMatchObject({
      failed: 'leave-out',
      measures: [{ value: 1 }, { value: 1, n: 2 }, { value: 1 }],
    });
    expect(run.measures.cases).toEqual({ total: 2, failed: 1, unanswered: 0 });
    expect(run.measures.rules).toEqual([
      { scheme: null, kind: 'span', verdict: 'hit', rule: 'pair', label: 'X', n: 2 },
      { scheme: null, kind: 'span', verdict: 'missed', rule: 'failed', label: 'X', n: 2 },
      { scheme: null, kind: 'span', verdict: 'excused', rule: 'failed', label: 'X', n: 1 },
    ]);
    const [, line] = readFileSync(join(run.folder, 'cases.jsonl'), 'utf8').split('\n');
    expect(JSON.parse(line!)).toMatchObject({ case: 'c2', failedAsEmpty: 'timed out', measures: { recall: 0 } });
    const [notice] = noticesOf(run, recipeFacts(run));
    expect(notice).toBe(
      '1 of 2 cases failed: scored as an empty answer, all gold missed. Left out (--set data.failed=leave-out): recall 1.000 instead of 0.500, f1 1.000 instead of 0.667',
    );
    // The ledger says the same, and so does the waterfall.
    const again = await retally(run);
    expect(again.tally.values().find(({ name, slice }) => name === 'recall' && same(slice, {}))?.value).toBe(1 / 2);
    const waterfall = await waterfallOf(await planRecipe(SPANS, EMPTY), CASES);
    expect(waterfall.steps.at(-1)?.measures['recall']).toBe(1 / 2);
  });

  test('have no other values where they have no gold, or where none failed', async () => {
    const bare = await scored('bare', [CASES[0]!, spansCase('c2', [0, 0, 0], { failed: 'timed out' })]);
    expect(bare.measures.failedOtherwise).toBeUndefined();
    expect((await scored('whole', [CASES[0]!])).measures.failedOtherwise).toBeUndefined();
  });

  test('that cannot be prepared do not stop a run that leaves them out', async () => {
    const lost = { ...CASES[1]!, text: null };
    const run = await scored('no-text', [CASES[0]!, lost], { set: ['pair.unit=token'] });
    expect([values(run), run.measures.failedOtherwise]).toEqual([[1, 1, 1], undefined]);
  });

  test('are part of the signature', async () => {
    const [one, other] = [await scoreWith(SPANS, CASES), await scoreWith(SPANS, CASES, EMPTY)];
    expect(one.comparable).not.toBe(other.comparable);
    expect(one.signature.split('|').filter((part) => part.startsWith('recipe'))).not.toEqual(
      other.signature.split('|').filter((part) => part.startsWith('recipe')),
    );
  });

  test.each([
    [
      'graph',
      'graph/openspec',
      { id: 'a', expected_output: { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] } },
      'entity_recall',
    ],
    ['journal', 'journal/ashwam', { journal_id: 'a', text: 'Slept badly.', items: [OBJECT()] }, 'recall'],
    ['consult', 'consult/ayurmind', { id: 'a', scenario: 'I sleep badly.', ground_truth_prakriti: 'Vata' }, 'accuracy'],
  ])('of %s count as empty answers too', async (_, recipe, gold, measure) => {
    const id = 'journal_id' in gold ? 'journal_id' : recipe.startsWith('consult') ? 'case_id' : 'id';
    const file = `${JSON.stringify(gold)}\n`;
    const failed = `${JSON.stringify({ [id]: 'a', error: 'timed out' })}\n`;
    const value = async (set: readonly string[]): Promise<number | null | undefined> => {
      const plan = await planRecipe(recipe, ['interval=off', ...set]);
      const isCase = id !== 'id';
      const sources = {
        ...(isCase ? { cases: memorySource('cases.jsonl', file) } : {}),
        ...(id === 'case_id' ? {} : { gold: memorySource('gold.jsonl', file) }),
        predictions: memorySource('predictions.jsonl', failed),
      };
      return values(await scoreToRun(plan, caseReader(sources, plan)), [measure])[0];
    };
    expect([await value([]), await value(EMPTY)]).toEqual([null, 0]);
  });
});

function OBJECT(): object {
  return { domain: 'symptom', evidence_span: 'Slept badly', polarity: 'present', time_bucket: 'today' };
}

describe('a comparison', () => {
  test('shows both values of the runs in which cases failed', async () => {
    const a = await scored('a', [spansCase('c1', [2, 0, 0]), spansCase('c2', [1, 0, 1])]);
    const b = await scored('b', [spansCase('c1', [2, 0, 0]), spansCase('c2', [0, 0, 2], { failed: 'timed out' })]);
    const comparison = await compareRuns([a.folder, b.folder], { resamples: 200 });
    // Recall of a: 3 of 4, F1 = 2 · 1 · 0.75 / 1.75; of b: 2 of 4, F1 = 2 / 3. Precision is 1 either way.
    expect(comparison.failedOtherwise).toEqual({
      failed: 'empty',
      measures: [
        { name: 'recall', values: [3 / 4, 1 / 2] },
        { name: 'f1', values: [6 / 7, 2 / 3] },
      ],
    });
    expect(comparisonNotices(comparison)).toContain(
      'over all cases of each run, with failed ones counted as empty answers (data.failed=empty): recall a 0.750, b 0.500; f1 a 0.857, b 0.667',
    );
    const whole = await compareRuns([a.folder, (await scored('c', [CASES[0]!, spansCase('c2', [2, 0, 0])])).folder]);
    expect(whole.failedOtherwise).toBeUndefined();
  });
});

describe('the audit', () => {
  test('advises what works', async () => {
    const finding = async (set: readonly string[]): Promise<{ title: string; todo: string } | undefined> => {
      const audit = await auditOf(await planRecipe(SPANS, ['interval=off', ...set]), CASES);
      return audit.findings.find(({ subjects }) => subjects.includes('failed'));
    };
    const before = await finding([]);
    expect(before?.title).toBe('1 of 2 cases (50 %) failed and is in no average');
    const [, advice] = /--set (\S+=\S+?)[ .,;)]/.exec(before?.todo ?? '') ?? [];
    expect(advice).toBe('data.failed=empty');
    // Taken, it does what it says: the failure is in the numbers.
    expect((await scoreWith(SPANS, CASES, [advice!])).value('recall')).toBe(1 / 2);
    expect(await finding([advice!])).toMatchObject({
      severity: 'note',
      title: '1 of 2 cases (50 %) failed and counts as an empty answer',
    });
  });

  test('finds the same in the folder again, and does not take a failure for a missing record', async () => {
    const run = await scored('audited', CASES, { set: EMPTY });
    const audit = await auditRun(run.folder);
    expect(audit.findings.filter(({ name }) => name === 'dropped-data').map(({ title }) => title)).toEqual([
      '1 of 2 cases (50 %) failed and counts as an empty answer',
    ]);
  });
});
