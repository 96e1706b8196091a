import type { MeasureValue } from '../../../measure/results.ts';
import { misfitsWith } from '../../gate/check-fit.ts';
import type { RulesFile } from '../../gate/read-rules.ts';
import type { Rule } from '../../gate/rules.ts';
import { matching } from '../../gate/slices-of.ts';
import type { Run } from '../../run.ts';
import type { Check, NewFinding } from '../check.ts';
import { NO_EVIDENCE } from '../evidence.ts';
import { figure } from '../words.ts';

/** A gate that lets everything through looks like one that everything passed. */
export const gateCannotFail: Check = {
  name: 'gate-cannot-fail',
  about: 'rules of the gate that no run could break, or that do not fit this one',
  needs: ['gate'],
  open: () => ({
    finish({ run, gate }) {
      if (gate === null) return [];
      const never = gate.rules.flatMap((rule) => neverBlocks(run, rule));
      const told = new Set(never.flatMap(({ subjects }) => subjects));
      return [...never, ...misfits(run, gate, told)];
    },
  }),
};

function neverBlocks(run: Run, rule: Rule): NewFinding[] {
  if (rule.kind === 'share')
    return rule.limit >= 1 ? [finding(rule, 'error', 'no share of cases is larger than 1')] : [];
  const values = matching(run, rule);
  const first = values[0];
  if (first === undefined) return [];
  const [low, high] = first.range;
  const range = `${first.name} lies between ${low ?? 'any number'} and ${high ?? 'any number'}`;
  if (rule.kind === 'floor') {
    const held = rule.side === 'atLeast' ? low !== null && rule.limit <= low : high !== null && rule.limit >= high;
    return held
      ? [
          finding(
            rule,
            'error',
            `${range}, so every value is ${rule.side === 'atLeast' ? 'at least' : 'at most'} ${rule.limit}`,
          ),
        ]
      : [];
  }
  if (low !== null && high !== null && rule.margin >= high - low)
    return [finding(rule, 'error', `${range}, so no drop is larger than ${rule.margin}`)];
  const room = roomToFall(first);
  return room !== null && rule.margin >= room
    ? [
        finding(
          rule,
          'warning',
          `${first.name} is ${figure(first.value ?? 0)} now: with a margin of ${rule.margin} it could fall to the worst value there is`,
        ),
      ]
    : [];
}

/** How much worse than now the value could get. */
function roomToFall({ value, direction, range: [low, high], best }: MeasureValue): number | null {
  const worst = direction === 'higher' ? low : high;
  return value === null || worst === null || best !== undefined ? null : Math.abs(value - worst);
}

function finding(rule: Rule, severity: 'error' | 'warning', because: string): NewFinding {
  return {
    severity,
    title: `Rule ${rule.number} of the gate${rule.line === null ? '' : ` (line ${rule.line})`} can block nothing: ${because}`,
    why: 'Whoever sees that the gate was passed believes that something was checked.',
    todo: 'Give the rule a limit that a bad run would miss: take what the worst acceptable system would have.',
    subjects: [`rule ${rule.number}`],
    ...NO_EVIDENCE,
  };
}

/** Rules that the gate itself refuses to judge, in its own words. */
function misfits(run: Run, gate: RulesFile, told: ReadonlySet<string>): NewFinding[] {
  const problems = [...gate.problems, ...misfitsWith(run, gate, true)];
  return problems.flatMap(({ field, message, next }) => {
    const rule = /^rule \d+/.exec(field ?? '')?.[0] ?? 'rules';
    if (told.has(rule)) return [];
    return [
      {
        severity: 'warning',
        title: `${rule === 'rules' ? 'The rules of the gate' : `R${rule.slice(1)} of the gate`} cannot be judged on this run: ${message}`,
        why: 'The gate refuses such rules, so nothing is checked by it.',
        todo: next ?? 'Correct the rule, or score with what it asks for.',
        subjects: [rule],
        ...NO_EVIDENCE,
      } satisfies NewFinding,
    ];
  });
}
