import type { MeasureValue } from '../../measure/results.ts';
import { misfitsWith } from '../../compare/gate/check-fit.ts';
import type { RulesFile } from '../../compare/gate/read-rules.ts';
import type { Rule } from '../../compare/gate/rules.ts';
import { matching } from '../../compare/gate/slices-of.ts';
import type { Run } from '../../score/run.ts';
import type { Check, NewFinding } from '../check.ts';
import { NO_EVIDENCE } from '../evidence.ts';
import { figure } from '../../text/figures.ts';
import { slackOf } from './gate-slack.ts';

/** Where and how the gate refuses a share that is always kept to. */
const SHARE_FIELD = /^rule \d+ (?:failed|unanswered|undefined)\.atMost$/;
const NEVER = 'could never block';

/** A gate that lets everything through looks like one that everything passed. */
export const gateCannotFail: Check = {
  name: 'gate-cannot-fail',
  about: 'rules of the gate that no run could break, or hardly any, or that do not fit this one',
  needs: ['gate'],
  open: () => ({
    finish({ run, gate }) {
      if (gate === null) return [];
      const never = gate.rules.flatMap((rule) => {
        const found = neverBlocks(run, rule);
        return found.length > 0 ? found : hardlyBlocks(run, rule);
      });
      const told = new Set(never.flatMap(({ subjects }) => subjects));
      return [...never, ...misfits(run, gate, told)];
    },
  }),
};

function neverBlocks(run: Run, rule: Rule): NewFinding[] {
  if (rule.kind === 'share') return [];
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

/** A rule that only a system which does next to nothing would break. */
function hardlyBlocks(run: Run, rule: Rule): NewFinding[] {
  const because = slackOf(run, rule);
  return because === null
    ? []
    : [finding(rule, 'warning', because, 'would pass whatever the system does, or nearly so')];
}

function finding(
  rule: Pick<Rule, 'number' | 'line'>,
  severity: 'error' | 'warning',
  because: string,
  what = 'can block nothing',
): NewFinding {
  return {
    severity,
    title: `Rule ${rule.number} of the gate${rule.line === null ? '' : ` (line ${rule.line})`} ${what}: ${because}`,
    why: 'Whoever sees that the gate was passed believes that something was checked.',
    todo: 'Give the rule a limit that a bad run would miss: take what the worst acceptable system would have.',
    subjects: [`rule ${rule.number}`],
    ...NO_EVIDENCE,
  };
}

/** Rules that the gate itself refuses to judge, in its own words. */
function misfits(run: Run, gate: RulesFile, told: ReadonlySet<string>): NewFinding[] {
  const problems = [...gate.problems, ...misfitsWith(run, gate, true)];
  return problems.flatMap(({ field, line, message, next }) => {
    const rule = /^rule \d+/.exec(field ?? '')?.[0] ?? 'rules';
    if (told.has(rule)) return [];
    // A share of 1 is refused by itself, before there is a rule to look at; what is wrong is that it blocks nothing.
    if (SHARE_FIELD.test(field ?? '') && message.endsWith(NEVER))
      return [finding({ number: Number(rule.slice(5)), line }, 'error', 'no share of cases is larger than 1')];
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
