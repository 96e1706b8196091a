import { NOT_ASKED_FOR } from '../measure/measure.ts';
import type { Check } from '../compare/gate/check.ts';
import type { Rule, ShareRule } from '../compare/gate/rules.ts';
import { listed, measureTitle } from './comparison-words.ts';
import { count, counted, figure, levelText } from '../text/figures.ts';
import { endsText, foundText } from './gate-figures.ts';

/**
 * What a rule demands of a slice, short enough for a table.
 *
 * @example 'recall (label PERSON) ≥ 0.9', 'f1 not worse by > 0.02', 'failed cases ≤ 1 %'
 */
export function demandText({ rule, slice }: Pick<Check, 'rule' | 'slice'>): string {
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
function foundSentence(check: Check): string {
  const { rule, found } = check;
  if (rule.kind === 'share')
    return found.value === null
      ? 'no share'
      : `${foundText(check)} (${count(found.part ?? 0)} of ${counted(found.cases ?? 0, 'case')})`;
  const { baseline, other } = found;
  const facts = [
    ...(baseline === null || other === null ? [] : [`${number(baseline, check)} before, ${number(other, check)} now`]),
    ...(found.interval === null ? [] : [`${levelText(found.interval.level)} interval ${endsText(check)}`]),
    ...(isConstant(check) ? ['the same in every resample'] : []),
    ...(found.n === null ? [] : [`n = ${count(found.n)}`]),
    ...(found.cases === null ? [] : [counted(found.cases, check.unit)]),
  ];
  return `${found.value === null ? 'no value' : foundText(check)}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

/** A difference that was judged without an interval. */
function isConstant({ rule, reason, found }: Check): boolean {
  return rule.kind === 'margin' && found.interval === null && (reason.kind === 'met' || reason.kind === 'missed');
}

function number(value: number, { counts }: Check): string {
  return counts ? count(value) : figure(value);
}

/** Why a check came out as it did, in one sentence. */
export function whyText(check: Check): string {
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

function wrongSide(rule: Rule): string {
  if (rule.kind === 'margin') return rule.margin === 0 ? 'worse' : `worse by more than ${rule.margin}`;
  if (rule.kind === 'share') return `more than ${levelText(rule.limit)}`;
  return `${rule.side === 'atLeast' ? 'below' : 'above'} ${rule.limit}`;
}

/** More cases than this are as good as never. */
const TOO_MANY = 1_000_000;

/** What to do about it; null where the cases listed say it. */
export function nextText({ reason, rule, unit }: Check): string | null {
  switch (reason.kind) {
    case 'unsure': {
      const settle =
        reason.needed === null || reason.needed > TOO_MANY
          ? 'It is so close to the line that hardly any number of cases would settle it.'
          : `About ${counted(reason.needed, unit)} would settle it if it stays as it is.`;
      return rule.kind === 'floor' ? `${settle} Without sure the value alone decides.` : settle;
    }
    case 'no-interval':
      return reason.why === NOT_ASKED_FOR ? 'Score again with interval: on in the recipe.' : 'Add cases that differ.';
    case 'too-few':
      return 'Add cases, or ask for less with minimum.';
    case 'absent':
      return reason.near.length === 0
        ? 'Add cases that have it, or take the rule out.'
        : `Did you mean ${listed(reason.near)}?`;
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
