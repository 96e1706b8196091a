import type { Verdict } from '../judge/verdict.ts';
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

type NumberScope = Readonly<ReturnType<typeof numberScope>>;

/**
 * Which predicted items a measure of numbers looks at, from what a recipe says: those of one kind, of several, or of every
 * kind (none); and which of their fields, which are added up where there are several.
 */
export function numberScope(params: FormParams<'ratio'>['over']) {
  const { kind, verdict = null, field, where = {} } = params;
  const { kinds = kind === null ? [] : [kind], fields = field === undefined ? [] : [field] } = params;
  return { kinds, verdict, fields, where };
}

/**
 * How many predicted items there are, whatever became of them, or how many have a value of a field; the recipe says which
 * way is better. Never undefined: none is 0, and that is a count, not a score.
 * Example: 40 flushes at a boundary cue and 3 at the end: 43, of reason end_of_trace 3.
 */
export function itemCount(params: FormParams<'item-count'>): UnnamedMeasure {
  const { field, values = [] } = params;
  const scope = numberScope({ ...params, field: undefined });
  const having = field === undefined ? '' : ` with ${field} ${values.join(' or ')}`;
  const suits = (v: Verdict): boolean => field === undefined || values.includes(String(v.predicted?.fields[field]));
  const counter = counted(`items${having}`, scope, (v) => (suits(v) ? v.weight : 0));
  return declareCount(counter, { about: `number of ${itemsText(scope)}${having}` });
}

/**
 * mean of a number over items = sum of the field / items that have it; the recipe says which way is better. Of several
 * cases it is the mean over all their items, each counting the same. Items without the number are left out and counted.
 * Undefined when no item has it. Example: latencies 900, 1100 and none: 1000, n 2.
 */
export function fieldMean(params: FormParams<'field-mean'>): UnnamedMeasure {
  const scope = numberScope(params);
  const { sum, found } = numberSum(scope);
  return declareQuotient({
    about: `mean ${scope.fields.join(' + ')} of ${itemsText(scope)}`,
    proportion: false,
    over: [sum],
    under: [found],
    nothing: noNumber(scope),
    ...countingLack([scope]),
  });
}

/**
 * share of items whose number is at least (or at most) a bound = items that keep to it / items that have the number; the
 * recipe says which way is better. Items without the number are left out and counted. Undefined when no item has it.
 * Example: similarities 0.8, 0.85 and 0.9, at least 0.85: 2 / 3.
 */
export function fieldShare(params: FormParams<'field-share'>, zeroDivision: ZeroDivision): UnnamedMeasure {
  const scope = numberScope(params);
  const within = counted(`numbers ${boundText(params)}`, scope, (v) => {
    const value = numbersIn(v, scope.fields);
    return value !== null && keepsTo(params, value) ? 1 : 0;
  });
  return declareQuotient({
    about: `${itemsText(scope)} with ${scope.fields.join(' + ')} ${boundText(params)} / those that have it`,
    over: [within],
    under: [numberSum(scope).found],
    nothing: noNumber(scope),
    zeroDivision,
    ...countingLack([scope]),
  });
}

/**
 * total of a number, or of several, over items = sum of the fields; the recipe says which way is better. 0 where there
 * are no items: that is a count. Undefined where there are items of a kind and not one of them has the number, since a 0
 * would then be made up. Example: prompts of 400 and 500 with answers of 20 and 30 CTU: 950.
 */
export function fieldTotal(params: FormParams<'field-total'>): UnnamedMeasure {
  const scope = numberScope(params);
  const kinds = sumOfKinds(scope);
  return declareMeasure({
    about: `sum of ${scope.fields.join(' and ')} over ${itemsText(scope)}`,
    counters: kinds.counters,
    value(sums) {
      const { sum, found, lacking } = kinds.of(sums);
      if (lacking !== null) return { value: null, undefined: lacking, n: found };
      return { value: sum, undefined: null, n: found };
    },
    ...countingLack([scope]),
  });
}

/**
 * ratio of two sums of numbers, over all cases = over / (under / scale), or 1 minus it (what was saved, not what was used);
 * a scale of 1000 shows ms as seconds. The recipe says which way is better. Undefined when the sum below the line is 0, or
 * either has items of a kind of which not one has the number.
 * Example: summaries of 300 CTU, a trace of 1,200: 0.25, its complement 0.75.
 */
export function ratioOfSums(params: FormParams<'ratio'>, zeroDivision: ZeroDivision): UnnamedMeasure {
  const { scale, complement } = params;
  const [over, under] = [numberScope(params.over), numberScope(params.under)];
  const [top, bottom] = [sumOfKinds(over), sumOfKinds(under)];
  const text = (scope: NumberScope): string => `${scope.fields.join(' and ')} of ${itemsText(scope)}`;
  return declareMeasure({
    about: `${complement ? '1 - ' : ''}${text(over)} / ${scale === 1 ? text(under) : `(${text(under)} / ${scale})`}`,
    counters: [...top.counters, ...bottom.counters],
    value(sums) {
      const [above, below] = [top.of(sums), bottom.of(sums)];
      const n = below.found;
      const lacking = above.lacking ?? below.lacking;
      if (lacking !== null) return { value: null, undefined: lacking, n };
      if (below.sum === 0) return nothingToDivide(`the ${text(under)} add up to 0`, n, zeroDivision);
      const share = above.sum / (below.sum / scale);
      return { value: complement ? 1 - share : share, undefined: null, n };
    },
    ...countingLack([over, under]),
  });
}

/** The number in a field of the predicted item. NaN and infinity are none: the ledger could not hold them. */
export function numberIn(v: Verdict, field: string): number | null {
  const value = v.predicted?.fields[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** What the fields of an item add up to; null where it has none of them. */
function numbersIn(v: Verdict, fields: readonly string[]): number | null {
  let sum: number | null = null;
  for (const field of fields) {
    const value = numberIn(v, field);
    if (value !== null) sum = (sum ?? 0) + value;
  }
  return sum;
}

/** The numbers of the items in a scope, of those that have one. */
export function scopedNumbers(scope: NumberScope, verdicts: readonly Verdict[]): number[] {
  return verdicts.flatMap((v) => (inScope(scope, v) ? (numbersIn(v, scope.fields) ?? []) : []));
}

/** Tells two scopes apart. */
export function scopeKey({ kinds, verdict, fields, where }: NumberScope): string {
  const only = Object.entries(where).map(([field, values]) => `:${field}=${values.join('|')}`);
  return `${kinds.join('+') || '*'}:${verdict ?? '*'}:${fields.join('+')}${only.join('')}`;
}

/** Items that left before pairing, and those of cases that failed, were never part of the question. */
function inScope({ kinds, verdict, where }: NumberScope, v: Verdict): boolean {
  if (v.predicted === null || v.setAside) return false;
  if ((kinds.length > 0 && !kinds.includes(v.kind)) || (verdict !== null && v.verdict !== verdict)) return false;
  for (const field in where) if (!where[field]!.includes(String(v.predicted.fields[field]))) return false;
  return true;
}

function counted(what: string, scope: NumberScope, add: (v: Verdict) => number): Counter {
  return { key: `${what}:${scopeKey(scope)}`, of: (v) => (inScope(scope, v) ? add(v) : 0) };
}

/** The sum over items of the numbers in some fields, how many items have at least one of them, and all items. */
function numberSum(scope: NumberScope): Readonly<Record<'sum' | 'found' | 'items', Counter>> {
  return {
    sum: counted('number-sum', scope, (v) => numbersIn(v, scope.fields) ?? 0),
    found: counted('numbers', scope, (v) => (numbersIn(v, scope.fields) === null ? 0 : 1)),
    items: counted('number-items', scope, () => 1),
  };
}

/**
 * A sum over items of several kinds, how many have a number, and why the sum would be made up: a kind has items and not one
 * number among them; null where it is not.
 */
function sumOfKinds(scope: NumberScope) {
  const kinds = scope.kinds.length === 0 ? [[]] : scope.kinds.map((kind) => [kind]);
  const parts = kinds.map((own) => ({ kind: own[0] ?? 'item', ...numberSum({ ...scope, kinds: own }) }));
  return {
    counters: parts.flatMap(({ sum, found, items }) => [sum, found, items]),
    of(sums: Sums) {
      const lacking = parts.find(({ found, items }) => total(sums, items) > 0 && total(sums, found) === 0);
      return {
        sum: total(sums, ...parts.map(({ sum }) => sum)),
        found: total(sums, ...parts.map(({ found }) => found)),
        lacking: lacking === undefined ? null : `no ${lacking.kind} has a number in ${scope.fields.join(' or ')}`,
      };
    },
  };
}

/** How many items lack a number that was asked for: counted beside the value, and said with it. */
export function countingLack(scopes: readonly NumberScope[]): Required<Pick<Measure, 'beside' | 'leftOut'>> {
  const sides = scopes.map((scope) => ({
    scope,
    items: numberSum(scope).items,
    whole: counted('numbers-whole', scope, (v) => (scope.fields.every((field) => numberIn(v, field) !== null) ? 1 : 0)),
  }));
  return {
    beside: sides.flatMap(({ whole, items }) => [whole, items]),
    leftOut: (sums) =>
      joinNotes(
        sides.map(({ scope, items, whole }) => {
          const all = total(sums, items);
          const out = all - total(sums, whole);
          const fields = scope.fields.join(' or ');
          return out > 0 ? `${out} of ${all} ${itemsText(scope)} without a number in ${fields}` : null;
        }),
      ),
  };
}

export function noNumber(scope: NumberScope): string {
  return `there are no ${itemsText(scope)} with a number in ${scope.fields.join(' + ')}`;
}

/** `summary items`, `summary and decision items`, `items`. */
export function itemsText({ kinds, where }: Pick<NumberScope, 'kinds' | 'where'>): string {
  const only = Object.values(where).map((values) => `${values.join(' or ')} `);
  return kinds.length === 0 ? `${only.join('')}items` : `${only.join('')}${kinds.join(' and ')} items`;
}
