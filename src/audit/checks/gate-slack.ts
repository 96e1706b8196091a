import type { MeasureValue } from '../../measure/results.ts';
import type { FloorRule, MarginRule, Rule, ShareRule } from '../../compare/gate/rules.ts';
import { isOverall, matching } from '../../compare/gate/slices-of.ts';
import type { Run } from '../../score/run.ts';
import { count, figure } from '../../text/figures.ts';

/** A limit within this part of the range from its worst end asks for nothing. */
const SLIVER = 0.01;
/** Unless the value is nearly as bad: then a limit that holds it there means something. */
const FARTHER = 10;
/** Where there is no worst value, a limit this many times what was measured. */
const MANY_TIMES = 100;
const HAIR = 1e-12;

/** Why a rule that could block would let nearly everything pass, as the end of a sentence; null where it would not. */
export function slackOf(run: Run, rule: Rule): string | null {
  if (rule.kind === 'share') return ofShare(run, rule);
  const values = matching(run, rule);
  return rule.kind === 'floor' ? ofFloor(rule, values) : ofMargin(rule, values);
}

function ofFloor({ side, limit, each }: FloorRule, values: readonly MeasureValue[]): string | null {
  const far = farAbove(values, side === 'atMost' ? limit : null);
  if (far !== null) return `${far} and may be ${bound(limit)}, ${MANY_TIMES} times that or more`;
  const [first] = values;
  // That every label has at least something right is worth a rule.
  if (first === undefined || each !== null || first.best !== undefined || first.value === null) return null;
  const { name, value, direction, range } = first;
  const [low, high] = range;
  if (low === null || high === null || side !== (direction === 'higher' ? 'atLeast' : 'atMost')) return null;
  const worst = side === 'atLeast' ? low : high;
  if (!isSliver(Math.abs(limit - worst), Math.abs(value - worst), high - low)) return null;
  return `${name} is ${figure(value)} now and need only be at ${side === 'atLeast' ? 'least' : 'most'} ${bound(limit)}, of a range from ${low} to ${high}`;
}

function ofMargin({ margin }: MarginRule, values: readonly MeasureValue[]): string | null {
  const [first] = values;
  if (first === undefined || first.best !== undefined) return null;
  const { name, value, direction, range } = first;
  const [low, high] = range;
  const worse = direction === 'higher' ? 'fall' : 'rise';
  if (low !== null && high !== null)
    return margin >= (high - low) / 2
      ? `${name}${value === null ? '' : ` is ${figure(value)} now and`} may ${worse} by ${bound(margin)}, half of its range from ${low} to ${high} or more`
      : null;
  const far = farAbove(values, direction === 'lower' ? margin : null);
  return far === null ? null : `${far} and may rise by ${bound(margin)}, ${MANY_TIMES} times that or more`;
}

/** The largest value of a measure without an upper end, where a limit is far above it and above what it may be. */
function farAbove(values: readonly MeasureValue[], limit: number | null): string | null {
  if (limit === null || values.length === 0 || values.some(({ range }) => range[1] !== null)) return null;
  const now = Math.max(...values.map(({ value }) => value ?? 0));
  // One error among a thousand cases may as well be four: the interval says so where there is one.
  const reach = Math.max(now, ...values.map(({ interval }) => interval?.high ?? 0));
  if (now <= 0 || limit < MANY_TIMES * reach) return null;
  return `${values[0]!.name} is ${values.length === 1 ? '' : 'at most '}${figure(now)} now`;
}

const SHARES: Readonly<Record<ShareRule['of'], string>> = {
  failed: 'may have failed',
  unanswered: 'may be without a prediction',
  undefined: 'may be without a value',
};

function ofShare({ measures: { cases, measures } }: Run, { of, measure, limit }: ShareRule): string | null {
  const spread = measures.find(({ name, slice }) => name === measure && isOverall(slice))?.cases;
  const part = of === 'undefined' ? (spread?.undefined ?? 0) : cases[of];
  const whole = of === 'undefined' ? (spread?.n ?? 0) + part : cases.total;
  if (whole === 0 || !isSliver(1 - limit, 1 - part / whole, 1)) return null;
  const now = `now it is ${count(part)} of ${count(whole)}`;
  return `a share of ${bound(limit)} of the cases ${SHARES[of]}${measure === null ? '' : ` of ${measure}`}; ${now}`;
}

/** Whether a limit is next to the worst value there is, and the value far from it. */
function isSliver(limit: number, value: number, width: number): boolean {
  return limit <= SLIVER * width + HAIR && value >= FARTHER * limit;
}

function bound(limit: number): string {
  return limit >= 1000 ? count(limit) : String(limit);
}
