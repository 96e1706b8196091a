import type { Case } from '../data/case.ts';
import { type Item, type ItemKind, type PairedKind } from '../data/item.ts';
import { fieldValue } from '../measure/field-value.ts';
import type { Plan } from '../recipe/plan.ts';
import type { Verdict } from '../judge/verdict.ts';
import { compareText } from '../text/compare.ts';
import { makeVariantScorer } from '../compare/variants/score-variants.ts';
import { AloneCounts } from './alone-counts.ts';
import { countVerdict, creditOf, type F1Counts, noCounts, sizeOf } from './f1-counts.ts';
import type { CeilingEntry, SharePart } from './people-ceiling.ts';
import type { AlonePerson } from './run-figures.ts';

export interface PeoplePair {
  /** Whose items stand for predictions, and whose are gold. */
  readonly as: string;
  readonly gold: string;
}

/** Items that are compared at most: beyond that the first cases have to do. */
const MOST_ITEMS = 400_000;

/**
 * Scores the people who made the gold against each other, case by case, with the recipe’s own rules. Everybody’s items are
 * prepared as gold is, also where they stand for predictions: label maps and thresholds for a system’s output are not
 * meant for them. A person without an item in a case is taken not to have annotated it.
 */
export class CeilingCounts {
  readonly #plan: Plan;
  readonly #score: (given: Case) => readonly Verdict[];
  readonly #pairs = new Map<string, PeoplePair>();
  readonly #places = new Map<string, number>();
  readonly #people = new Map<string, number>();
  readonly #entries: ReadonlyMap<ItemKind, CeilingEntry[]>;
  readonly #alone = new AloneCounts();
  #items = 0;
  #cases = 0;
  #skipped = 0;

  constructor(plan: Plan, kinds: Iterable<PairedKind>) {
    this.#plan = plan;
    const bare: Plan = {
      ...plan,
      prepare: [],
      schemes: plan.schemes.slice(0, 1),
      judgeAttributes: (verdicts) => verdicts,
    };
    const score = makeVariantScorer([bare]);
    this.#score = (given) => score(given)[0]?.[0]?.verdicts ?? [];
    this.#entries = new Map(Array.from(kinds, (kind) => [kind, []]));
  }

  get cases(): number {
    return this.#cases;
  }

  /** Cases that two people or more annotated and that were one too many to compare. */
  get skipped(): number {
    return this.#skipped;
  }

  /** By name, whoever came first. */
  get pairs(): readonly PeoplePair[] {
    return [...this.#pairs.values()].sort(comparePairs);
  }

  /** How many of the cases each person annotated. */
  get people(): ReadonlyMap<string, number> {
    return this.#people;
  }

  /** A comparison for each of the pairs, in their order. */
  entries(kind: ItemKind): CeilingEntry[] {
    const met = [...this.#pairs.values()];
    const placeOf = new Map(this.pairs.map((pair, at) => [pair, at]));
    return (this.#entries.get(kind) ?? []).map((entry) => ({
      ...entry,
      comparison: placeOf.get(met[entry.comparison]!)!,
    }));
  }

  /** The system with each person's gold alone; null where nothing was scored by the recipe with all of it. */
  alone(kind: ItemKind): AlonePerson[] | null {
    return this.#alone.list(kind);
  }

  /** What the recipe itself makes of the case that was added last. */
  scored(given: Case, verdicts: readonly Verdict[]): void {
    if (this.#alone.isAt(given.id)) this.#alone.own(countsOf(verdicts));
  }

  /** A case as it was read. A failed one has no predictions to compare. */
  add(given: Case): void {
    this.#alone.next();
    if (given.failed !== null) return;
    const names = annotators(given.gold);
    if (names.length < 2) return;
    // Everybody is gold for everybody else and for the system.
    this.#items += 2 * (names.length - 1) * given.gold.length + names.length * given.predicted.length;
    if (this.#skipped > 0 || this.#items > MOST_ITEMS) {
      this.#skipped += 1;
      return;
    }
    this.#cases += 1;
    for (const name of names) this.#people.set(name, (this.#people.get(name) ?? 0) + 1);
    const { interval } = this.#plan;
    const unit = (interval?.cluster == null ? null : fieldValue(given, interval.cluster)) ?? given.id;
    const prepared = new Map(names.map((name) => [name, this.#prepared({ ...ofPerson(given, name), predicted: [] })]));
    for (const gold of names) {
      const system = countsOf(this.#score(this.#prepared(ofPerson(given, gold))));
      this.#alone.add(given.id, gold, system);
      for (const as of names) {
        if (as === gold) continue;
        const own = prepared.get(gold)!;
        const human = countsOf(this.#score({ ...own, predicted: prepared.get(as)!.gold }));
        const comparison = this.#pairOf(as, gold);
        for (const [kind, entries] of this.#entries)
          entries.push({ unit, comparison, human: inF1(human.get(kind)), system: inF1(system.get(kind)) });
      }
    }
  }

  #pairOf(as: string, gold: string): number {
    const key = JSON.stringify([as, gold]);
    let place = this.#places.get(key);
    if (place === undefined) {
      this.#places.set(key, (place = this.#places.size));
      this.#pairs.set(key, { as, gold });
    }
    return place;
  }

  /** Rules that make several cases of one do so by annotator, of which there are none left. */
  #prepared(given: Case): Case {
    let made = given;
    for (const { step } of this.#plan.prepare) {
      const next = step(made);
      made = 'id' in next ? next : (next[0] ?? made);
    }
    return made;
  }
}

function countsOf(verdicts: readonly Verdict[]): ReadonlyMap<ItemKind, F1Counts> {
  const counts = new Map<ItemKind, F1Counts>();
  for (const verdict of verdicts) {
    let own = counts.get(verdict.kind);
    if (own === undefined) counts.set(verdict.kind, (own = noCounts()));
    countVerdict(own, verdict);
  }
  return counts;
}

/** F1 is twice what hits are worth, of gold and predictions together. */
function inF1(counts: F1Counts = noCounts()): SharePart {
  return { part: 2 * creditOf(counts), whole: sizeOf(counts) };
}

function comparePairs(a: PeoplePair, b: PeoplePair): number {
  return compareText(a.as, b.as) || compareText(a.gold, b.gold);
}

function annotators(items: readonly Item[]): string[] {
  const names = new Set<string>();
  for (const { annotator } of items) if (annotator !== null) names.add(annotator);
  return [...names].sort(compareText);
}

/** One person’s gold, and what is everybody’s; as gold without a name, so that no rule chooses among people. */
function ofPerson(given: Case, name: string): Case {
  const own = given.gold.filter(({ annotator }) => annotator === null || annotator === name);
  return { ...given, gold: own.map((item) => ({ ...item, annotator: null })), setAside: [] };
}
