import { FEW_UNITS } from '../stats/interval.ts';
import type { CheckVerdict, GateVerdict } from '../compare/gate/check.ts';
import type { Gate } from '../compare/gate/judge-gate.ts';
import { unlistedNotices } from '../score/run-file.ts';
import type { Run } from '../score/run.ts';
import { comparisonNotices } from './comparison-notices.ts';
import { count, counted } from '../text/figures.ts';
import { recipeFacts } from './recipe-facts.ts';

/** "Gate failed", "Gate inconclusive". */
export function gateTitle(verdict: GateVerdict): string {
  return `Gate ${verdict}`;
}

export function countsOf({ checks }: Pick<Gate, 'checks'>): Record<CheckVerdict, number> {
  const counts = { passed: 0, failed: 0, inconclusive: 0, skipped: 0 };
  for (const { verdict } of checks) counts[verdict] += 1;
  return counts;
}

/** "1 of 5 checks failed, 1 inconclusive, 3 passed". */
export function countsText(gate: Pick<Gate, 'checks'>): string {
  const { passed, failed, skipped, ...rest } = countsOf(gate);
  const parts = [
    [failed, 'failed'],
    [rest['inconclusive'], 'inconclusive'],
    [passed, 'passed'],
    [skipped, skipped === 1 ? 'was skipped as too small' : 'were skipped as too small'],
  ] as const;
  const [first, ...others] = parts.filter(([n]) => n > 0);
  if (first === undefined) return 'no checks';
  const all = counted(gate.checks.length, 'check');
  const [n, what] = first;
  return [
    others.length === 0 ? `${all} ${what}` : `${count(n)} of ${all} ${what}`,
    ...others.map(([more, so]) => `${count(more)} ${so}`),
  ].join(', ');
}

/** What to know before believing the verdict, one sentence each. Holds text from data: escape it. */
export function gateNotices({ run, rules, baseline, compared, checks }: Gate): string[] {
  const { failed, total } = run.measures.cases;
  const limitsFailures = rules.rules.some((rule) => rule.kind === 'share' && rule.of === 'failed');
  const compares = rules.rules.some((rule) => rule.kind === 'margin');
  return [
    ...(compared === null ? [] : comparisonNotices(compared)),
    ...unlistedNotices([run]),
    ...(failed > 0 && !limitsFailures
      ? [
          `${count(failed)} of ${counted(total, 'case')} failed and ${failedIn(run, failed === 1)}, and no rule limits that; to have one: failed: { atMost: 0 }`,
        ]
      : []),
    ...fewCases(checks),
    ...((run.manifest.notices['heuristicLogs'] ?? 0) > 0
      ? ['Answered by a heuristic stand-in, not by a language model: this says nothing about a model']
      : []),
    ...(baseline !== null && !compares ? ['A baseline was given, but no rule compares with it (notWorseThan)'] : []),
  ];
}

/** Checks that were passed because of an interval, where that interval is too narrow to lean on. */
function fewCases(checks: Gate['checks']): string[] {
  const few = checks.flatMap(({ rule, verdict, found }) =>
    verdict === 'passed' &&
    (rule.kind === 'margin' || (rule.kind === 'floor' && rule.sure)) &&
    found.interval?.method.startsWith('bootstrap') === true &&
    found.cases !== null &&
    found.cases < FEW_UNITS
      ? [found.cases]
      : [],
  );
  if (few.length === 0) return [];
  const least = few.reduce((one, other) => Math.min(one, other));
  return [
    `${counted(few.length, 'check was', 'checks were')} passed on an interval from as few as ${counted(least, 'case')}: with fewer than ${FEW_UNITS} it comes out too narrow; minimum: { cases: ${FEW_UNITS} } would make it inconclusive`,
  ];
}

function failedIn(run: Run, one: boolean): string {
  if (recipeFacts(run).failed === 'empty') return one ? 'counts as an empty answer' : 'count as empty answers';
  return `${one ? 'is' : 'are'} in no value`;
}
