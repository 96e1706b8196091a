/** What is added up under a key. */
export interface Summed {
  readonly key: string;
  /** How many of what it adds up make one; 1 unless given. */
  readonly scale?: number;
}

/** The sums of many draws at once, as `Sums` has them of one: a list for each key, with a number for each draw. */
export interface DrawnColumns {
  get(key: string): Float64Array;
  /** A list of zeros to write values into, until another measure is worked out. */
  list(): Float64Array;
  /** By label, with how often it occurs in each draw. */
  labels(): readonly { readonly occurs: Float64Array; readonly sums: DrawnColumns }[];
}

/** The values of draws; NaN if undefined, or if a mean over labels is one of fewer labels than `fewest`. */
export type DrawnValues = (sums: DrawnColumns, fewest: number) => Float64Array;

/** By the function that gives a measure its value. */
const DRAWN = new WeakMap<object, DrawnValues>();

/**
 * A measure's value, and how its values of many draws are worked out together, to the last bit what `value` gives one by
 * one: an interval needs 10,000 of each. It belongs to the function, so a measure with another value does not have it.
 */
export function withDrawnValues<Value extends object>(value: Value, drawn: DrawnValues): Value {
  DRAWN.set(value, drawn);
  return value;
}

/** undefined if values can only be worked out one by one. */
export function drawnValuesOf({ value }: { readonly value: object }): DrawnValues | undefined {
  return DRAWN.get(value);
}

/** What some counters came to, together, in each draw; not to be written into. */
export function drawnTotal(sums: DrawnColumns, counters: readonly Summed[]): Float64Array {
  const [first] = counters;
  if (counters.length === 1 && (first!.scale ?? 1) === 1) return sums.get(first!.key);
  const totals = sums.list();
  for (const { key, scale = 1 } of counters) addColumn(totals, sums.get(key), scale);
  return totals;
}

/** over / under. */
export function drawnQuotient(
  over: readonly Summed[],
  under: readonly Summed[],
  zeroDivision: number | null,
): DrawnValues {
  return (sums) => divided(drawnTotal(sums, over), drawnTotal(sums, under), zeroDivision ?? NaN, sums.list());
}

/** The mean over the labels that a draw has. */
export function drawnMacro(of: DrawnValues): DrawnValues {
  return (sums, fewest) => {
    const [values, counts] = [sums.list(), sums.list()];
    for (const { occurs, sums: own } of sums.labels()) addDefined(values, counts, occurs, of(own, 0));
    return divided(values, counts, NaN, values, fewest);
  };
}

function addColumn(totals: Float64Array, column: Float64Array, scale: number): void {
  for (let at = 0; at < totals.length; at += 1) totals[at]! += column[at]! / scale;
}

/** What is below the line has to be above 0, and at least `least`. */
function divided(
  above: Float64Array,
  below: Float64Array,
  otherwise: number,
  into: Float64Array,
  least = 0,
): Float64Array {
  for (let at = 0; at < into.length; at += 1)
    into[at] = below[at]! > 0 && below[at]! >= least ? above[at]! / below[at]! : otherwise;
  return into;
}

function addDefined(values: Float64Array, counts: Float64Array, occurs: Float64Array, own: Float64Array): void {
  for (let at = 0; at < values.length; at += 1) {
    if (occurs[at] === 0 || Number.isNaN(own[at])) continue;
    values[at]! += own[at]!;
    counts[at]! += 1;
  }
}
