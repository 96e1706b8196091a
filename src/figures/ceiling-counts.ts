import { makeVariantScorer } from '../compare/variants/score-variants.ts';
import type { Case } from '../data/case.ts';
import { type Foldable, FoldState } from '../data/fold-state.ts';
import type { ItemKind } from '../data/item.ts';
import type { Verdict } from '../judge/verdict.ts';
import type { Plan } from '../recipe/plan.ts';
import type { ScoredCase, ScoreSink } from '../score/score.ts';
import { everyTwo } from '../stats/aligned-lists.ts';
import { compareNatural, compareText } from '../text/compare.ts';
import { addCounts, countsOf, countVerdict, creditOf, type F1Counts, noCounts, sizeOf } from './f1-counts.ts';
import { type CeilingEntry, peopleCeiling, plainMeasureName, preparedCase, resampledUnit } from './people-ceiling.ts';
import type { AlonePerson, Ceiling } from './run-figures.ts';

type ByKind = Map<ItemKind, F1Counts>;

/**
 * The system with the gold of this person alone, beside what the recipe makes of the same cases. `scored`: cases that the
 * recipe scored as they are; with `annotator: each` there are none.
 */
type Person = { cases: number; scored: number; readonly alone: ByKind; readonly own: ByKind };

/** What a case adds: each person against each other, everybody's gold alone, and what the recipe makes of the case. */
interface ComparedCase {
  readonly unit: string;
  readonly pairs: readonly Readonly<{ person: string; against: string; sums: Map<ItemKind, CeilingEntry['sums']> }>[];
  readonly people: readonly Readonly<{ name: string; alone: ByKind }>[];
  readonly own: readonly ByKind[];
}

/** Items that are compared at most: beyond that the first cases have to do. */
const MOST_ITEMS = 400_000;

/**
 * Sets the system among the people who made the gold: scores these against each other, case by case, with the recipe’s
 * own rules. Everybody’s items are prepared as gold is, also where they stand for predictions: label maps and thresholds
 * for a system’s output are not meant for them. A person without an item in a case is taken not to have annotated it.
 *
 * People are scored and not aligned, as they are for agreement or review: an alignment finds which marks are one thing, the
 * same for all lists at once, while the system’s figure comes from thresholds, credit and excuses that go from predictions
 * to gold. Only a person who is scored the same way can be held against it.
 */
export class CeilingWatch implements Foldable {
  readonly #plan: Plan;
  readonly #score: (given: Case) => readonly Verdict[];
  readonly #kinds: readonly ItemKind[];
  readonly #state = new FoldState();
  /**
   * Cases that two people or more annotated, with the items to compare, up to and with the first that is one too many;
   * those after it are counted. Which one that is depends on the cases before.
   */
  readonly #cases = this.#state.keep<Readonly<{ items: number; compared: ComparedCase | null }>[]>([]);
  readonly #rest = this.#state.keep({ cases: 0 });
  #items = 0;

  readonly sink: ScoreSink = {
    // Plain spans are nobody's.
    scored: (one) => (one.spans === undefined ? this.add(one.given, one.variants) : undefined),
  };

  constructor(plan: Plan) {
    this.#plan = plan;
    const schemes = plan.schemes.slice(0, 1);
    const score = makeVariantScorer([{ ...plan, prepare: [], schemes, judgeAttributes: (verdicts) => verdicts }]);
    this.#score = (given) => score(given)[0]?.[0]?.verdicts ?? [];
    this.#kinds = [...(schemes[0]?.pair.keys() ?? [])];
  }

  save(): unknown {
    return this.#state.save();
  }

  merge(saved: unknown): void {
    this.#state.merge(saved);
  }

  /** A case as it was read, and what the recipe itself makes of it. A failed one has no predictions to compare. */
  add(given: Case, variants: ScoredCase['variants']): void {
    if (given.gold.every(({ annotator }) => annotator === null)) return;
    const named = new Set(given.gold.flatMap(({ annotator }) => annotator ?? []));
    const names = [...named].sort(compareText);
    if (given.failed !== null || names.length < 2) return;
    if (this.#items > MOST_ITEMS) {
      this.#rest.cases += 1;
      return;
    }
    // Everybody is gold for everybody else and for the system.
    const items = 2 * (names.length - 1) * given.gold.length + names.length * given.predicted.length;
    this.#items += items;
    this.#cases.push({ items, compared: this.#items > MOST_ITEMS ? null : this.#compared(given, names, variants) });
  }

  #compared(given: Case, names: readonly string[], variants: ScoredCase['variants']): ComparedCase {
    const people = names.map((name) => ({
      name,
      alone: preparedCase(this.#plan, { ...ofPerson(given, name), predicted: [] }),
      system: countAll(this.#score(preparedCase(this.#plan, ofPerson(given, name)))),
    }));
    const ordered = everyTwo(people.length).flatMap(([a, b]) => [[a, b] as const, [b, a] as const]);
    return {
      unit: resampledUnit(this.#plan, given, given.id),
      pairs: ordered.map(([one, other]) => {
        const [person, against] = [people[one]!, people[other]!];
        const human = countAll(this.#score({ ...against.alone, predicted: person.alone.gold }));
        const sumsOf = (kind: ItemKind) => [...inF1(human.get(kind)), ...inF1(against.system.get(kind))] as const;
        const sums = new Map(this.#kinds.map((kind) => [kind, sumsOf(kind)]));
        return { person: person.name, against: against.name, sums };
      }),
      people: people.map(({ name, system }) => ({ name, alone: system })),
      own: variants.filter((one) => one.case.id === given.id).map(({ verdicts }) => countAll(verdicts)),
    };
  }

  /**
   * Once all cases are scored, for each kind of item: the system among the people who made the gold. Of each ordered pair
   * of people, one’s items are scored against the other’s, and the system against the same gold over the same cases: F1
   * of counts pooled over these cases, then the mean over pairs. Empty where nobody shares a case with another.
   * Example: A against B 0.8 and B against A 0.8, the system against B 0.7 and against A 0.5: people 0.8, system 0.6.
   */
  list(): Ceiling[] {
    const all = this.#cases.length + this.#rest.cases;
    if (all === 0) return [];
    const compared = this.#firstCases();
    const cases = compared.length;
    const people = peopleOf(compared);
    const some = cases === all ? '' : `, the first of ${all}, since comparing all would take too long`;
    const about =
      `${people.size} people, over the ${cases} ${cases === 1 ? 'case' : 'cases'} that two or more of them annotated${some}: ` +
      'each person’s items against each other person’s gold, and the system against the same gold, by the rules of the ' +
      'recipe; F1 is pooled over cases and then averaged over ordered pairs of people.';
    return this.#kinds.map((kind) => {
      const ceiling = peopleCeiling(this.#plan, {
        measure: plainMeasureName(this.#plan, 'f1', kind) ?? 'f1',
        about,
        cases,
        people: new Map([...people].map(([name, own]) => [name, own.cases])),
        entries: compared.flatMap(({ unit, pairs }) =>
          pairs.map(({ person, against, sums }) => ({ unit, person, against, sums: sums.get(kind)! })),
        ),
        nothing:
          cases === 0
            ? 'the first case that several people annotated has too many items to compare everybody with everybody'
            : 'neither gold nor a prediction counts in what two people annotated',
      });
      const alone = cases === all ? aloneOf(people, kind) : null;
      return alone === null ? ceiling : { ...ceiling, alone };
    });
  }

  /** As many as have no more items together than may be compared. */
  #firstCases(): ComparedCase[] {
    let items = 0;
    const first: ComparedCase[] = [];
    for (const { items: own, compared } of this.#cases) {
      items += own;
      if (items > MOST_ITEMS || compared === null) break;
      first.push(compared);
    }
    return first;
  }
}

function peopleOf(compared: readonly ComparedCase[]): Map<string, Person> {
  const found = new Map<string, Person>();
  for (const { people, own } of compared)
    for (const { name, alone } of people) {
      const known = found.get(name) ?? { cases: 0, scored: 0, alone: new Map(), own: new Map() };
      found.set(name, known);
      known.cases += 1;
      known.scored += own.length;
      addAll(known.alone, alone);
      for (const counts of own) addAll(known.own, counts);
    }
  return found;
}

/** The system with each person's gold alone, by name; null where the recipe scored other cases than these. */
function aloneOf(people: ReadonlyMap<string, Person>, kind: ItemKind): AlonePerson[] | null {
  const named = [...people].sort(([a], [b]) => compareNatural(a, b));
  if (named.some(([, { cases, scored }]) => scored !== cases)) return null;
  return named.map(([name, { cases, alone, own }]) => {
    return { name, cases, value: f1As(alone.get(kind)), own: f1As(own.get(kind)) };
  });
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
function inF1(counts: F1Counts = noCounts()): [part: number, whole: number] {
  return [2 * creditOf(counts), sizeOf(counts)];
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
