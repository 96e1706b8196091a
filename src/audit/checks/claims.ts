import { matching, misfitsWith } from '../../compare/gate/check-fit.ts';
import { judgeFloor } from '../../compare/gate/check.ts';
import type { FloorRule, MarginRule, GateRule, RulesFile, ShareRule } from '../../compare/gate/rules.ts';
import { runNames } from '../../compare/run-names.ts';
import { signatureDifferences } from '../../compare/signature-differences.ts';
import { isOverall, type MeasureValue } from '../../measure/results.ts';
import type { Run } from '../../score/run.ts';
import { FEW_UNITS } from '../../stats/interval.ts';
import { count, plural, figure, levelText } from '../../text/figures.ts';
import type { AuditCheck, NewFinding } from '../check.ts';
import { ITEMS_SHOWN } from '../evidence.ts';
import type { Severity } from '../finding.ts';
import { overallValue } from '../totals.ts';

/** From so few, no figure can be told from chance. */
const HOPELESS = 5;
/** An interval over more than half of the range leaves open whether a system is good or bad. */
const WIDE = 0.5;
/** From so many cases on, a wide interval is what an ordinary small set gives: worth knowing, no fault. */
const SMALL = 8;

export const missingIntervals: AuditCheck = {
  name: 'missing-intervals',
  about: 'values without intervals',
  severity: 'Note',
  find({ recipe, run, primary }) {
    const off = recipe['interval'] === 'off';
    const value = overallValue(run, primary?.measure.name);
    if (!off && (value === undefined || value.interval !== null)) return null;
    return {
      severity: 'note',
      title: off
        ? 'The recipe asks for no intervals: how sure the values are is unknown'
        : `${value?.name ?? 'The first measure'} has no interval: ${value?.noInterval ?? 'no reason is given'}`,
      words: off ? 'no-intervals/off' : 'no-intervals/few',
      subjects: off || value === undefined ? [] : [value.name],
    };
  },
};

export const tooFewCases: AuditCheck = {
  name: 'too-few-cases',
  about: 'too few cases for the value, its interval, or a rule of the gate',
  severity: `Warning: fewer than ${HOPELESS} cases, fewer than ${SMALL} with an interval over more than ${levelText(WIDE)} of the range, or inconclusive gate rules; note: fewer than ${FEW_UNITS}, or such an interval`,
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
    title: `${name} rests on ${clustered ? plural(units, 'group of cases', 'groups of cases') : plural(units, 'case')}${interval === null ? '' : `: it may lie anywhere from ${figure(interval.low)} to ${figure(interval.high)}`}`,
    words: units < FEW_UNITS ? 'too-few/few' : 'too-few/wide',
    subjects: [name],
  };
}

/** A rule of the gate that this run has too little data for. */
function untold(run: Run, rule: GateRule): NewFinding | null {
  if (rule.kind !== 'floor') return null;
  const named = `Rule ${rule.number} of the gate (${rule.measure} ${rule.side} ${rule.limit})`;
  const subjects = [`rule ${rule.number}`];
  const judged = matching(run, rule).map((value) => judgeFloor(rule, value));
  // What the rule skips when it is small, the gate skips too.
  const asked = judged.filter(({ reason }) => !(rule.skipSmall && reason.kind === 'too-few'));
  if (judged.length > 0 && asked.length === 0) {
    // One small slice is what `small: skip` is for; where all are small, the rule looks at nothing.
    const all = judged.length === 1 ? 'the only value is' : `all ${count(judged.length)} values are`;
    const title = `${named} looks at nothing: ${all} below its minimum and skipped`;
    return { severity: 'warning', title, words: 'too-few/skipped', subjects };
  }
  const few = asked.filter(
    ({ verdict, reason }) => verdict === 'inconclusive' && (reason.kind === 'too-few' || reason.kind === 'unsure'),
  );
  if (few.length === 0) return null;
  const most = Math.max(...few.map(({ reason }) => (reason.kind === 'unsure' ? (reason.needed ?? 0) : 0)));
  return {
    severity: 'warning',
    title: `${named} is inconclusive for ${count(few.length)} of ${plural(asked.length, 'value')}`,
    why: `There are too few cases: ${few[0]?.reason.kind === 'too-few' ? 'the minimum that the rule asks for is not met' : 'the interval reaches over the limit'}. An inconclusive gate protects against nothing.`,
    words: 'too-few/skipped',
    ...(most > 0
      ? { todo: `Score about ${plural(most, 'case')}, or give the rule a limit that this set can tell.` }
      : {}),
    subjects,
  };
}

/** Where and how the gate refuses a share that is always kept to. */
const SHARE_FIELD = /^rule \d+ (?:failed|unanswered|undefined)\.atMost$/;
const NEVER = 'could never block';
const HARDLY = 'would pass whatever the system does, or nearly so';
/** A limit within this part of the range from its worst end asks for nothing. */
const SLIVER = 0.01;
/** Unless the value is nearly as bad: then a limit that holds it there means something. */
const FARTHER = 10;
/** Without a worst value, a limit this many times what was measured. */
const MANY_TIMES = 100;
const HAIR = 1e-12;

export const gateCannotFail: AuditCheck = {
  name: 'gate-cannot-fail',
  about: 'gate rules that hardly any run could break or that do not fit this one',
  severity: `Error; warning: a limit within ${levelText(SLIVER)} of the worst end, a margin of half the range, or a limit ${MANY_TIMES} times the value if the range has no end`,
  needs: ['gate'],
  find({ run, gate }) {
    if (gate === null) return null;
    const never = gate.rules.flatMap((rule) => neverBlocks(run, rule) ?? hardlyBlocks(run, rule) ?? []);
    return [...never, ...misfits(run, gate, new Set(never.flatMap(({ subjects = [] }) => subjects)))];
  },
};

function neverBlocks(run: Run, rule: GateRule): NewFinding | null {
  const first = rule.kind === 'share' ? undefined : matching(run, rule)[0];
  if (rule.kind === 'share' || first === undefined) return null;
  const { name, value, direction, range, best } = first;
  const [low, high] = range;
  const between = `${name} lies between ${low ?? 'any number'} and ${high ?? 'any number'}`;
  if (rule.kind === 'floor') {
    const isLeast = rule.side === 'atLeast';
    const isHeld = isLeast ? low !== null && rule.limit <= low : high !== null && rule.limit >= high;
    const every = `so every value is ${isLeast ? 'at least' : 'at most'} ${rule.limit}`;
    return isHeld ? finding(rule, 'error', `${between}, ${every}`) : null;
  }
  if (low !== null && high !== null && rule.margin >= high - low)
    return finding(rule, 'error', `${between}, so no drop is larger than ${rule.margin}`);
  const worst = direction === 'higher' ? low : high;
  if (value === null || worst === null || best !== undefined || rule.margin < Math.abs(value - worst)) return null;
  const fall = `with a margin of ${rule.margin} it could fall to the worst value there is`;
  return finding(rule, 'warning', `${name} is ${figure(value)} now: ${fall}`);
}

/** A rule that only a system which does next to nothing would break. */
function hardlyBlocks(run: Run, rule: GateRule): NewFinding | null {
  const because = slackOf(run, rule);
  return because === null ? null : finding(rule, 'warning', because, HARDLY);
}

type Place = Pick<GateRule, 'number' | 'line'>;

function finding({ number, line }: Place, severity: Severity, because: string, what = 'can block nothing'): NewFinding {
  const title = `Rule ${number} of the gate${line === null ? '' : ` (line ${line})`} ${what}: ${because}`;
  return { severity, title, words: 'gate-cannot-fail/slack', subjects: [`rule ${number}`] };
}

/** Rules that the gate itself refuses to judge, in its own words. */
function misfits(run: Run, gate: RulesFile, told: ReadonlySet<string>): NewFinding[] {
  return [...gate.problems, ...misfitsWith(run, gate, true)].flatMap(({ field, line, message, next }): NewFinding[] => {
    const rule = /^rule \d+/.exec(field ?? '')?.[0] ?? 'rules';
    if (told.has(rule)) return [];
    // A share of 1 is refused by itself, before there is a rule to look at; what is wrong is that it blocks nothing.
    if (SHARE_FIELD.test(field ?? '') && message.endsWith(NEVER))
      return [finding({ number: Number(rule.slice(5)), line }, 'error', 'no share of cases is larger than 1')];
    const title = `${rule === 'rules' ? 'The rules' : `R${rule.slice(1)}`} of the gate cannot be judged on this run: ${message}`;
    const todo = next ?? 'Correct the rule, or score with what it asks for.';
    const why = 'The gate refuses such rules, so nothing is checked by it.';
    return [{ severity: 'warning', title, why, todo, subjects: [rule] }];
  });
}

/** Why a rule that could block would let nearly everything pass, as the end of a sentence; null where it would not. */
function slackOf(run: Run, rule: GateRule): string | null {
  if (rule.kind === 'share') return slackOfShare(run, rule);
  const values = matching(run, rule);
  return rule.kind === 'floor' ? slackOfFloor(rule, values) : slackOfMargin(rule, values);
}

function slackOfFloor({ side, limit, each }: FloorRule, values: readonly MeasureValue[]): string | null {
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

function slackOfMargin({ margin }: MarginRule, values: readonly MeasureValue[]): string | null {
  const [first] = values;
  if (first === undefined || first.best !== undefined) return null;
  const { name, value, direction, range } = first;
  const [low, high] = range;
  const far = farAbove(values, direction === 'lower' ? margin : null);
  if (low === null || high === null)
    return far === null ? null : `${far} and may rise by ${bound(margin)}, ${MANY_TIMES} times that or more`;
  if (margin < (high - low) / 2) return null;
  const may = `may ${direction === 'higher' ? 'fall' : 'rise'} by ${bound(margin)}`;
  return `${name}${value === null ? '' : ` is ${figure(value)} now and`} ${may}, half of its range from ${low} to ${high} or more`;
}

/** The largest value of a measure without an upper end, where a limit is far above it and above what it may be. */
function farAbove(values: readonly MeasureValue[], limit: number | null): string | null {
  if (limit === null || values.length === 0 || values.some(({ range }) => range[1] !== null)) return null;
  const now = Math.max(...values.map(({ value }) => value ?? 0));
  // One error among a thousand cases may as well be four: the interval, if any, shows it.
  const reach = Math.max(now, ...values.map(({ interval }) => interval?.high ?? 0));
  if (now <= 0 || limit < MANY_TIMES * reach) return null;
  return `${values[0]!.name} is ${values.length === 1 ? '' : 'at most '}${figure(now)} now`;
}

const SHARES: Readonly<Record<ShareRule['of'], string>> = {
  failed: 'may have failed',
  unanswered: 'may be without a prediction',
  undefined: 'may be without a value',
};

function slackOfShare({ measures: { cases, measures } }: Run, { of, measure, limit }: ShareRule): string | null {
  const spread = measures.find(({ name, slice }) => name === measure && isOverall(slice))?.cases;
  const part = of === 'undefined' ? (spread?.undefined ?? 0) : cases[of];
  const whole = of === 'undefined' ? (spread?.n ?? 0) + part : cases.total;
  if (whole === 0 || !isSliver(1 - limit, 1 - part / whole, 1)) return null;
  const what = `${SHARES[of]}${measure === null ? '' : ` of ${measure}`}`;
  return `a share of ${bound(limit)} of the cases ${what}; now it is ${count(part)} of ${count(whole)}`;
}

/** Whether a limit is next to the worst value there is, and the value far from it. */
function isSliver(limit: number, value: number, width: number): boolean {
  return limit <= SLIVER * width + HAIR && value >= FARTHER * limit;
}

function bound(limit: number): string {
  return limit >= 1000 ? count(limit) : String(limit);
}

export const differentSignatures: AuditCheck = {
  name: 'different-signatures',
  about: 'compared runs that were not scored alike',
  severity: 'Error',
  needs: ['others'],
  find({ run, others }) {
    // A folder is often called after what it holds, `run`, and its last name alone means nothing.
    const [, ...names] = runNames([run, ...others]);
    return others.map((other, at) => {
      const apart = signatureDifferences(run.manifest, other.manifest);
      const name = names[at] ?? other.folder;
      const itemOf = (text: string) => ({ case: null, side: null, label: null, text, note: null });
      if (apart.length === 0) return null;
      return {
        severity: 'error',
        title: `${name} was not scored like the baseline: ${plural(apart.length, 'difference')}`,
        words: 'other-signatures/apart',
        subjects: [name],
        evidence: { items: { total: apart.length, shown: apart.slice(0, ITEMS_SHOWN).map(itemOf) } },
      };
    });
  },
};
