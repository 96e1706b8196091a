import { describe, expect, test } from 'vitest';

import type { AuditCheck } from '../../src/audit/check.ts';
import { ungrounded } from '../../src/audit/checks/broken-items.ts';
import { emptyAnswers } from '../../src/audit/checks/content/answer-sizes.ts';
import { copiedGold } from '../../src/audit/checks/content/copied-gold.ts';
import { repeatedAnswersCheck } from '../../src/audit/checks/content/template-answers.ts';
import { dropped } from '../../src/audit/checks/dropped-data.ts';
import { labelsNeverInGold, labelsNeverPredicted } from '../../src/audit/checks/one-sided-labels.ts';
import { excusedFalsePositives } from '../../src/audit/checks/rule-credit.ts';
import { zeroMatches } from '../../src/audit/checks/zero-matches.ts';
import { type Case, makeCase } from '../../src/data/case.ts';
import { makeItem } from '../../src/data/item.ts';
import { look } from './audited.ts';
import { answered } from './content/answered.ts';
import { spanCase, STRICT, times } from './made-items.ts';

const SPANS = ['A 0', 'A 10', 'A 20'];
const OTHERS = ['A 500', 'A 510', 'A 520'];
/** So many that none are all missed by chance. */
const MANY_SPANS = Array.from({ length: 20 }, (_, at) => `A ${at * 10}`);
const TEXT = 'Take a warm bath in the evening';
const asked = (n: number, of: (at: number) => string): Case[] =>
  answered(
    Array.from({ length: n }, (_, at) => `What helps against the cold number ${at}?`),
    (_, at) => of(at),
  );
const object = (text: string, index: number) => makeItem({ kind: 'object', index, label: 'food', text });
const quoted = (n: number, bad: number): Case[] =>
  times(n, (at) =>
    makeCase({
      id: `c${at}`,
      text: `${TEXT} ${at}`,
      gold: [object('Take', 0)],
      predicted: [object(at < bad ? `nothing of it ${at}` : 'a warm bath', 0)],
    }),
  );

type Limit = Readonly<{
  /** As the reference writes it. */
  documented: string;
  check: AuditCheck;
  recipe: string | object;
  severity: 'error' | 'warning' | 'note';
  /** The smallest number of faulty cases or items at which the limit is reached. */
  at: number;
  cases: (faulty: number) => readonly Case[];
}>;

const LIMITS: readonly Limit[] = [
  ...(
    [
      ['warning at 10 %', 'warning', 10],
      ['error at 50 %', 'error', 50],
    ] as const
  ).map(([documented, severity, at]) => ({
    documented,
    severity,
    at,
    check: emptyAnswers,
    recipe: 'consult/ayurmind',
    cases: (faulty: number) => asked(100, (own) => (own < faulty ? '' : `${TEXT} ${own}`)),
  })),
  ...(
    [
      ['(3+)', 'warning', 3, 6],
      ['(5+)', 'error', 5, 8],
    ] as const
  ).map(([documented, severity, at, all]) => ({
    documented,
    severity,
    at,
    check: emptyAnswers,
    recipe: 'consult/ayurmind',
    cases: (faulty: number) => asked(all, (own) => (own < faulty ? '' : `${TEXT} ${own}`)),
  })),
  ...(
    [
      ['note at 30 %', 'note', 60, MANY_SPANS],
      ['(40 % if at most 30 % of the items elsewhere lack predictions)', 'warning', 80, MANY_SPANS],
      ['warning at 50 %', 'warning', 100, MANY_SPANS.slice(10)],
      ['error at 90 %', 'error', 180, MANY_SPANS],
    ] as const
  ).map(([documented, severity, at, found]) => ({
    documented,
    severity,
    at,
    check: emptyAnswers,
    recipe: STRICT,
    cases: (faulty: number) => times(200, (own) => spanCase(`c${own}`, MANY_SPANS, own < faulty ? [] : found)),
  })),
  ...(
    [
      ['97 %', 'warning', 194],
      ['(note: 90 %;', 'note', 180],
    ] as const
  ).map(([documented, severity, at]) => ({
    documented,
    severity,
    at,
    check: copiedGold,
    recipe: STRICT,
    cases: (faulty: number) => times(200, (own) => spanCase(`c${own}`, SPANS, own < faulty ? SPANS : OTHERS)),
  })),
  {
    documented: 'all others (20+ items, 10+ cases)',
    severity: 'warning',
    at: 10,
    check: copiedGold,
    recipe: STRICT,
    cases: (faulty) => times(faulty, (own) => spanCase(`c${own}`, SPANS.slice(1), SPANS.slice(1))),
  },
  {
    documented: 'and 2 a case unless most have a quote or field',
    severity: 'warning',
    at: 200,
    check: copiedGold,
    recipe: STRICT,
    // 98 % of 200 cases are equal; the first of them have two items, which makes 2 a case if all do.
    cases: (faulty) =>
      times(204, (own) => {
        const gold = SPANS.slice(0, own < faulty ? 2 : 1);
        return spanCase(`c${own}`, gold, own < 200 ? gold : OTHERS);
      }),
  },
  ...(
    [
      ['warning at 5 %', 'warning', 5],
      ['error at 20 %', 'error', 20],
    ] as const
  ).map(([documented, severity, at]) => ({
    documented,
    severity,
    at,
    check: dropped,
    recipe: STRICT,
    cases: (faulty: number) =>
      times(100, (own) => spanCase(`c${own}`, SPANS, SPANS, own < faulty ? { failed: 'timeout' } : {})),
  })),
  ...(
    [
      ['warning at 10 %', 'warning', 10],
      ['error at 50 %', 'error', 50],
    ] as const
  ).map(([documented, severity, at]) => ({
    documented: `unanswered (3+): ${severity === 'warning' ? documented : `warning at 10 %, ${documented}`}`,
    severity,
    at,
    check: dropped,
    recipe: STRICT,
    cases: (faulty: number) =>
      times(100, (own) => spanCase(`c${own}`, SPANS, own < faulty ? [] : SPANS, { answered: own >= faulty })),
  })),
  {
    documented: '5 % of the gold of their kind',
    severity: 'warning',
    at: 5,
    check: labelsNeverPredicted,
    recipe: STRICT,
    cases: (faulty) => times(100, (own) => spanCase(`c${own}`, [own < faulty ? 'B 0' : 'A 0'], ['A 0'])),
  },
  {
    documented: '10 predictions and 5 % of those of their kind',
    severity: 'warning',
    at: 10,
    check: labelsNeverInGold,
    recipe: STRICT,
    cases: (faulty) => times(100, (own) => spanCase(`c${own}`, ['A 0'], [own < faulty ? 'B 0' : 'A 0'])),
  },
  {
    documented: '20 % of the predictions (10+)',
    severity: 'warning',
    at: 20,
    check: excusedFalsePositives,
    recipe: { ...STRICT, judge: { 'excuse-spurious': { labels: ['B'], because: 'not asked for' } } },
    cases: (faulty) => times(100, (own) => spanCase(`c${own}`, ['A 0'], [own < faulty ? 'B 0' : 'A 0'])),
  },
  {
    documented: '10 % of predicted',
    severity: 'warning',
    at: 10,
    check: ungrounded,
    recipe: 'journal/ashwam',
    cases: (faulty) => quoted(100, faulty),
  },
  {
    documented: 'warning at 30 % (5+ cases)',
    severity: 'warning',
    at: 30,
    check: repeatedAnswersCheck,
    recipe: 'consult/ayurmind',
    cases: (faulty) =>
      asked(100, (own) => (own < faulty ? `${TEXT} and rest` : `Advice ${own}: ${'abcdefgh'.repeat(own + 1)}`)),
  },
];

describe('a check that documents a limit', () => {
  test.each(LIMITS)('$check.name reports it from the limit on: $documented', async (limit) => {
    const { documented, check, recipe, severity, at, cases } = limit;
    expect(check.severity).toContain(documented);
    const severities = async (faulty: number): Promise<readonly string[]> =>
      (await look(check, recipe, cases(faulty))).findings.map((one) => one.severity);
    expect(await severities(at)).toContain(severity);
    expect(await severities(at - 1)).not.toContain(severity);
  });

  test('zero-matches reports up to its limit and no further', async () => {
    expect(zeroMatches.severity).toContain('at most 2 % right of 20+ items');
    const found = async (right: number, all: number): Promise<number> =>
      (
        await look(
          zeroMatches,
          STRICT,
          times(all, (own) => spanCase(`c${own}`, ['A 0'], [own < right ? 'A 0' : 'A 500'])),
        )
      ).findings.length;
    expect(await found(2, 100)).toBe(1);
    expect(await found(3, 100)).toBe(0);
    expect(await found(0, 20)).toBe(1);
    expect(await found(0, 19)).toBe(0);
  });
});
