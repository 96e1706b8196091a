import type { Verdict } from '../judge/verdict.ts';
import { meanOverCases } from './case-measures.ts';
import type { FormParams } from './measure-params.ts';
import {
  boundText,
  type Counter,
  declareCount,
  declareMeasure,
  declareQuotient,
  joinNotes,
  keepsTo,
  type Measure,
  type UnnamedMeasure,
  nothingToDivide,
  type Sums,
  total,
  type ZeroDivision,
} from './measure.ts';
import { percentile, percentileOf } from './numpy.ts';

type NumberScope = Readonly<ReturnType<typeof numberScope>>;

/**
 * Which predicted items a measure of numbers covers, by the recipe's settings: those of one kind, of several, or of
 * every kind (none); which of their fields, which are added up where there are several; and what is counted of them.
 */
function numberScope(params: FormParams<'ratio'>['over']) {
  const { kind, verdict, field, where = {} } = params;
  const { kinds = kind === null ? [] : [kind], fields = field === undefined ? [] : [field] } = params;
  const only = Object.entries(where);
  const onlyKey = only.map(([name, values]) => `:${name}=${values.join('|')}`).join('');
  const key = `${kinds.join('+') || '*'}:${verdict ?? '*'}:${fields.join('+')}${onlyKey}`;
  const kindText = kinds.length === 0 ? [] : [kinds.join(' and ')];
  const text = [...only.map(([, values]) => values.join(' or ')), ...kindText, 'items'].join(' ');
  /** Items that left before pairing, and those of cases that failed, were never part of the question. */
  const has = (v: Verdict): boolean => {
    if (v.predicted === null || v.setAside) return false;
    if ((kinds.length > 0 && !kinds.includes(v.kind)) || (verdict !== undefined && v.verdict !== verdict)) return false;
    for (const name in where) if (!where[name]!.includes(String(v.predicted.fields[name]))) return false;
    return true;
  };
  /** What the fields of an item add up to; null where it has none of them. */
  const numberOf = (v: Verdict): number | null => {
    let sum: number | null = null;
    for (const name of fields) {
      const value = numberIn(v, name);
      if (value !== null) sum = (sum ?? 0) + value;
    }
    return sum;
  };
  const count = (what: string, add: (v: Verdict) => number): Counter => ({
    key: `${what}:${key}`,
    of: (v) => (has(v) ? add(v) : 0),
  });
  return {
    /** Distinguishes two scopes. */
    key,
    kinds,
    fields,
    /** `summary items`, `summary and decision items`, `items`. */
    text,
    nothing: `there are no ${text} with a number in ${fields.join(' + ')}`,
    count,
    numberOf,
    /** The numbers of the items, of those that have one. */
    numbersOf: (verdicts: readonly Verdict[]) => verdicts.flatMap((v) => (has(v) ? (numberOf(v) ?? []) : [])),
    sum: count('number-sum', (v) => numberOf(v) ?? 0),
    /** How many items there are, how many have at least one of the numbers, and how many have all of them. */
    items: count('number-items', () => 1),
    found: count('numbers', (v) => (numberOf(v) === null ? 0 : 1)),
    whole: count('numbers-whole', (v) => (fields.every((name) => numberIn(v, name) !== null) ? 1 : 0)),
  };
}

/**
 * How many predicted items there are, whatever became of them, or how many have a value of a field; the recipe sets
 * which way is better. Never undefined: none is 0, and that is a count, not a score.
 * Example: 40 flushes at a boundary cue and 3 at the end: 43, of reason end_of_trace 3.
 */
export function itemCount(params: FormParams<'item-count'>): UnnamedMeasure {
  const { field, values = [] } = params;
  const scope = numberScope({ ...params, field: undefined });
  const having = field === undefined ? '' : ` with ${field} ${values.join(' or ')}`;
  const suits = (v: Verdict): boolean => field === undefined || values.includes(String(v.predicted?.fields[field]));
  const counter = scope.count(`items${having}`, (v) => (suits(v) ? v.weight : 0));
  return declareCount(counter, { about: `number of ${scope.text}${having}` });
}

/**
 * mean of a number over items = sum of the field / items that have it; the recipe sets which way is better. Of several
 * cases it is the mean over all their items, each counting the same. Items without the number are left out and counted.
 * Undefined when no item has it. Example: latencies 900, 1100 and none: 1000, n 2.
 */
export function fieldMean(params: FormParams<'field-mean'>): UnnamedMeasure {
  const scope = numberScope(params);
  return declareQuotient({
    about: `mean ${scope.fields.join(' + ')} of ${scope.text}`,
    proportion: false,
    over: [scope.sum],
    under: [scope.found],
    nothing: scope.nothing,
    ...countingLack(scope),
  });
}

/**
 * share of items whose number is at least (or at most) a bound = items that keep to it / items that have the number; the
 * recipe sets which way is better. Items without the number are left out and counted. Undefined when no item has it.
 * Example: similarities 0.8, 0.85 and 0.9, at least 0.85: 2 / 3.
 */
export function fieldShare(params: FormParams<'field-share'>, zeroDivision: ZeroDivision): UnnamedMeasure {
  const scope = numberScope(params);
  const within = scope.count(`numbers ${boundText(params)}`, (v) => {
    const value = scope.numberOf(v);
    return value !== null && keepsTo(params, value) ? 1 : 0;
  });
  return declareQuotient({
    about: `${scope.text} with ${scope.fields.join(' + ')} ${boundText(params)} / those that have it`,
    over: [within],
    under: [scope.found],
    nothing: scope.nothing,
    zeroDivision,
    ...countingLack(scope),
  });
}

/**
 * total of a number, or of several, over items = sum of the fields; the recipe sets which way is better. 0 where there
 * are no items: that is a count. Undefined where there are items of a kind and not one of them has the number, since a 0
 * would then be made up. Example: prompts of 400 and 500 with answers of 20 and 30 CTU: 950.
 */
export function fieldTotal(params: FormParams<'field-total'>): UnnamedMeasure {
  const scope = sumOfKinds(params);
  return declareMeasure({
    about: `sum of ${scope.fields.join(' and ')} over ${scope.text}`,
    counters: scope.counters,
    value(sums) {
      const { sum, found: n, lacking } = scope.of(sums);
      return lacking === null ? { value: sum, undefined: null, n } : { value: null, undefined: lacking, n };
    },
    ...countingLack(scope),
  });
}

/**
 * ratio of two sums of numbers, over all cases = over / (under / scale), or 1 minus it (what was saved, not what was used);
 * a scale of 1000 shows ms as seconds. The recipe sets which way is better. Undefined if the sum below the line is 0 or
 * either has items of a kind of which not one has the number.
 * Example: summaries of 300 CTU, a trace of 1,200: 0.25, its complement 0.75.
 */
export function ratioOfSums(params: FormParams<'ratio'>, zeroDivision: ZeroDivision): UnnamedMeasure {
  const { scale, complement } = params;
  const [over, under] = [sumOfKinds(params.over), sumOfKinds(params.under)];
  const text = (scope: NumberScope): string => `${scope.fields.join(' and ')} of ${scope.text}`;
  return declareMeasure({
    about: `${complement ? '1 - ' : ''}${text(over)} / ${scale === 1 ? text(under) : `(${text(under)} / ${scale})`}`,
    counters: [...over.counters, ...under.counters],
    value(sums) {
      const [above, below] = [over.of(sums), under.of(sums)];
      const n = below.found;
      const lacking = above.lacking ?? below.lacking;
      if (lacking !== null) return { value: null, undefined: lacking, n };
      if (below.sum === 0) return nothingToDivide(`the ${text(under)} add up to 0`, n, zeroDivision);
      const share = above.sum / (below.sum / scale);
      return { value: complement ? 1 - share : share, undefined: null, n };
    },
    ...countingLack(over, under),
  });
}

/**
 * percentile of a number over the items of a case, with a straight line between neighbours (numpy's linear one); of
 * several cases the mean of theirs, each counting the same, so that one busy case does not make the tail alone. `pooled`:
 * of the items of all cases together, each counting the same, whatever case it is of; n is how many have the number, and an
 * interval draws cases with all their numbers, since those of one case are alike. The recipe sets which way is better.
 * Undefined when no item has the number; cases and items without it are left out and counted.
 * Example: p 90 of 10, 20, 30, 40: place 0.9 × 3 = 2.7, so 37. p 50 of the cases [10, 20] and [60]: 37.5, pooled 20.
 */
export function fieldPercentile(params: FormParams<'field-percentile'>): UnnamedMeasure {
  const { p, pooled = false } = params;
  const scope = numberScope(params);
  const what = `${p}th percentile of ${scope.fields.join(' + ')}`;
  const { numbersOf, nothing } = scope;
  const lack = countingLack(scope);
  if (!pooled) {
    const percentileIn = (verdicts: readonly Verdict[]): number | null => {
      const numbers = numbersOf(verdicts).sort((a, b) => a - b);
      return numbers.length === 0 ? null : percentile(numbers, p / 100);
    };
    const about = `mean over cases of the ${what} of ${scope.text}`;
    return meanOverCases(`p${p}:${scope.key}`, percentileIn, { about, nothing, ...lack });
  }
  const key = `all:${scope.key}`;
  return declareMeasure({
    about: `${what} over all ${scope.text}`,
    counters: [{ key, numbersOf }],
    percentile: p / 100,
    byLabel: false,
    ...lack,
    value(sums) {
      const { n, value } = percentileOf(sums.numbers(key), p / 100);
      return value === null ? { value, undefined: nothing, n } : { value, undefined: null, n };
    },
  });
}

/** The number in a field of the predicted item. NaN and infinity are none: the ledger could not hold them. */
export function numberIn(v: Verdict, field: string): number | null {
  const value = v.predicted?.fields[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/**
 * A sum over items of several kinds, how many have a number, and why the sum would be made up: a kind has items and not one
 * number among them; null where it is not.
 */
function sumOfKinds(params: FormParams<'ratio'>['over']) {
  const scope = numberScope(params);
  const { kinds, fields } = scope;
  const ofKind = (kind: string | null) => ({ kind, ...numberScope({ ...params, kind, kinds: undefined }) });
  const parts = kinds.length === 0 ? [ofKind(null)] : kinds.map(ofKind);
  return {
    ...scope,
    counters: parts.flatMap(({ sum, found, items }) => [sum, found, items]),
    of(sums: Sums) {
      const lacking = parts.find(({ found, items }) => total(sums, items) > 0 && total(sums, found) === 0);
      return {
        sum: total(sums, ...parts.map(({ sum }) => sum)),
        found: total(sums, ...parts.map(({ found }) => found)),
        lacking: lacking === undefined ? null : `no ${lacking.kind ?? 'item'} has a number in ${fields.join(' or ')}`,
      };
    },
  };
}

/** How many items lack a number that was asked for: counted beside the value, and said with it. */
function countingLack(...scopes: readonly NumberScope[]): Required<Pick<Measure, 'beside' | 'leftOut'>> {
  return {
    beside: scopes.flatMap(({ whole, items }) => [whole, items]),
    leftOut: (sums) =>
      joinNotes(
        scopes.map(({ text, fields, items, whole }) => {
          const all = total(sums, items);
          const out = all - total(sums, whole);
          return out > 0 ? `${out} of ${all} ${text} without a number in ${fields.join(' or ')}` : null;
        }),
      ),
  };
}
