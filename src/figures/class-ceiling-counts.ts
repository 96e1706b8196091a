import { type Case, makeCase } from '../data/case.ts';
import { type Item, makeItem, type Side } from '../data/item.ts';
import { fieldValue } from '../measure/field-value.ts';
import type { Plan } from '../recipe/plan.ts';
import { majorityVote } from '../stats/agreement/majority-vote.ts';
import { expertClasses } from '../formats/consult/expert-classes.ts';
import { compareText } from '../text/compare.ts';
import { listed } from '../score/score-case.ts';
import type { CeilingEntry } from './people-ceiling.ts';

/** A class as the recipe reads it, and whether it is an answer at all: "unknown" leaves the case out. */
interface ReadClass {
  readonly name: string;
  readonly counts: boolean;
}

/** What the others say of a case, and whether this expert says the same. */
interface Majority {
  readonly expert: string;
  readonly name: string;
  readonly agrees: boolean;
  /** The system’s answers that say the same. */
  system: number;
}

interface VotedCase {
  readonly unit: string;
  readonly majorities: readonly Majority[];
  /** In how many languages the system answered. */
  answers: number;
}

/**
 * Holds the class that each expert gave against the class that more than half of the other experts gave, at least two of
 * them, and the system’s class against the same. A case counts once, in however many languages it was answered.
 */
export class ClassCeilingCounts {
  readonly #plan: Plan;
  readonly #classes = new Map<string, ReadClass>();
  readonly #cases = new Map<string, VotedCase>();
  readonly #people = new Map<string, number>();
  #shared = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** Cases of which two experts or more gave the class. */
  get shared(): number {
    return this.#shared;
  }

  /** Those of them in which some expert has a majority of others to be held against. */
  get cases(): number {
    return this.#voted().length;
  }

  /** Everybody who gave a class, with the number of cases in which the others have a majority. */
  get people(): ReadonlyMap<string, number> {
    return new Map([...this.#people].sort(([a], [b]) => compareText(a, b)));
  }

  get severalAnswers(): boolean {
    return this.#voted().some(({ answers }) => answers > 1);
  }

  /** A comparison for each of the people, in their order. */
  entries(): CeilingEntry[] {
    const placeOf = new Map([...this.people.keys()].map((name, at) => [name, at]));
    return this.#voted().flatMap(({ unit, majorities, answers }) =>
      majorities.map(({ expert, agrees, system }) => ({
        unit,
        comparison: placeOf.get(expert)!,
        human: { part: Number(agrees), whole: 1 },
        system: { part: system / answers, whole: 1 },
      })),
    );
  }

  /** A case as it is scored, once its items are prepared. A failed one has no class to compare. */
  add(prepared: Case): void {
    if (prepared.failed !== null) return;
    const gold = classOn(prepared, 'gold');
    const votes = gold === null ? new Map<string, string>() : expertClasses(gold);
    if (votes.size === 0) return;
    const id = prepared.from ?? prepared.id;
    let known = this.#cases.get(id);
    if (known === undefined) {
      const { interval } = this.#plan;
      const unit = (interval?.cluster == null ? null : fieldValue(prepared, interval.cluster)) ?? id;
      this.#cases.set(id, (known = { unit, majorities: this.#majorities(votes), answers: 0 }));
      if (votes.size > 1) this.#shared += 1;
    }
    known.answers += 1;
    const said = classOn(prepared, 'predicted')?.label ?? null;
    for (const majority of known.majorities) if (majority.name === said) majority.system += 1;
  }

  #voted(): VotedCase[] {
    return [...this.#cases.values()].filter(({ majorities }) => majorities.length > 0);
  }

  #majorities(votes: ReadonlyMap<string, string>): Majority[] {
    const read = [...votes]
      .sort(([a], [b]) => compareText(a, b))
      .map(([expert, label]) => ({ expert, ...this.#read(label) }));
    const others = read.map((_, own) => read.filter((_one, at) => at !== own).map(({ name }) => name));
    const counts = new Map(read.map(({ name, counts: does }) => [name, does]));
    return majorityVote(others).items.flatMap(({ label }, at): Majority[] => {
      const { expert, name } = read[at]!;
      const isCounted = typeof label === 'string' && counts.get(label) === true;
      this.#people.set(expert, (this.#people.get(expert) ?? 0) + Number(isCounted));
      return isCounted ? [{ expert, name: label, agrees: name === label, system: 0 }] : [];
    });
  }

  /** What the rules that prepare gold make of a class, so that all spellings of it are one. */
  #read(label: string): ReadClass {
    const known = this.#classes.get(label);
    if (known !== undefined) return known;
    const alone = makeItem({ kind: 'class', index: 0, label, text: label, fields: { by: 'experts' } });
    let made = makeCase({ id: '', text: '', gold: [alone], answered: false });
    for (const { step } of this.#plan.prepare) made = listed(step(made))[0] ?? made;
    const counts = made.gold.some(({ kind }) => kind === 'class');
    const read = { name: classOn(made, 'gold')?.label ?? label, counts };
    this.#classes.set(label, read);
    return read;
  }
}

/** The class on one side, also where a rule has taken it out, as both sides are of a case that experts dispute. */
function classOn({ gold, predicted, setAside }: Case, side: Side): Item | null {
  const kept = (side === 'gold' ? gold : predicted).find(({ kind }) => kind === 'class');
  return kept ?? setAside.find((one) => one.side === side && one.item.kind === 'class')?.item ?? null;
}
