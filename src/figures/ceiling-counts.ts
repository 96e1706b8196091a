import { makeVariantScorer } from '../compare/variants/score-variants.ts';
import type { Case } from '../data/case.ts';
import type { ItemKind, PairedKind } from '../data/item.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Plan } from '../recipe/plan.ts';
import type { ScoreSink } from '../score/score.ts';
import { compareNatural, compareText } from '../text/compare.ts';
import { addCounts, countsOf, countVerdict, creditOf, type F1Counts, noCounts, sizeOf } from './f1-counts.ts';
import { type CeilingEntry, peopleCeiling, plainMeasureName, resampledUnit, type SharePart } from './people-ceiling.ts';
import type { AlonePerson, Ceiling } from './run-figures.ts';

type ByKind = Map<ItemKind, F1Counts>;

/** Of a pair, whose items stand for predictions, and whose are gold. */
interface PeoplePair {
  readonly as: string;
  readonly gold: string;
}

/** The system with the gold of this person alone, beside what the recipe makes of the same cases. */
class Person {
  cases = 0;
  /** Cases that the recipe scored as they are: with `annotator: each` there are none. */
  scored = 0;
  readonly alone: ByKind = new Map();
  readonly own: ByKind = new Map();
}

/** Items that are compared at most: beyond that the first cases have to do. */
const MOST_ITEMS = 400_000;

/** Sets the system among the people who made the gold while cases are scored. */
export class CeilingWatch {
  readonly sink: ScoreSink;
  readonly #counts: CeilingCounts;
  readonly #kinds: readonly PairedKind[];

  constructor(plan: Plan) {
    this.#kinds = [...(plan.schemes[0]?.pair.keys() ?? [])];
    this.#counts = new CeilingCounts(plan, this.#kinds);
    this.sink = {
      scored: ({ given, variants }) => {
        this.#counts.add(given);
        for (const { case: scored, verdicts } of variants) this.#counts.scored(scored, verdicts);
      },
    };
  }

  /** Once all cases are scored: one for each kind of item that several people annotated. */
  list(): Ceiling[] {
    return this.#kinds.flatMap((kind) => this.#counts.ceiling(kind) ?? []);
  }
}

/**
 * Scores the people who made the gold against each other, case by case, with the recipe’s own rules. Everybody’s items are
 * prepared as gold is, also where they stand for predictions: label maps and thresholds for a system’s output are not
 * meant for them. A person without an item in a case is taken not to have annotated it.
 */
export class CeilingCounts {
  readonly #plan: Plan;
  readonly #score: (given: Case) => readonly Verdict[];
  readonly #pairs = new Map<string, PeoplePair & { readonly place: number }>();
  readonly #people = new Map<string, Person>();
  readonly #entries: ReadonlyMap<ItemKind, CeilingEntry[]>;
  /** The people of the case that was added last, if it is one of several people. */
  #last: { readonly id: string; readonly people: readonly Person[] } | null = null;
  #items = 0;
  #cases = 0;
  /** Cases that two people or more annotated and that were one too many to compare. */
  #skipped = 0;

  constructor(plan: Plan, kinds: Iterable<PairedKind>) {
    this.#plan = plan;
    const schemes = plan.schemes.slice(0, 1);
    const score = makeVariantScorer([{ ...plan, prepare: [], schemes, judgeAttributes: (verdicts) => verdicts }]);
    this.#score = (given) => score(given)[0]?.[0]?.verdicts ?? [];
    this.#entries = new Map(Array.from(kinds, (kind) => [kind, []]));
  }

  /** A case as it was read. A failed one has no predictions to compare. */
  add(given: Case): void {
    this.#last = null;
    const named = new Set(given.gold.flatMap(({ annotator }) => annotator ?? []));
    const names = [...named].sort(compareText);
    if (given.failed !== null || names.length < 2) return;
    // Everybody is gold for everybody else and for the system.
    this.#items += 2 * (names.length - 1) * given.gold.length + names.length * given.predicted.length;
    if (this.#skipped > 0 || this.#items > MOST_ITEMS) {
      this.#skipped += 1;
      return;
    }
    this.#cases += 1;
    const unit = resampledUnit(this.#plan, given, given.id);
    const prepared = new Map(names.map((name) => [name, this.#prepared({ ...ofPerson(given, name), predicted: [] })]));
    const people = names.map((gold) => {
      const system = countAll(this.#score(this.#prepared(ofPerson(given, gold))));
      for (const as of names) {
        if (as === gold) continue;
        const human = countAll(this.#score({ ...prepared.get(gold)!, predicted: prepared.get(as)!.gold }));
        const comparison = this.#placeOf(as, gold);
        for (const [kind, entries] of this.#entries)
          entries.push({ unit, comparison, human: inF1(human.get(kind)), system: inF1(system.get(kind)) });
      }
      const person = this.#people.get(gold) ?? new Person();
      this.#people.set(gold, person);
      person.cases += 1;
      addAll(person.alone, system);
      return person;
    });
    this.#last = { id: given.id, people };
  }

  /** What the recipe itself makes of the case that was added last. */
  scored(given: Case, verdicts: readonly Verdict[]): void {
    if (this.#last?.id !== given.id) return;
    const counts = countAll(verdicts);
    for (const person of this.#last.people) {
      person.scored += 1;
      addAll(person.own, counts);
    }
  }

  /**
   * The system among the people who made the gold. Of each ordered pair of people, one’s items are scored against the
   * other’s, and the system against the same gold over the same cases: F1 of counts pooled over these cases, then the mean
   * over pairs. Null where nobody shares a case with another.
   * Example: A against B 0.8 and B against A 0.8, the system against B 0.7 and against A 0.5: people 0.8, system 0.6.
   */
  ceiling(kind: ItemKind): Ceiling | null {
    if (this.#cases + this.#skipped === 0) return null;
    // By name, whoever came first.
    const pairs = [...this.#pairs.values()].sort((a, b) => compareText(a.as, b.as) || compareText(a.gold, b.gold));
    const placeOf = new Map(pairs.map(({ place }, at) => [place, at]));
    const entries = this.#entries.get(kind) ?? [];
    const ceiling = peopleCeiling(this.#plan, {
      measure: plainMeasureName(this.#plan, 'f1', kind) ?? 'f1',
      about: this.#about(),
      cases: this.#cases,
      people: new Map([...this.#people].map(([name, { cases }]) => [name, cases])),
      comparisons: pairs.map(({ as }) => as),
      entries: entries.map((entry) => ({ ...entry, comparison: placeOf.get(entry.comparison)! })),
      nothing:
        this.#cases === 0
          ? 'the first case that several people annotated has too many items to compare everybody with everybody'
          : 'neither gold nor a prediction counts in what two people annotated',
    });
    const alone = this.#alone(kind);
    return alone === null || this.#skipped > 0 ? ceiling : { ...ceiling, alone };
  }

  /** The system with each person's gold alone, by name; null where the recipe scored other cases than these. */
  #alone(kind: ItemKind): AlonePerson[] | null {
    const people = [...this.#people].sort(([a], [b]) => compareNatural(a, b));
    if (people.some(([, { cases, scored }]) => scored !== cases)) return null;
    return people.map(([name, { cases, alone, own }]) => {
      return { name, cases, value: f1As(alone.get(kind)), own: f1As(own.get(kind)) };
    });
  }

  #about(): string {
    const all = this.#cases + this.#skipped;
    const some = this.#skipped === 0 ? '' : `, the first of ${all}, since comparing all would take too long`;
    return (
      `${this.#people.size} people, over the ${this.#cases} ${this.#cases === 1 ? 'case' : 'cases'} that two or more of them annotated${some}: ` +
      'each person’s items against each other person’s gold, and the system against the same gold, by the rules of the ' +
      'recipe; F1 is pooled over cases and then averaged over ordered pairs of people.'
    );
  }

  #placeOf(as: string, gold: string): number {
    const key = JSON.stringify([as, gold]);
    const pair = this.#pairs.get(key) ?? { as, gold, place: this.#pairs.size };
    this.#pairs.set(key, pair);
    return pair.place;
  }

  /** Rules that make several cases of one do so by annotator, of which there are none left. */
  #prepared(given: Case): Case {
    return this.#plan.prepare.reduce((made, { step }) => {
      const next = step(made);
      return 'id' in next ? next : (next[0] ?? made);
    }, given);
  }
}

function countAll(verdicts: readonly Verdict[]): ByKind {
  const counts: ByKind = new Map();
  for (const verdict of verdicts) countVerdict(countsOf(counts, verdict.kind), verdict);
  return counts;
}

function addAll(sums: ByKind, counts: ByKind): void {
  for (const [kind, one] of counts) addCounts(countsOf(sums, kind), one);
}

/** F1 is twice what hits are worth, of gold and predictions together. */
function inF1(counts: F1Counts = noCounts()): SharePart {
  return { part: 2 * creditOf(counts), whole: sizeOf(counts) };
}

/** From precision and recall as the measure does it: the last digit decides how a value is rounded. */
function f1As(counts: F1Counts = noCounts()): number | null {
  const { hit, missed, spurious } = counts;
  if (hit + missed + spurious === 0) return null;
  const worth = creditOf(counts);
  if (worth === 0) return 0;
  const [precision, recall] = [worth / (hit + spurious), worth / (hit + missed)];
  return (2 * (precision * recall)) / (precision + recall);
}

/** One person’s gold, and what is everybody’s; as gold without a name, so that no rule chooses among people. */
function ofPerson(given: Case, name: string): Case {
  const own = given.gold.filter(({ annotator }) => annotator === null || annotator === name);
  return { ...given, gold: own.map((item) => ({ ...item, annotator: null })), setAside: [] };
}
