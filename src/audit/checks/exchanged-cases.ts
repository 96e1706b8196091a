import { z } from 'zod';

import { compareText } from '../../text/compare.ts';
import type { OpenContext } from '../check.ts';
import { addTo, entryOf, SubjectEvidence } from '../evidence.ts';
import type { Behind, FindingItem } from '../finding.ts';

/** Of fewer cases, all may be exchanged by chance. */
export const FEWEST_CASES = 5;
/** So many standard deviations more than confusions that are independent of each other would exchange. */
export const DEVIATIONS = 4;
/** Labels are exchanged in a case if so many of the things of each are: a system confuses some besides. */
export const NEARLY_ALL = 0.8;
/** Larger numbers of one label in a case say nothing more. */
const MOST = 15;

const savedPair = z.tuple([z.string(), z.string()]);
const savedSubject = z.tuple([z.string(), z.string(), z.string()]);
const savedSizes = z.tuple([z.string(), z.number(), z.number()]);

/** Two things that are one under two labels, or under the same. */
export type LabelPair = Readonly<{ gold: string; predicted: string; item: () => FindingItem }>;
/** How often things of a label in gold are predicted with it, and with the other label. */
type OfLabel = Readonly<{ right: number; other: number }>;

export type ExchangedLabels = Readonly<{
  labels: readonly [string, string];
  /** Cases with both labels and a confusion of them, and those of them in which nearly all are exchanged. */
  cases: number;
  exchanged: number;
  evidence: Required<Behind>;
}>;

/** Finds labels that are exchanged throughout in some cases and right in the others. */
export function exchangedCases(keep: OpenContext['keep']) {
  const none = () => ({ cases: 0, exchanged: 0 });
  /** By kind, both labels, and how many of each a case has. */
  const counts = keep(new Map<string, { cases: number; exchanged: number }>(), none);
  const evidence = keep(new SubjectEvidence());
  return {
    /** A case with a confusion: all that were found, also with the right label. */
    add(kind: string, id: string, confused: readonly LabelPair[], right: ReadonlyMap<string, number>): void {
      const pairs = Map.groupBy(confused, ({ gold, predicted }) => JSON.stringify([gold, predicted].sort()));
      for (const [key, own] of pairs) {
        const [one, other] = savedPair.parse(JSON.parse(key));
        const wrong = new Map<string, number>();
        for (const { gold } of own) addTo(wrong, gold);
        const wrongs = [one, other].map((label) => wrong.get(label) ?? 0);
        const sizes = [one, other].map((label, at) => wrongs[at]! + (right.get(label) ?? 0));
        if (sizes.includes(0)) continue;
        const subject = JSON.stringify([kind, one, other]);
        const entry = entryOf(counts, JSON.stringify([subject, ...sizes.map((n) => Math.min(n, MOST))]), none);
        entry.cases += 1;
        if (wrongs.some((n, at) => n < leastExchanged(sizes[at]!))) continue;
        entry.exchanged += 1;
        for (const { item } of own) evidence.add(subject, id, item);
      }
    },
    /** `ratesOf`: of the things with the first label and with the second, over all cases. */
    find(kind: string, ratesOf: (one: string, other: string) => readonly [OfLabel, OfLabel]): ExchangedLabels[] {
      const bySubject = Map.groupBy(
        [...counts].map(([key, entry]) => {
          const [subject, ...sizes] = savedSizes.parse(JSON.parse(key));
          return { subject, sizes, ...entry };
        }),
        ({ subject }) => subject,
      );
      return [...bySubject]
        .sort(([a], [b]) => compareText(a, b))
        .flatMap(([subject, rows]) => {
          const [ofKind, first, second] = savedSubject.parse(JSON.parse(subject));
          if (ofKind !== kind) return [];
          const rates = ratesOf(first, second).map(({ right, other }) => other / (right + other));
          let [cases, exchanged, expected, variance] = [0, 0, 0, 0];
          for (const row of rows) {
            const chance = exchangedByChance(rates, row.sizes);
            cases += row.cases;
            exchanged += row.exchanged;
            expected += row.cases * chance;
            variance += row.cases * chance * (1 - chance);
          }
          if (exchanged < FEWEST_CASES || exchanged < expected + DEVIATIONS * Math.sqrt(variance)) return [];
          return [{ labels: [first, second], cases, exchanged, evidence: evidence.of([subject]) }];
        });
    },
  };
}

function leastExchanged(size: number): number {
  return Math.ceil(NEARLY_ALL * size);
}

/**
 * The chance that nearly all things of two labels in a case are exchanged if at least one is and each is for itself:
 * P(a, m) · P(b, n) / (1 − (1 − a)^m · (1 − b)^n) for rates a and b, m and n things, and P of a binomial's upper end.
 *
 * Example: rates of 0.5 and one of each: 0.25 / 0.75 = 1/3.
 */
export function exchangedByChance([a = 0, b = 0]: readonly number[], [m = 0, n = 0]: readonly number[]): number {
  const any = 1 - (1 - a) ** m * (1 - b) ** n;
  return any > 0 ? (nearlyAll(a, m) * nearlyAll(b, n)) / any : 0;
}

/** Σ over k, from 80 % of n on, of C(n, k) · rate^k · (1 − rate)^(n − k). */
function nearlyAll(rate: number, n: number): number {
  let [total, ways] = [0, 1];
  for (let k = n; k >= leastExchanged(n); k -= 1) {
    total += ways * rate ** k * (1 - rate) ** (n - k);
    ways = (ways * k) / (n - k + 1);
  }
  return total;
}
