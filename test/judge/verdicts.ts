import { type Case, makeCase } from '../../src/data/case.ts';
import type { Item } from '../../src/data/item.ts';
import { JUDGE_RULES } from '../../src/judge/rules.ts';
import { makeVerdict, type Verdict } from '../../src/judge/verdict.ts';
import { findRule } from '../../src/prepare/rule.ts';

/** Verdicts after one rule. */
export function judge(
  rule: string,
  params: unknown,
  verdicts: readonly Verdict[],
  given: Case = makeCase({ id: 'c1' }),
): readonly Verdict[] {
  return findRule(JUDGE_RULES, rule, 'judge').build(params, rule).step(verdicts, given);
}

function verdictOf(verdict: Verdict['verdict'], item: Item, more: Partial<Verdict>): Verdict {
  return makeVerdict({
    case: 'c1',
    scheme: null,
    kind: item.kind,
    verdict,
    rule: 'no-match',
    label: item.label,
    ...more,
  });
}

export function missed(gold: Item, more: Partial<Verdict> = {}): Verdict {
  return verdictOf('missed', gold, { gold, ...more });
}

export function spurious(predicted: Item, more: Partial<Verdict> = {}): Verdict {
  return verdictOf('spurious', predicted, { predicted, ...more });
}

export function hit(gold: Item, predicted: Item, more: Partial<Verdict> = {}): Verdict {
  return verdictOf('hit', gold, { rule: 'pair', gold, predicted, similarity: 1, ...more });
}

/** What became of each, as `verdict rule label`. */
export function story(verdicts: readonly Verdict[]): string[] {
  return verdicts.map(({ verdict, rule, label }) => `${verdict} ${rule} ${label}`);
}
