import { UsageError } from '../../plugin.ts';
import type { GatePolicy } from '../replay/token-gate.ts';
import type { SweepGrid } from './sweep-grid.ts';

export interface SweepPolicy extends GatePolicy {
  /** `policy_0400`: its place in the grid, those that are not tried included. */
  readonly id: string;
}

export interface GridPolicies {
  readonly tried: readonly SweepPolicy[];
  /** Not tried, since they make no sense, with the rule that they break. */
  readonly invalid: readonly { readonly policy: SweepPolicy; readonly because: string }[];
}

const MOST_POLICIES = 20_000;

/** Every combination of the grid's values, the last parameter changing first. */
export function gridPolicies({
  parameter_grid: values,
  validity_constraints: rules,
  max_wait: maxWait,
}: Pick<SweepGrid, 'parameter_grid' | 'validity_constraints' | 'max_wait'>): GridPolicies {
  const count = Object.values(values).reduce((product, { length }) => product * length, 1);
  if (count > MOST_POLICIES)
    throw new UsageError(
      `the grid has ${count} policies; the most is ${MOST_POLICIES}`,
      'leave out values that differ little',
    );
  const digits = Math.max(4, String(count - 1).length);
  const tried: SweepPolicy[] = [];
  const invalid: { policy: SweepPolicy; because: string }[] = [];
  let place = 0;
  for (const minWords of values.min_words)
    for (const maxWords of values.max_words)
      for (const silenceMs of values.silence_timer_ms)
        for (const maxWaitMs of values.max_wait_timeout_ms) {
          const id = `policy_${String(place).padStart(digits, '0')}`;
          place += 1;
          const policy: SweepPolicy = { id, minWords, maxWords, silenceMs, maxWaitMs, maxWait };
          const because = whyInvalid(policy, rules);
          if (because === null) tried.push(policy);
          else invalid.push({ policy, because });
        }
  return { tried, invalid };
}

function whyInvalid(policy: GatePolicy, rules: SweepGrid['validity_constraints']): string | null {
  const { minWords, maxWords, silenceMs, maxWaitMs } = policy;
  const gap = rules.min_gap_between_min_max;
  if (rules.min_words_lt_max_words && minWords >= maxWords) return 'min_words_lt_max_words';
  if (rules.max_wait_gte_silence && maxWaitMs < silenceMs) return 'max_wait_gte_silence';
  if (gap !== null && maxWords < minWords + gap) return 'min_gap_between_min_max';
  return null;
}

export function isSamePolicy(a: GatePolicy, b: GatePolicy): boolean {
  return (
    a.minWords === b.minWords &&
    a.maxWords === b.maxWords &&
    a.silenceMs === b.silenceMs &&
    a.maxWaitMs === b.maxWaitMs &&
    a.maxWait === b.maxWait
  );
}
