import type { GateCheck, CheckVerdict, GateVerdict } from '../compare/gate/check.ts';
import type { Gate } from '../compare/gate/judge-gate.ts';
import type { GateRule, ShareRule } from '../compare/gate/rules.ts';
import type { GateOutcome } from '../experiment/summary.ts';
import { NOT_ASKED_FOR } from '../measure/measure.ts';
import { unlistedNotices } from '../score/run-folder.ts';
import type { Run } from '../score/run.ts';
import { FEW_UNITS } from '../stats/interval.ts';
import { count, plural, figure, figureBeside, levelText, NONE, percentBeside, signedBeside } from '../text/figures.ts';
import { comparisonNotices } from './comparison-sentences.ts';
import { nameList, measureTitle } from './comparison-words.ts';
import { recipeFacts } from './recipe-facts.ts';
import { rangeText } from './value-text.ts';
import { present } from './document.ts';

interface Checked {
  readonly checks: readonly GateCheck[];
}

/** "Gate failed", "Gate inconclusive". */
export function gateTitle(verdict: GateVerdict): string {
  return `Gate ${verdict}`;
}

export function gateCounts({ checks }: Checked): Record<CheckVerdict, number> {
  const counts = { passed: 0, failed: 0, inconclusive: 0, skipped: 0 };
  for (const { verdict } of checks) counts[verdict] += 1;
  return counts;
}

/** "1 of 5 checks failed, 1 inconclusive, 3 passed". */
export function countsText(gate: Checked): string {
  const { passed, failed, skipped, ...rest } = gateCounts(gate);
  const parts = [
    [failed, 'failed'],
    [rest['inconclusive'], 'inconclusive'],
    [passed, 'passed'],
    [skipped, skipped === 1 ? 'was skipped as too small' : 'were skipped as too small'],
  ] as const;
  const [first, ...others] = parts.filter(([n]) => n > 0);
  if (first === undefined) return 'no checks';
  const all = plural(gate.checks.length, 'check');
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
  return present([
    ...(compared === null ? [] : comparisonNotices(compared)),
    ...unlistedNotices([run]),
    failed > 0 &&
      !limitsFailures &&
      `${count(failed)} of ${plural(total, 'case')} failed and ${failedIn(run, failed === 1)}, and no rule limits that; to have one: failed: { atMost: 0 }`,
    ...fewCases(checks),
    (run.manifest.notices['heuristicLogs'] ?? 0) > 0 &&
      'Answered by a heuristic stand-in, not by a language model: the numbers do not describe a model',
    baseline !== null && !compares && 'A baseline was given, but no rule compares with it (notWorseThan)',
  ]);
}

/** Checks that were passed because of an interval, where that interval is too narrow to lean on. */
function fewCases(checks: Gate['checks']): string[] {
  const few = checks.flatMap(({ rule, verdict, found }) =>
    verdict === 'passed' &&
    isByInterval(rule) &&
    found.interval?.method.startsWith('bootstrap') === true &&
    found.cases !== null &&
    found.cases < FEW_UNITS
      ? [found.cases]
      : [],
  );
  if (few.length === 0) return [];
  const least = few.reduce((one, other) => Math.min(one, other));
  return [
    `${plural(few.length, 'check was', 'checks were')} passed on an interval from as few as ${plural(least, 'case')}: with fewer than ${FEW_UNITS} it comes out too narrow; minimum: { cases: ${FEW_UNITS} } would make it inconclusive`,
  ];
}

function failedIn(run: Run, one: boolean): string {
  if (recipeFacts(run).failed === 'empty') return one ? 'counts as an empty answer' : 'count as empty answers';
  return `${one ? 'is' : 'are'} in no value`;
}

/** What a summary reports of a gate: its verdict and the checks that were not passed. */
export function gateOutcome(gate: Checked & Pick<Gate, 'verdict'>): GateOutcome {
  return {
    verdict: gate.verdict,
    counts: countsText(gate),
    notPassed: gate.checks
      .filter(({ verdict }) => verdict === 'failed' || verdict === 'inconclusive')
      .map((check) => ({ verdict: check.verdict, demand: demandText(check), why: whyText(check) })),
  };
}

/**
 * What a rule demands of a slice, short enough for a table.
 *
 * @example 'recall (label PERSON) ≥ 0.9', 'f1 not worse by > 0.02', 'failed cases ≤ 1 %'
 */
export function demandText({ rule, slice }: Pick<GateCheck, 'rule' | 'slice'>): string {
  if (rule.kind === 'share') return `${shareSubject(rule)} ≤ ${levelText(rule.limit)}`;
  const what = measureTitle({ name: rule.measure, slice });
  if (rule.kind === 'margin')
    return rule.margin === 0 ? `${what} not worse at all` : `${what} not worse by > ${rule.margin}`;
  return `${what} ${rule.sure ? 'surely ' : ''}${rule.side === 'atLeast' ? '≥' : '≤'} ${rule.limit}`;
}

function shareSubject({ of, measure }: ShareRule): string {
  if (of === 'undefined') return `cases without ${measure ?? ''}`;
  return `${of} cases`;
}

/** What was found with all that belongs to it: `0.776 (95 % interval 0.700 to 0.830, n = 60, 5 cases)`. */
function foundSentence(check: GateCheck): string {
  const { rule, found } = check;
  if (rule.kind === 'share')
    return found.value === null
      ? 'no share'
      : `${checkValueText(check)} (${count(found.part ?? 0)} of ${plural(found.cases ?? 0, 'case')})`;
  const { baseline, other } = found;
  const facts = present([
    baseline !== null && other !== null && `${number(baseline, check)} before, ${number(other, check)} now`,
    found.interval !== null &&
      `${levelText(found.interval.level)} ${isByInterval(rule) ? 'gate ' : ''}interval ${endsText(check)}`,
    found.interval !== null && isByInterval(rule) && found.interval.method,
    isConstant(check) && 'the same in every resample',
    found.n !== null && `n = ${count(found.n)}`,
    found.cases !== null && plural(found.cases, check.unit),
  ]);
  return `${found.value === null ? 'no value' : checkValueText(check)}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

/** True if the interval decides, which is then the gate's: it can differ from that of a score table. */
export function isByInterval(rule: GateRule): boolean {
  return rule.kind === 'margin' || (rule.kind === 'floor' && rule.sure);
}

/** A difference that was judged without an interval. */
function isConstant({ rule, reason, found }: GateCheck): boolean {
  return rule.kind === 'margin' && found.interval === null && (reason.kind === 'met' || reason.kind === 'missed');
}

function number(value: number, { counts }: GateCheck): string {
  return counts ? count(value) : figure(value);
}

/** Why a check came out as it did, in one sentence. */
export function whyText(check: GateCheck): string {
  const { reason, rule, slice } = check;
  const found = foundSentence(check);
  switch (reason.kind) {
    case 'met':
      return `${found}.`;
    case 'identical':
      return `The two runs are the same on every case: ${found}.`;
    case 'missed':
      return `${found}, which is ${wrongSide(rule)}.`;
    case 'unsure':
      return rule.kind === 'margin'
        ? `${found}: the interval reaches beyond the margin, so it may be worse by more than ${rule.margin}, or not.`
        : `${found}: the value is right, but its interval reaches over the limit.`;
    case 'no-interval':
      return `${found}, without an interval to be sure by: ${reason.why}.`;
    case 'undefined':
      return `There is no value: ${reason.why}.`;
    case 'too-few':
      return `Found ${found}, but the rule wants ${reason.of === 'n' ? 'n' : `${check.unit}s`} to be ${count(reason.wanted)} or more.`;
    case 'absent':
      return rule.kind !== 'share' && rule.each !== null
        ? `The run has no ${rule.each} at all${Object.keys(slice).length === 0 ? '' : ' there'}.`
        : 'There is no such slice in the run.';
    case 'all-skipped':
      return `${reason.slices === 1 ? 'The only slice was' : `All ${count(reason.slices)} slices were`} skipped as too small, so the rule has looked at nothing.`;
  }
}

function wrongSide(rule: GateRule): string {
  if (rule.kind === 'margin') return rule.margin === 0 ? 'worse' : `worse by more than ${rule.margin}`;
  if (rule.kind === 'share') return `more than ${levelText(rule.limit)}`;
  return `${rule.side === 'atLeast' ? 'below' : 'above'} ${rule.limit}`;
}

/** More cases than this are as good as never. */
const TOO_MANY = 1_000_000;

/** What to do about it; null where the cases listed say it. */
export function nextText({ reason, rule, unit }: GateCheck): string | null {
  switch (reason.kind) {
    case 'unsure': {
      const settle =
        reason.needed === null || reason.needed > TOO_MANY
          ? 'It is so close to the line that hardly any number of cases would settle it.'
          : `About ${plural(reason.needed, unit)} would settle it if it stays as it is.`;
      return rule.kind === 'floor' ? `${settle} Without sure the value alone decides.` : settle;
    }
    case 'no-interval':
      return reason.why === NOT_ASKED_FOR ? 'Score again with interval: on in the recipe.' : 'Add cases that differ.';
    case 'too-few':
      return 'Add cases, or ask for less with minimum.';
    case 'absent':
      return reason.near.length === 0
        ? 'Add cases that have it, or take the rule out.'
        : `Did you mean ${nameList(reason.near)}?`;
    case 'all-skipped':
      return 'Add cases, or ask for less with minimum.';
    case 'undefined':
      return 'Add cases that have something to measure.';
    case 'met':
    case 'identical':
    case 'missed':
      return null;
  }
}

/** What was found: a value, a difference with its sign, or a share in per cent. */
export function checkValueText({ rule, found, counts }: GateCheck): string {
  const { value } = found;
  if (value === null) return NONE;
  if (rule.kind === 'share') return percentBeside(value, rule.limit);
  if (rule.kind === 'margin')
    return counts ? `${value > 0 ? '+' : ''}${count(value)}` : signedBeside(value, rule.margin);
  return counts ? count(value) : figureBeside(value, rule.limit);
}

/** The interval's ends; empty if absent. */
export function endsText({ rule, found: { interval } }: GateCheck): string {
  if (interval === null) return '';
  const end = (value: number): string => {
    if (rule.kind === 'margin') return signedBeside(value, rule.margin).replace('+', '');
    return rule.kind === 'floor' ? figureBeside(value, rule.limit) : figure(value);
  };
  return rangeText(interval, end);
}
