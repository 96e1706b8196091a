import { type Case, makeCase } from '../data/case.ts';
import { type Item, makeItem, type Side } from '../data/item.ts';
import { expertClasses } from '../formats/consult/expert-classes.ts';
import type { Plan } from '../recipe/plan.ts';
import { listed } from '../score/score-case.ts';
import { majorityVote } from '../stats/agreement/majority-vote.ts';
import { compareText } from '../text/compare.ts';
import { peopleCeiling, plainMeasureName, resampledUnit } from './people-ceiling.ts';
import type { Ceiling } from './run-figures.ts';

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
  /** Classes as the recipe reads them, and whether each is an answer at all: "unknown" leaves the case out. */
  readonly #classes = new Map<string, { readonly name: string; readonly counts: boolean }>();
  readonly #cases = new Map<string, VotedCase>();
  /** Everybody who gave a class, with the number of cases in which the others have a majority. */
  readonly #people = new Map<string, number>();
  /** Cases of which two experts or more gave the class. */
  #shared = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  /** A case as it is scored, once its items are prepared. A failed one has no class to compare. */
  add(prepared: Case): void {
    const gold = prepared.failed === null ? classOn(prepared, 'gold') : null;
    const votes = gold === null ? new Map<string, string>() : expertClasses(gold);
    if (votes.size === 0) return;
    const id = prepared.from ?? prepared.id;
    let known = this.#cases.get(id);
    if (known === undefined) {
      const unit = resampledUnit(this.#plan, prepared, id);
      this.#cases.set(id, (known = { unit, majorities: this.#majorities(votes), answers: 0 }));
      if (votes.size > 1) this.#shared += 1;
    }
    known.answers += 1;
    const said = classOn(prepared, 'predicted')?.label ?? null;
    for (const majority of known.majorities) if (majority.name === said) majority.system += 1;
  }

  /**
   * The system among the experts who gave the classes. Of each expert the share of cases in which they say what more than
   * half of the others say, of the system the share in which it says the same as these others; then the mean over experts.
   * Cases without such a majority, and those whose majority the recipe leaves out, do not count for that expert. Null where
   * no two experts share a case.
   * Example: votes a a b, where the system says a. For the first two the others are divided; the third has a majority a,
   * differs and has 0 of 1; the system has 1 of 1.
   */
  ceiling(): Ceiling | null {
    if (this.#shared === 0) return null;
    const voted = [...this.#cases.values()].filter(({ majorities }) => majorities.length > 0);
    const people = new Map([...this.#people].sort(([a], [b]) => compareText(a, b)));
    const experts = [...people.keys()];
    const languages = voted.some(({ answers }) => answers > 1)
      ? '; a case answered in several languages counts once, each answer for its part'
      : '';
    return peopleCeiling(this.#plan, {
      measure: plainMeasureName(this.#plan, 'recall', 'class') ?? 'class_accuracy',
      about:
        `${people.size} experts, over the ${voted.length} ${voted.length === 1 ? 'case' : 'cases'} in which more than half of an expert’s ` +
        'colleagues, and at least two, gave one class: each expert’s class against that majority of the others, and the ' +
        `system’s against the same majorities, as shares of equal classes averaged over experts${languages}.`,
      cases: voted.length,
      people,
      comparisons: experts,
      entries: voted.flatMap(({ unit, majorities, answers }) =>
        majorities.map(({ expert, agrees, system }) => ({
          unit,
          comparison: experts.indexOf(expert),
          human: { part: Number(agrees), whole: 1 },
          system: { part: system / answers, whole: 1 },
        })),
      ),
      nothing: 'nowhere do two experts agree beside a third, so that nobody can be held against a majority of others',
    });
  }

  #majorities(votes: ReadonlyMap<string, string>): Majority[] {
    const read = [...votes]
      .sort(([a], [b]) => compareText(a, b))
      .map(([expert, label]) => ({ expert, ...this.#read(label) }));
    const others = read.map((own) => read.filter((one) => one !== own).map(({ name }) => name));
    return majorityVote(others).items.flatMap(({ label }, at): Majority[] => {
      const { expert, name } = read[at]!;
      const isCounted = typeof label === 'string' && read.some((one) => one.name === label && one.counts);
      this.#people.set(expert, (this.#people.get(expert) ?? 0) + Number(isCounted));
      return isCounted ? [{ expert, name: label, agrees: name === label, system: 0 }] : [];
    });
  }

  /** What the rules that prepare gold make of a class, so that all spellings of it are one. */
  #read(label: string): { readonly name: string; readonly counts: boolean } {
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
