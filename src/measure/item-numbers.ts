import type { Verdict, VerdictKind } from '../judge/verdict.ts';
import type { Counter, Sums } from './measure.ts';

/** Which predicted items a measure of numbers looks at, and which of their fields. */
export interface NumberScope {
  /** None means every kind. */
  readonly kinds: readonly string[];
  readonly verdict: VerdictKind | null;
  /** Added up where there are several. */
  readonly fields: readonly string[];
  /** Only items whose fields have one of these values, by field. */
  readonly where: Where;
}

export type Where = Readonly<Record<string, readonly string[]>>;

/** What a recipe says of it: one kind, several, or none at all for every kind; one field, or several. */
export interface NumberParams {
  readonly kind: string | null;
  readonly kinds?: readonly string[] | undefined;
  readonly verdict?: VerdictKind | undefined;
  readonly field?: string | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly where?: Where | undefined;
}

export function numberScope({ kind, kinds, verdict, field, fields, where }: NumberParams): NumberScope {
  return {
    kinds: kinds ?? (kind === null ? [] : [kind]),
    verdict: verdict ?? null,
    fields: fields ?? (field === undefined ? [] : [field]),
    where: where ?? {},
  };
}

/** Tells two scopes apart. */
export function scopeKey({ kinds, verdict, fields, where }: NumberScope): string {
  const only = Object.entries(where).map(([field, values]) => `:${field}=${values.join('|')}`);
  return `${kinds.join('+') || '*'}:${verdict ?? '*'}:${fields.join('+')}${only.join('')}`;
}

/** Items that left before pairing, and those of cases that failed, were never part of the question. */
export function inScope({ kinds, verdict, where }: NumberScope, v: Verdict): boolean {
  return (
    v.predicted !== null &&
    !v.setAside &&
    (kinds.length === 0 || kinds.includes(v.kind)) &&
    (verdict === null || v.verdict === verdict) &&
    isWhere(v, where)
  );
}

function isWhere({ predicted }: Verdict, where: Where): boolean {
  for (const field in where) if (!where[field]!.includes(String(predicted?.fields[field]))) return false;
  return true;
}

/** The number in a field of the predicted item. NaN and infinity are none: the ledger could not hold them. */
export function numberIn(v: Verdict, field: string): number | null {
  const value = v.predicted?.fields[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** What the fields of an item add up to; null where it has none of them. */
export function numbersIn(v: Verdict, fields: readonly string[]): number | null {
  let sum: number | null = null;
  for (const field of fields) {
    const value = numberIn(v, field);
    if (value !== null) sum = (sum ?? 0) + value;
  }
  return sum;
}

/** The sum over items of the numbers in some fields, and how many items have them. */
export interface NumberSum {
  readonly sum: Counter;
  /** Items with a number in at least one of the fields. */
  readonly found: Counter;
  /** Items with a number in every one of them. */
  readonly whole: Counter;
  /** All items, with or without. */
  readonly items: Counter;
}

export function numberSum(scope: NumberScope): NumberSum {
  const key = scopeKey(scope);
  const counted = (what: string, add: (v: Verdict) => number): Counter => ({
    key: `${what}:${key}`,
    of: (v) => (inScope(scope, v) ? add(v) : 0),
  });
  return {
    sum: counted('number-sum', (v) => numbersIn(v, scope.fields) ?? 0),
    found: counted('numbers', (v) => (numbersIn(v, scope.fields) === null ? 0 : 1)),
    whole: counted('numbers-whole', (v) => (scope.fields.every((field) => numberIn(v, field) !== null) ? 1 : 0)),
    items: counted('number-items', () => 1),
  };
}

/** How many items lack a number that was asked for, in words; null where none does. */
export function withoutNumber(scope: NumberScope, { whole, items }: NumberSum, sums: Sums): string | null {
  const all = sums.get(items.key);
  const out = all - sums.get(whole.key);
  return out > 0 ? `${out} of ${all} ${itemsText(scope)} without a number in ${scope.fields.join(' or ')}` : null;
}

/** `summary items`, `summary and decision items`, `items`. */
export function itemsText({ kinds, where }: Pick<NumberScope, 'kinds' | 'where'>): string {
  const only = Object.values(where).map((values) => `${values.join(' or ')} `);
  return kinds.length === 0 ? `${only.join('')}items` : `${only.join('')}${kinds.join(' and ')} items`;
}
