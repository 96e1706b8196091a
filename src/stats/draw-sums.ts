import type { DrawnSums, UnitColumn } from '../measure/unit-sums.ts';
import { type Breathe, type Draw, tellProgress, type DrawTimes, timesDraw } from './resample.ts';
import { LARGEST_WHOLE, startKernel, TOGETHER } from './draw-kernel.ts';

/** Draws that are handed on together: so many, unless their units or their sums are many. */
const MOST_DRAWS = 512;
const MOST_UNITS = 2 ** 19;
const MOST_SUMS = 2 ** 18;
/** A column with an entry in fewer than one in so many units is added up entry by entry. */
const SPARSE = 32;
/** Whole numbers in all rows together. */
const MOST_NUMBERS = 2 ** 25;

/**
 * The sums of the columns with each unit taken as many times as `draw` sets, again and again; a draw is shared by all
 * columns, and its times add up to no more than the units. With a seed, each draw takes as many units as there are, with
 * replacement (`timesDraw`). `visit` is given the sums of `count` draws at a time. These are used again, and so are the
 * times, which may hold what any earlier draw wrote: a draw writes all units that it ever writes.
 */
export async function eachDraw(
  units: number,
  columns: readonly UnitColumn[],
  draws: number,
  draw: Draw<DrawTimes> | { readonly seed: number },
  visit: (drawn: DrawnSums, count: number) => void,
  breathe?: Breathe,
): Promise<void> {
  const { filled, places } = distinct(columns);
  const fitting = Math.min(MOST_DRAWS, MOST_UNITS / units, MOST_SUMS / filled.length, draws);
  const block = TOGETHER * Math.max(1, Math.ceil(fitting / TOGETHER));
  const sums = new Float64Array(filled.length * block);
  const drawn: DrawnSums = { sums, starts: places.map((place) => (place < 0 ? -1 : place * block)), at: 0 };
  const { rows, terms, others } = rowsOf(filled, units);
  const kernel = units > LARGEST_WHOLE ? null : startKernel(units, rows, block);
  const times: readonly DrawTimes[] = kernel?.times ?? Array.from({ length: TOGETHER }, () => new Float64Array(units));
  const drawInto = (typeof draw === 'function' ? undefined : kernel?.resample(draw.seed)) ?? plainDraw();
  const tell = tellProgress(draws, breathe);
  for (let done = 0; done < draws;) {
    const count = Math.min(block, draws - done);
    for (let at = 0; at < count; at += TOGETHER) {
      for (let next = 0; next < TOGETHER && at + next < count; next += 1) drawInto(next, done + at + next);
      for (const column of kernel === null ? filled.keys() : others)
        addUp(filled[column]!, times, sums, column * block + at);
      kernel?.add(at);
    }
    if (kernel !== null) for (const term of terms) addTerm(term, kernel.sums, sums, block);
    visit(drawn, count);
    done += count;
    await tell(done);
  }

  function plainDraw(): (next: number, at: number) => void {
    const own = typeof draw === 'function' ? draw : timesDraw(units, draw.seed);
    return (next, at) => own(times[next]!, at);
  }
}

/**
 * The columns that have to be added up, and which of them each column is equal to; -1 for an empty one. With thousands of
 * labels most are empty, and measures over the same cases count them alike.
 */
function distinct(columns: readonly UnitColumn[]): { readonly filled: UnitColumn[]; readonly places: Int32Array } {
  const filled: UnitColumn[] = [];
  const known = new Map<string, number[]>();
  const places = Int32Array.from(columns, (column) => {
    const { units, values } = column;
    const n = units.length;
    if (n === 0) return -1;
    const key = [n, units[0], units[n - 1], values[0], values[n >> 1], values[n - 1]].join();
    const alike = known.get(key) ?? [];
    const place = alike.find((at) => isEqual(filled[at]!.units, units) && isEqual(filled[at]!.values, values));
    if (place !== undefined) return place;
    known.set(key, [...alike, filled.length]);
    return filled.push(column) - 1;
  });
  return { filled, places };
}

/** To the bit. */
function isEqual(one: NodeJS.TypedArray, other: NodeJS.TypedArray): boolean {
  return bytesOf(one).equals(bytesOf(other));
}

function bytesOf({ buffer, byteOffset, byteLength }: NodeJS.TypedArray): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A row's sum, `scale` times, is the sum of a column, or part of it. */
interface Term {
  readonly column: number;
  readonly row: number;
  readonly scale: number;
  readonly isFirst: boolean;
}

/** The columns as rows of whole numbers, and the others. */
function rowsOf(columns: readonly UnitColumn[], units: number) {
  const rows: Int16Array[] = [];
  const terms: Term[] = [];
  const others: number[] = [];
  const known = new Map<string, number>();
  for (const [column, own] of columns.entries()) {
    const parts = units * rows.length < MOST_NUMBERS ? wholeParts(own, units) : null;
    if (parts === null) others.push(column);
    for (const [at, { row, scale }] of (parts ?? []).entries()) {
      const key = bytesOf(row).toString('latin1');
      const place = known.get(key) ?? rows.push(row) - 1;
      known.set(key, place);
      terms.push({ column, row: place, scale, isFirst: at === 0 });
    }
  }
  return { rows, terms, others };
}

function addTerm({ column, row, scale, isFirst }: Term, rowSums: Int32Array, sums: Float64Array, block: number): void {
  const [to, from] = [column * block, row * block];
  if (isFirst) sums.fill(0, to, to + block);
  for (let draw = 0; draw < block; draw += 1) sums[to + draw]! += scale * rowSums[from + draw]!;
}

/**
 * A column as rows of small whole numbers, a number a unit: their sums, each times its scale, add up to the column's. Its
 * common divisor is such a scale, so that credit in millionths is the same row as the hits. null where it is to be added
 * up entry by entry: fractions, sums beyond 2⁵³, few entries, or units beyond what a row may have.
 */
function wholeParts(
  { units: entries, values }: UnitColumn,
  units: number,
): { readonly row: Int16Array; readonly scale: number }[] | null {
  if (units > LARGEST_WHOLE || entries.length * SPARSE < units) return null;
  let [divisor, most] = [0, 0];
  for (let at = 0; at < values.length; at += 1) {
    const value = Math.abs(values[at]!);
    if (value !== Math.floor(value)) return null;
    if (value > most) most = value;
    if (divisor !== 1) divisor = greatestDivisor(divisor, value);
  }
  if (!(most * units <= Number.MAX_SAFE_INTEGER)) return null;
  const parts: { readonly row: Int16Array; readonly scale: number }[] = [];
  const base = LARGEST_WHOLE + 1;
  let scale = Math.max(1, divisor);
  const rest = values.map((value) => value / scale);
  for (; ; scale *= base) {
    const isLast = most <= scale * LARGEST_WHOLE;
    const row = new Int16Array(units);
    for (let at = 0; at < rest.length; at += 1) {
      const higher = isLast ? 0 : Math.floor(rest[at]! / base);
      row[entries[at]!] = rest[at]! - higher * base;
      rest[at] = higher;
    }
    parts.push({ row, scale });
    if (isLast) return parts;
  }
}

function greatestDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestDivisor(other, one % other);
}

/** The weighted sums of a column for four draws in one pass: four sums that do not wait for each other. */
function addUp({ units, values }: UnitColumn, times: readonly DrawTimes[], sums: Float64Array, start: number): void {
  const [t0, t1, t2, t3] = [times[0]!, times[1]!, times[2]!, times[3]!];
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at]!;
    const value = values[at]!;
    a += t0[unit]! * value;
    b += t1[unit]! * value;
    c += t2[unit]! * value;
    d += t3[unit]! * value;
  }
  sums[start] = a;
  sums[start + 1] = b;
  sums[start + 2] = c;
  sums[start + 3] = d;
}
