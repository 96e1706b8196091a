import type { Case } from '../../src/data/case.ts';
import { PREPARE_RULES } from '../../src/prepare/rules.ts';
import { findRule } from '../../src/prepare/rule.ts';

/** A case after one rule; a rule that makes several cases of it is asked with `prepareAll`. */
export function prepare(rule: string, params: unknown, given: Case): Case {
  return prepareAll(rule, params, given)[0]!;
}

export function prepareAll(rule: string, params: unknown, given: Case): readonly Case[] {
  const out = findRule(PREPARE_RULES, rule, 'prepare').build(params, rule).step(given);
  return 'id' in out ? [out] : out;
}
