import { UsageError } from '../../data/problems.ts';
import { isOverall, type MeasureValue } from '../../measure/results.ts';
import { suggestion } from '../../prepare/setting-error.ts';
import type { Run } from '../../score/run.ts';
import { type MeasuredRange, sayLimit } from './check-fit.ts';
import type { GateCheck } from './check.ts';
import { measureChecks } from './judge-gate.ts';
import type { FloorRule } from './rules.ts';

/** A measure must not be worse than this, whichever way is better. */
export interface ValueLimit {
  readonly measure: string;
  readonly limit: number;
}

/** The limits as rules of a gate. Refused, all at once: unknown measures, and limits that could never fail or be met. */
export function limitRules(limits: readonly ValueLimit[], measures: readonly MeasuredRange[]): FloorRule[] {
  const problems: { readonly text: string; readonly next: string | null }[] = [];
  const rules = limits.map(({ measure, limit }, at): FloorRule => {
    const measured = measures.find(({ name }) => name === measure);
    const side = measured?.direction === 'lower' ? 'atMost' : 'atLeast';
    const rule: FloorRule = {
      kind: 'floor',
      number: at + 1,
      line: null,
      minimum: { n: 0, cases: 0 },
      measure,
      slice: {},
      each: null,
      skipSmall: false,
      side,
      limit,
      sure: false,
    };
    const say = (text: string, next: string | null): unknown =>
      problems.push({ text: `--fail-under ${measure}=${limit}: ${text}`, next });
    const names = measures.map(({ name }) => name);
    if (measured === undefined) say(`there is no measure ${measure}`, suggestion(measure, names, 'measures'));
    else if (measured.best !== undefined)
      say(`${measure} is best at ${measured.best}, so no side is worse`, 'use assay gate, with atLeast and atMost');
    else sayLimit(rule, measured, (_, text, next) => say(text.replaceAll('the rule', 'it'), next));
    return rule;
  });
  const [first, ...more] = problems;
  if (first === undefined) return rules;
  if (more.length === 0) throw new UsageError(first.text, first.next);
  throw new UsageError(problems.map(({ text, next }) => (next === null ? text : `${text} (${next})`)));
}

/** Judges the overall values of a run, by the value alone. A value that is undefined is an error: nothing was measured. */
export function judgeLimits(run: Run, limits: readonly ValueLimit[]): GateCheck[] {
  const overall = run.measures.measures.filter(({ slice }: MeasureValue) => isOverall(slice));
  const checks = limitRules(limits, overall).flatMap((rule) => measureChecks(run, rule, null));
  const lacking = checks.flatMap(({ rule, reason }) =>
    reason.kind === 'undefined' ? [`--fail-under ${rule.measure ?? ''}: it has no value: ${reason.why}`] : [],
  );
  if (lacking.length > 0)
    throw new UsageError(lacking, 'add cases that have something to measure, or leave the limit out');
  return checks;
}
