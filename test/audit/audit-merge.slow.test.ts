import { deserialize, serialize } from 'node:v8';

import { expect, test } from 'vitest';

import { AuditWatch } from '../../src/audit/audit-watch.ts';
import type { AuditCase } from '../../src/audit/audit-case.ts';
import { duplicateCases } from '../../src/audit/checks/content/duplicate-cases.ts';
import { repeatedAnswersCheck } from '../../src/audit/checks/content/template-answers.ts';
import { makeItem } from '../../src/data/item.ts';
import { makeVerdict, type Verdict } from '../../src/judge/verdict.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { scoreToRun } from '../../src/score/score-to-folder.ts';
import { readerOf } from './audited.ts';
import { spanCase, STRICT } from './made-items.ts';

const CHECKS = [repeatedAnswersCheck, duplicateCases];
const ALL = 300_000;
const TEXTS = 30_000;

/** Answers of two items; those of `often` are the same in many cases, and most others are in one case only. */
function caseOf(at: number): AuditCase {
  const isOften = at < 3 || (at > 215_000 && at % 4 !== 0);
  const isLate = at > 215_000 && at % 8 === 0;
  const answer = isOften ? 'often' : isLate ? 'late' : at % 70_000 === 5 ? 'seldom' : `${at}`;
  const spurious = (index: number): Verdict => {
    const predicted = makeItem({
      kind: 'object',
      index,
      label: 'A',
      text: `${index === at % 2 ? 'one' : 'two'} ${answer}`,
    });
    return makeVerdict({
      case: `c${at}`,
      scheme: null,
      kind: 'object',
      verdict: 'spurious',
      rule: 'pair',
      label: 'A',
      predicted,
    });
  };
  const gold = makeItem({ kind: 'object', index: 0, label: 'A', text: `gold ${at % 5}` });
  const missed = makeVerdict({
    case: `c${at}`,
    scheme: null,
    kind: 'object',
    verdict: 'missed',
    rule: 'pair',
    label: 'A',
    gold,
  });
  const counts = { hit: 0, missed: 1, spurious: 2, excused: 0 };
  // Long and short texts, some of which are there again much later, nearly or as they were.
  const number = at % 13_000;
  const words =
    number % 10 === 0 ? `Ask ${number}` : Array.from({ length: 12 }, (_, word) => `w${number}v${word}`).join(' ');
  const text =
    at > TEXTS ? null : at > 14_000 && number % 10 < 8 ? `${words} ${at}` : `${at % 2 === 0 ? 'The' : 'the'} ${words}`;
  return { case: `c${at}`, text, verdicts: [missed, spurious(0), spurious(1)], counts, measures: {} };
}

test('limits on what is kept hold for the parts together as for one pass', { timeout: 240_000 }, async () => {
  const plan = await planRecipe(STRICT, ['interval=off']);
  const run = await scoreToRun(plan, readerOf([spanCase('a', ['A 0'], ['A 0'])]));
  const added = (from: number, to: number, isPart: boolean): AuditWatch => {
    const watch = new AuditWatch({ ...plan, isPart }, CHECKS);
    for (let at = from; at < to; at += 1) watch.add(caseOf(at));
    return watch;
  };
  const whole = await added(0, ALL, false).finish(run);
  expect(whole.findings.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['repeated-answers', 'duplicate-cases']),
  );
  for (const cuts of [
    [2, 250_000],
    [1, 2, 12_000, 29_000, 230_000],
  ]) {
    const merged = new AuditWatch({ ...plan, isPart: cuts.length > 2 }, CHECKS);
    const ends = [...cuts, ALL];
    for (const [at, end] of ends.entries())
      merged.merge(deserialize(serialize(added(ends[at - 1] ?? 0, end, true).save())));
    expect(await merged.finish(run)).toStrictEqual(whole);
  }
});
