import type { ColumnSums, UnitColumn } from '../measure/unit-sums.ts';
import { MersenneTwister } from './mersenne-twister.ts';
import type { ResampleSettings } from './resample-settings.ts';

/** Told now and then how much of the work is done; may wait, so that an interrupt is heard. */
export type Breathe = (share: number) => Promise<void> | void;

/** How often that is. */
export const BREATHS = 200;
/** Draws that are added up in one pass. */
const TOGETHER = 4;

/**
 * Draws as many units as there are, with replacement, again and again, and hands on the sums of each draw. The draw is
 * made once and shared by all columns: what is counted is how often it holds each unit. `sums` is used again.
 */
export async function eachResample(
  units: number,
  columns: readonly UnitColumn[],
  settings: ResampleSettings,
  visit: (sums: ColumnSums) => void,
  breathe?: Breathe,
): Promise<void> {
  const random = new MersenneTwister(settings.seed);
  const draw = (times: Float64Array): void => {
    times.fill(0);
    random.resample(times, units);
  };
  await eachDraw(units, columns, settings.resamples, draw, visit, breathe);
}

/**
 * The sums of the columns with each unit taken as many times as `draw` says, again and again. `sums` is used again; so is
 * `times`, which may hold what any earlier draw wrote: a draw writes all units that it ever writes.
 */
export async function eachDraw(
  units: number,
  columns: readonly UnitColumn[],
  draws: number,
  draw: (times: Float64Array, at: number) => void,
  visit: (sums: ColumnSums) => void,
  breathe: Breathe = () => undefined,
): Promise<void> {
  const times = Array.from({ length: TOGETHER }, () => new Float64Array(units));
  // With thousands of labels most columns are of no interest, and empty.
  const places = Int32Array.from(columns.keys()).filter((column) => columns[column]!.units.length > 0);
  const filled = Array.from(places, (column) => columns[column]!);
  const together = Array.from({ length: TOGETHER }, () => new Float64Array(filled.length));
  const sums = new Float64Array(columns.length);
  const breath = Math.ceil(draws / BREATHS);
  for (let at = 0; at < draws; at += 1) {
    const place = at % TOGETHER;
    if (place === 0) {
      const last = Math.min(TOGETHER, draws - at);
      for (let next = 0; next < last; next += 1) draw(times[next]!, at + next);
      addUp(filled, times, together);
    }
    for (let column = 0; column < places.length; column += 1) sums[places[column]!] = together[place]![column]!;
    visit(sums);
    if (at % breath === breath - 1) await breathe((at + 1) / draws);
  }
}

/** The weighted sums of each column for four draws in one pass: four sums that do not wait for each other. */
function addUp(columns: readonly UnitColumn[], times: readonly Float64Array[], sums: readonly Float64Array[]): void {
  const [t0, t1, t2, t3] = [times[0]!, times[1]!, times[2]!, times[3]!];
  for (let column = 0; column < columns.length; column += 1) {
    const { units, values } = columns[column]!;
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let at = 0; at < units.length; at += 1) {
      const unit = units[at]!;
      const value = values[at]!;
      a += t0[unit]! * value;
      b += t1[unit]! * value;
      c += t2[unit]! * value;
      d += t3[unit]! * value;
    }
    sums[0]![column] = a;
    sums[1]![column] = b;
    sums[2]![column] = c;
    sums[3]![column] = d;
  }
}
