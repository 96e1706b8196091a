import { judgeFloor } from '../../compare/gate/check.ts';
import type { Rule } from '../../compare/gate/rules.ts';
import { matching } from '../../compare/gate/check-fit.ts';
import type { MeasureValue } from '../../measure/results.ts';
import type { Run } from '../../score/run.ts';
import { FEW_UNITS } from '../../stats/interval.ts';
import { count, counted, figure } from '../../text/figures.ts';
import type { Check, NewFinding } from '../check.ts';
import { overallValue } from '../totals.ts';

/** From so few, no figure can be told from chance. */
const HOPELESS = 5;
/** An interval over more than half of the range leaves open whether a system is good or bad. */
const WIDE = 0.5;
/** From so many cases on, a wide interval is what an ordinary small set gives: worth knowing, no fault. */
const SMALL = 8;

export const noIntervals: Check = {
  name: 'no-intervals',
  about: 'values without intervals',
  find({ recipe, run, primary }) {
    const off = recipe['interval'] === 'off';
    const value = overallValue(run, primary?.measure.name);
    if (!off && (value === undefined || value.interval !== null)) return null;
    return {
      severity: 'note',
      title: off
        ? 'The recipe asks for no intervals: nothing says how sure the values are'
        : `${value?.name ?? 'The first measure'} has no interval: ${value?.noInterval ?? 'no reason is given'}`,
      words: off ? 'no-intervals/off' : 'no-intervals/few',
      subjects: off || value === undefined ? [] : [value.name],
    };
  },
};

export const tooFew: Check = {
  name: 'too-few',
  about: 'too few cases for the value, its interval, or a rule of the gate',
  find({ run, primary, gate }) {
    const value = overallValue(run, primary?.measure.name);
    return [
      value === undefined ? null : fewUnits(value, primary?.sums.clustered === true),
      ...(gate?.rules ?? []).map((rule) => untold(run, rule)),
    ];
  },
};

function fewUnits({ name, units, interval, range }: MeasureValue, clustered: boolean): NewFinding | null {
  const [low, high] = range;
  const isWide =
    interval !== null && low !== null && high !== null && (interval.high - interval.low) / (high - low) > WIDE;
  if (units >= FEW_UNITS && !isWide) return null;
  return {
    severity: units < HOPELESS || (isWide && units < SMALL) ? 'warning' : 'note',
    title: `${name} rests on ${clustered ? counted(units, 'group of cases', 'groups of cases') : counted(units, 'case')}${interval === null ? '' : `: it may lie anywhere from ${figure(interval.low)} to ${figure(interval.high)}`}`,
    words: units < FEW_UNITS ? 'too-few/few' : 'too-few/wide',
    subjects: [name],
  };
}

/** A rule of the gate that this run has too little data for. */
function untold(run: Run, rule: Rule): NewFinding | null {
  if (rule.kind !== 'floor') return null;
  const named = `Rule ${rule.number} of the gate (${rule.measure} ${rule.side} ${rule.limit})`;
  const subjects = [`rule ${rule.number}`];
  const judged = matching(run, rule).map((value) => judgeFloor(rule, value));
  // What the rule says to skip when it is small, the gate skips too.
  const asked = judged.filter(({ reason }) => !(rule.skipSmall && reason.kind === 'too-few'));
  if (judged.length > 0 && asked.length === 0) {
    // One small slice is what `small: skip` is for; where all are small, the rule looks at nothing.
    const all = judged.length === 1 ? 'the only value is' : `all ${count(judged.length)} values are`;
    const title = `${named} looks at nothing: ${all} below its minimum and skipped`;
    return { severity: 'warning', title, words: 'too-few/skipped', subjects };
  }
  const few = asked.filter(
    ({ verdict, reason }) => verdict === 'cannot tell' && (reason.kind === 'too-few' || reason.kind === 'unsure'),
  );
  if (few.length === 0) return null;
  const most = Math.max(...few.map(({ reason }) => (reason.kind === 'unsure' ? (reason.needed ?? 0) : 0)));
  return {
    severity: 'warning',
    title: `${named} cannot be told for ${count(few.length)} of ${counted(asked.length, 'value')}`,
    why: `There are too few cases: ${few[0]?.reason.kind === 'too-few' ? 'the minimum that the rule asks for is not met' : 'the interval reaches over the limit'}. A gate that cannot tell protects against nothing.`,
    words: 'too-few/skipped',
    ...(most > 0
      ? { todo: `Score about ${counted(most, 'case')}, or give the rule a limit that this set can tell.` }
      : {}),
    subjects,
  };
}
