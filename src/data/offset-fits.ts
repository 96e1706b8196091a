import { shiftWords, spanFitter } from '../text/span-fit.ts';
import type { OffsetUnit } from '../text/offsets.ts';
import type { Span } from '../text/span.ts';
import type { DataOptions, OffsetConvention } from './data-options.ts';
import { type Side, SIDES } from './item.ts';
import type { Problem, Problems } from './problems.ts';

/** So many spans that do not fit show a fault of counting; one may fit another way by chance. */
const FEWEST = 5;
const SHARE = 0.8;
const MOST_LOOKED_AT = 500;

export type SideFits = Readonly<Record<Side, OffsetFits>>;

export function sideFits(): SideFits {
  return { gold: new OffsetFits(), predicted: new OffsetFits() };
}

/** Once all spans have been looked at. Those that were moved, and predictions that count as spurious, are no fault. */
export function reportFits(fits: SideFits, { badSpan }: DataOptions, problems: Problems): void {
  for (const side of SIDES) {
    const isFault = badSpan === 'error' || (badSpan === 'spurious' && side === 'gold');
    const fault = isFault ? fits[side].problem(side) : null;
    if (fault !== null) problems.add(fault);
  }
}

/** Looks for one way of counting under which the spans of a file would have the texts that they say. */
export class OffsetFits {
  readonly #fits = new Map<string, number>();
  #looked = 0;
  #fitter: ReturnType<typeof spanFitter> | null = null;
  #file = '';
  #unit: OffsetUnit = 'codepoint';

  /** A span whose text is not what stands at its place, in the unit of its file. */
  add(text: string, words: string, place: Span, { unit }: OffsetConvention, file: string): void {
    if (this.#looked >= MOST_LOOKED_AT) return;
    [this.#file, this.#unit] = [file, unit];
    this.#fitter ??= spanFitter(unit);
    this.#looked += 1;
    for (const when of this.#fitter(text, words, place)) this.#fits.set(when, (this.#fits.get(when) ?? 0) + 1);
  }

  /** What explains nearly all of them, with the flag that reads them so; null if nothing does. */
  problem(side: 'gold' | 'predicted'): Problem | null {
    const [best] = [...this.#fits].sort(([, a], [, b]) => b - a);
    if (best === undefined || best[1] < FEWEST || best[1] < SHARE * this.#looked) return null;
    const [when, count] = best;
    const flag = offsetFlag(when, this.#unit);
    return {
      file: this.#file,
      line: null,
      message: `${count} of ${this.#looked} ${side} spans that do not fit would fit if ${when}`,
      next: flag === null ? 'correct the offsets where the spans are made' : `--offsets ${side}=${flag}`,
    };
  }
}

/** What `--offsets` reads places with, if they would fit `when`; null if it cannot. */
export function offsetFlag(when: string, unit: OffsetUnit): string | null {
  const ways: readonly (readonly [when: string, flag: string])[] = [
    [shiftWords(0, 1), `${unit}+inclusive`],
    [shiftWords(-1, -1), `${unit}+one-based`],
    [shiftWords(-1, 0), `${unit}+inclusive+one-based`],
    ['offsets were UTF-16 units', 'utf16'],
    ['offsets were characters (code points)', 'codepoint'],
    ['offsets were UTF-8 bytes', 'byte'],
  ];
  return ways.find(([known]) => known === when)?.[1] ?? null;
}
