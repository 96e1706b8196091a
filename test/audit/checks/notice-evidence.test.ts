import { describe, expect, test } from 'vitest';

import { type Logged, makeCase } from '../../../src/data/case.ts';
import { type Fields, makeItem } from '../../../src/data/item.ts';
import type { CaseReader } from '../../../src/data/read-cases.ts';
import { planRecipe } from '../../../src/recipe/plan.ts';
import { dropped } from '../../../src/audit/checks/dropped-data.ts';
import type { Finding } from '../../../src/audit/finding.ts';
import { jsonl, readerOf } from '../../data/reading.ts';
import { auditOf, look } from '../audited.ts';
import { spanCase, STRICT, times } from '../made-items.ts';

const text = 'Ann met Bo.';
const ann = { start: 0, end: 3, label: 'PERSON', text: 'Ann' };

/** What is told of cases that are really read. */
async function told(reader: CaseReader, subject: string, data: object = {}): Promise<Finding | undefined> {
  const { findings } = await auditOf(await planRecipe({ ...STRICT, data }, ['interval=off']), reader);
  return findings.find(({ name, subjects }) => name === 'dropped-data' && subjects.includes(subject));
}

describe('the cases behind what reading let pass', () => {
  const predictions = jsonl(
    ...['x1', 'a', 'x2', 'b', 'x3', 'x 4'].map((id) => ({ id, spans: id === 'x2' ? [] : [ann] })),
  );

  test('predictions for cases that nobody knows: their ids, also after cases with nothing in them', async () => {
    const reader = readerOf(
      { gold: jsonl({ id: 'a', text, spans: [ann] }, { id: 'b', text, spans: [] }), predictions },
      { unknownCase: 'spurious' },
    );
    expect(await told(reader, 'unknown-cases')).toMatchObject({
      title: '4 prediction records for cases that nobody knows, counted as spurious ("x1", "x2", "x3" and 1 more)',
      cases: { total: 4, shown: ['x1', 'x2', 'x3', 'x 4'] },
    });
  });

  test('of very many the last thousand are known', async () => {
    const unknown = times(2500, (at) => spanCase(`x${at}`, [], ['PERSON 0']));
    const known = times(3, (at) => spanCase(`k${at}`, ['PERSON 0'], ['PERSON 0']));
    const { findings } = await look(dropped, STRICT, [...known, ...unknown], {
      notices: { unknownCasesAsSpurious: 2500 },
    });
    const { total, shown } = findings[0]!.cases;
    expect([total, shown.length]).toEqual([2500, 20]);
    expect(shown.every((id) => id.startsWith('x'))).toBe(true);
  });

  test('cases without gold, where no other case has an empty list', async () => {
    const cases = jsonl({ id: 'c', text }, { id: 'a', text }, { id: 'b', text });
    const policy = { missingGold: 'empty', unknownCase: 'spurious' } as const;
    const gold = jsonl({ id: 'a', spans: [ann] });
    expect(await told(readerOf({ cases, gold, predictions }, policy), 'cases-without-gold')).toMatchObject({
      title: '2 cases without gold: every prediction there is spurious',
      cases: { total: 2, shown: ['c', 'b'] },
    });
    // Here b was annotated and has nothing in it: b and c look the same.
    const mixed = jsonl({ id: 'a', spans: [ann] }, { id: 'b', spans: [] });
    expect(await told(readerOf({ cases, gold: mixed, predictions }, policy), 'cases-without-gold')).toMatchObject({
      title: '1 case without gold: every prediction there is spurious',
      cases: { total: 0, shown: [] },
    });
  });

  test('cases without a value of the cluster column', async () => {
    const cases = times(5, (at) =>
      spanCase(`c${at}`, ['PERSON 0'], ['PERSON 0'], at % 2 === 0 ? { fields: { ward: 'w' } } : {}),
    );
    const { findings } = await look(dropped, STRICT, cases, { set: ['interval={cluster: ward, resamples: 20}'] });
    expect(findings[0]).toMatchObject({ subjects: ['unclustered-cases'], cases: { total: 2, shown: ['c1', 'c3'] } });
  });
});

describe('the items behind what reading let pass', () => {
  test('labels and values outside the lists, by the name that the file has', async () => {
    const data = {
      labels: ['PERSON'],
      values: { sure: ['yes', 'no'] },
      unknownLabel: { predicted: 'keep' },
      unknownValue: { predicted: 'keep' },
    };
    const spans = [ann, { ...ann, label: 'Name', sure: 'maybe' }, { ...ann, sure: 'no' }, { ...ann, sure: 3 }];
    const files = { gold: jsonl({ id: 'a', text, spans: [ann] }), predictions: jsonl({ id: 'a', spans }) };
    const plan = await planRecipe({ ...STRICT, data, prepare: { relabel: { map: { Name: 'PERSON' } } } }, [
      'interval=off',
    ]);
    const { findings } = await auditOf(plan, readerOf(files, plan.data));
    const found = findings.find(({ subjects }) => subjects.includes('unknown-labels'))!;
    expect(found.title).toBe('3 labels or values outside the lists of the recipe kept as predicted');
    expect(found.cases).toEqual({ total: 1, shown: ['a'] });
    // One of the two items has both a label and a value that the lists do not have.
    expect(found.items.total).toBe(2);
    expect(found.items.shown.map(({ label, note }) => [label, note])).toEqual([
      ['PERSON', 'label "Name", sure "maybe"'],
      ['PERSON', 'sure 3'],
    ]);
  });

  test('spans with a wrong place, with what is wrong', async () => {
    const reader = readerOf(
      {
        gold: jsonl({ id: 'a', text, spans: [ann] }),
        predictions: jsonl({ id: 'a', spans: [ann, { ...ann, start: 9, end: 12 }] }),
      },
      { badSpan: 'spurious' },
    );
    const found = await told(reader, 'bad-spans');
    expect(found).toMatchObject({ title: '1 predicted span with a wrong place or text, counted as spurious' });
    expect(found!.items).toMatchObject({
      total: 1,
      shown: [{ case: 'a', side: 'predicted', note: 'the span 9..12 is past the end of the text (11 characters)' }],
    });
  });

  test('what a stream logged: broken and unanswered summaries, empty windows, decisions, cases without a summary', async () => {
    const logged = (
      kind: 'summary' | 'decision',
      index: number,
      verdict: Logged['verdict'],
      rule: string,
      fields: Fields = {},
    ): Logged => ({
      item: makeItem({
        kind,
        index,
        label: kind,
        text: `${kind} ${index}`,
        fields: { start_seq: 1, end_seq: 4, ...fields },
      }),
      verdict,
      rule,
      ...(rule === 'bad_json' ? { because: 'no JSON' } : {}),
    });
    const full = makeCase({
      id: 's1',
      logged: [
        logged('summary', 0, 'hit', 'schema', { window_deltas: 0 }),
        logged('summary', 1, 'hit', 'schema', { window_deltas: 2 }),
        logged('summary', 2, 'spurious', 'bad_json'),
        logged('summary', 3, 'spurious', 'unexpected_error'),
        logged('decision', 0, 'excused', 'failed-call'),
        logged('decision', 1, 'excused', 'logged'),
      ],
    });
    const notices = {
      summariesNotInFaithfulness: 2,
      failedDecisions: 1,
      casesWithoutSummary: 1,
      unansweredSummaries: 1,
      emptyWindows: 1,
    };
    const cases = [full, makeCase({ id: 's2', logged: [] }), makeCase({ id: 's3', failed: 'no log' })];
    const { findings } = await look(dropped, 'stream/exaid', cases, { notices });
    const behind = Object.fromEntries(
      findings.map(({ subjects, cases: { shown }, items }) => [
        subjects.join(),
        [shown.join(), ...items.shown.map((item) => `${item.text}: ${String(item.note)}`)],
      ]),
    );
    expect(behind).toMatchObject({
      'broken-summaries': ['s1', 'summary 2: seq 1 to 4: no JSON', 'summary 3: seq 1 to 4'],
      'failed-decisions': ['s1', 'decision 0: seq 1 to 4'],
      'cases-without-summary': ['s2'],
      'unanswered-summaries': ['s1', 'summary 3: seq 1 to 4'],
      'empty-windows': ['s1', 'summary 0: seq 1 to 4'],
    });
  });
});
