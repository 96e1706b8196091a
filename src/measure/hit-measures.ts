import type { Verdict } from '../judge/verdict.ts';
import { drawnTotal, withDrawnValues } from './drawn-values.ts';
import { numberIn } from './item-measures.ts';
import type { FormParams } from './measure-params.ts';
import {
  boundText,
  type Counter,
  declareMeasure,
  declareQuotient,
  keepsTo,
  type Outcome,
  type Sums,
  type UnnamedMeasure,
  nothingToDivide,
  total,
  type ZeroDivision,
} from './measure.ts';

/** Which verdicts a measure looks at. */
type Scope = Pick<FormParams<'f1'>, 'kind' | 'require' | 'match' | 'requireByLabel'>;
type RowScope = Pick<Scope, 'kind' | 'requireByLabel'>;

export const WHOLE: Scope = { kind: null, require: [], match: [] };

/**
 * precision = credit of hits / (hits + spurious); higher is better.
 * Undefined when nothing was predicted. Excused predictions stay out of it, unless `countExcused` puts them below the line
 * (all of them, or those that `excusedBy` names). With `rightBy`, where gold and predictions are judged apart, predictions
 * that these rules found right take the place of hits (masking counts hits on gold). Example: 3 hits, 1 spurious: 3 / 4.
 */
export function precision(params: FormParams<'precision'>, zeroDivision: ZeroDivision): UnnamedMeasure {
  const { kind, rightBy, countExcused, excusedBy } = params;
  const right = rightBy === undefined ? null : excusedCount('predicted', kind, rightBy);
  return declareQuotient({
    about: right === null ? 'hits / predicted items that count' : 'right predictions / predictions that count',
    over: [right ?? hitCredit(params)],
    under: [
      right ?? verdictCount('hit', params),
      verdictCount('spurious', params),
      ...(countExcused ? [excusedCount('predicted', kind, excusedBy)] : []),
    ],
    nothing: 'nothing was predicted',
    zeroDivision,
  });
}

/**
 * recall = credit of hits / (hits + missed); higher is better.
 * Undefined when there is no gold that counts. Excused gold stays out of it.
 * With `within`, a hit whose number is beyond the bound counts as missed (what was covered within a budget), and recall is
 * undefined where there are hits and not one has the number.
 * Example: 3 hits, 2 missed: 3 / 5 = 0.6. With the hits at 100, 240 and 400 CTU, at most 250: 2 / 5 = 0.4.
 */
export function recall(params: FormParams<'recall'>, zeroDivision: ZeroDivision): UnnamedMeasure {
  const { kind, within } = params;
  const [hits, missed] = [verdictCount('hit', params), verdictCount('missed', params)];
  const whole = declareQuotient({
    about: `hits${within === undefined ? '' : ` with ${within.field} ${boundText(within)}`} / gold items that count`,
    over: [hitCredit(params, within)],
    under: [hits, missed],
    nothing: 'there is no gold that counts',
    zeroDivision,
  });
  if (within === undefined) return whole;
  const { field } = within;
  const numbered: Counter = {
    key: `numbered-hits:${kind ?? '*'}:${field}`,
    of: (v) => (v.verdict === 'hit' && isOfKind(v, kind) && numberIn(v, field) !== null ? v.weight : 0),
  };
  return {
    ...whole,
    counters: [...whole.counters, numbered],
    value(sums) {
      if (total(sums, hits) === 0 || total(sums, numbered) > 0) return whole.value(sums);
      return { value: null, undefined: `no hit has a number in ${field}`, n: total(sums, hits, missed) };
    },
    leftOut(sums) {
      const without = total(sums, hits) - total(sums, numbered);
      return without > 0 ? `${without} of ${total(sums, hits)} hits without a number in ${field}` : null;
    },
  };
}

/**
 * F = (1 + b²) P R / (b² P + R), b = 1 for F1; higher is better.
 * 0 when there is gold or a prediction but no hit; undefined only when there is neither (van Rijsbergen 1979; the
 * counts form 2 TP / (2 TP + FP + FN) decides the edge cases).
 * Example: P 1, R 0.16: 2 · 0.16 / 1.16 = 0.2759.
 */
export function f1(params: FormParams<'f1'>, zeroDivision: ZeroDivision): UnnamedMeasure {
  const { beta } = params;
  const credit = hitCredit(params);
  const hits = verdictCount('hit', params);
  const spurious = verdictCount('spurious', params);
  const missed = verdictCount('missed', params);
  const b2 = beta * beta;
  return declareMeasure({
    about: `${beta === 1 ? '' : 'weighted '}harmonic mean of precision and recall${beta === 1 ? '' : ` (beta ${beta})`}`,
    counters: [credit, hits, spurious, missed],
    doubledOdds: beta === 1,
    value: withDrawnValues(
      (sums: Sums): Outcome => {
        const n = total(sums, hits, spurious, missed);
        if (n === 0) return nothingToDivide('there is neither gold nor a prediction that counts', 0, zeroDivision);
        const value = fromCounts(total(sums, credit), total(sums, hits, spurious), total(sums, hits, missed), b2);
        return { value, undefined: null, n };
      },
      (sums) => {
        const [worth, lost] = [drawnTotal(sums, [credit]), drawnTotal(sums, [missed])];
        const [predicted, gold] = [drawnTotal(sums, [hits, spurious]), drawnTotal(sums, [hits, missed])];
        const values = sums.list();
        for (let at = 0; at < values.length; at += 1) {
          const n = predicted[at]! + lost[at]!;
          values[at] = n === 0 ? (zeroDivision ?? NaN) : fromCounts(worth[at]!, predicted[at]!, gold[at]!, b2);
        }
        return values;
      },
    ),
  });
}

function fromCounts(worth: number, predicted: number, gold: number, b2: number): number {
  if (worth === 0) return 0;
  const p = worth / predicted;
  const r = worth / gold;
  return ((1 + b2) * (p * r)) / (b2 * p + r);
}

/**
 * over-extraction = predicted items / gold items, excused ones included on both sides; 1 is best, above it the
 * system extracts more than there is, below it less. Undefined without gold. Example: 19 extracted, 20 expected: 0.95.
 */
export function overExtraction(scope: RowScope, zeroDivision: ZeroDivision): UnnamedMeasure {
  const hits = verdictCount('hit', scope);
  return declareQuotient({
    about: 'predicted items / gold items',
    direction: 'lower',
    best: 1,
    range: [0, null],
    proportion: false,
    over: [hits, verdictCount('spurious', scope), excusedCount('predicted', scope.kind)],
    under: [hits, verdictCount('missed', scope), excusedCount('gold', scope.kind)],
    nothing: 'there is no gold',
    zeroDivision,
  });
}

/** Adds up credits in millionths: whole numbers have an exact sum, which no order of cases can change. */
const CREDIT_UNITS = 1_000_000;

/** Worth of the hits: 1 each, or the scheme's credit, times the tokens or characters they stand for. */
export function hitCredit(scope: Scope, within?: FormParams<'recall'>['within']): Counter {
  const { kind, require, match } = scope;
  const bound = within === undefined ? '' : `:${within.field} ${boundText(within)}`;
  const every = require.length === 0 && match.length === 0 && within === undefined;
  const suits = (v: Verdict): boolean => {
    const value = within === undefined ? null : numberIn(v, within.field);
    return (
      (match.length === 0 || match.some((own) => own === v.match)) &&
      require.every((name) => v.attributes?.[name] !== false) &&
      (within === undefined || (value !== null && keepsTo(within, value)))
    );
  };
  const counter: Counter = {
    key: `credit:${kind ?? '*'}:${require.join('+')}:${match.join('+')}${bound}`,
    scale: CREDIT_UNITS,
    plain: every,
    of: (v) =>
      v.verdict === 'hit' && isOfKind(v, kind) && (every || suits(v))
        ? (v.credit === 1 ? CREDIT_UNITS : Math.round(v.credit * CREDIT_UNITS)) * v.weight
        : 0,
  };
  return takenApart(counter, scope);
}

export function verdictCount(verdict: 'hit' | 'missed' | 'spurious', scope: RowScope): Counter {
  const { kind } = scope;
  const of = (v: Verdict): number => (v.verdict === verdict && isOfKind(v, kind) ? v.weight : 0);
  return takenApart({ key: `${verdict}:${kind ?? '*'}`, plain: true, of }, scope);
}

/** Excused items of a side, all of them or those that the named rules excused. */
function excusedCount(side: 'gold' | 'predicted', kind: string | null, rules: readonly string[] = []): Counter {
  const suits = (v: Verdict): boolean =>
    v.verdict === 'excused' && v[side] !== null && isOfKind(v, kind) && (rules.length === 0 || rules.includes(v.rule));
  return { key: `excused-${side}:${kind ?? '*'}:${rules.join('+')}`, of: (v) => (suits(v) ? v.weight : 0) };
}

function isOfKind(verdict: Verdict, kind: string | null): boolean {
  return kind === null || verdict.kind === kind;
}

/**
 * A counter whose rows by label take a hit with a wrong label apart: it is what it would be if labels had to agree. Gold of
 * its label is missed, and what was predicted is spurious under the label that it was given.
 */
function takenApart(counter: Counter, { kind, requireByLabel = [] }: RowScope): Counter {
  if (requireByLabel.length === 0) return counter;
  return {
    ...counter,
    plain: false,
    key: `${counter.key}:by ${requireByLabel.join('+')}`,
    byLabel(v) {
      if (v.verdict !== 'hit' || v.gold === null || v.predicted === null || !isOfKind(v, kind)) return null;
      if (!requireByLabel.some((name) => v.attributes?.[name] === false)) return null;
      const gold: Verdict = { ...v, verdict: 'missed', label: v.gold.label, predicted: null };
      const predicted: Verdict = { ...v, verdict: 'spurious', label: v.predicted.label, gold: null };
      return [gold, predicted].map((own) => ({ label: own.label, add: counter.of(own) }));
    },
  };
}
