import { z } from 'zod';

import { type Case, makeCase } from '../data/case.ts';
import { FoldState } from '../data/fold-state.ts';
import { type Item, makeItem, type Side } from '../data/item.ts';
import { expertClasses } from '../formats/consult/consult-reviews.ts';
import type { Plan } from '../recipe/plan.ts';
import { majorityVote } from '../stats/agreement/majority-vote.ts';
import { compareText } from '../text/compare.ts';
import { peopleCeiling, plainMeasureName, preparedCase, resampledUnit } from './people-ceiling.ts';
import type { Ceiling } from './run-figures.ts';

/** What the others say of a case, and whether this expert agrees. */
type Majority = Readonly<{ expert: string; name: string; agrees: boolean }>;

/**
 * `votes`: the classes by expert, as the first record of the case has them; JSON, since texts of parts are not joined.
 * `answers`: in how many languages the system answered, and how often with which class.
 */
type VotedCase = { readonly unit: string; readonly votes: string; answers: number; readonly said: Map<string, number> };

const voteList = z.array(z.tuple([z.string(), z.string()]));

/** A class as the recipe reads it, and whether it is an answer at all: "unknown" leaves the case out. */
type ReadClass = Readonly<{ name: string; counts: boolean }>;

/**
 * Holds the class that each expert gave against the class that more than half of the other experts gave, at least two of
 * them, and the system’s class against the same. A case counts once, in however many languages it was answered.
 */
export function classCeilingCounts(plan: Plan) {
  const classes = new Map<string, ReadClass>();
  const state = new FoldState();
  const cases = state.keep(new Map<string, VotedCase>());

  /** What the rules that prepare gold make of a class, so that all spellings of it are one. */
  const readClass = (label: string): ReadClass => {
    const known = classes.get(label);
    if (known !== undefined) return known;
    const alone = makeItem({ kind: 'class', index: 0, label, text: label, fields: { by: 'experts' } });
    const made = preparedCase(plan, makeCase({ id: '', text: '', gold: [alone], answered: false }));
    const counts = made.gold.some(({ kind }) => kind === 'class');
    const read = { name: classOn(made, 'gold')?.label ?? label, counts };
    classes.set(label, read);
    return read;
  };
  const majoritiesOf = (votes: readonly (readonly [expert: string, label: string])[]): (Majority | null)[] => {
    const read = votes.map(([expert, label]) => ({ expert, ...readClass(label) }));
    const others = read.map((own) => read.filter((one) => one !== own).map(({ name }) => name));
    return majorityVote(others).items.map(({ label }, at) => {
      const { expert, name } = read[at]!;
      const isCounted = typeof label === 'string' && read.some((one) => one.name === label && one.counts);
      return isCounted ? { expert, name: label, agrees: name === label } : null;
    });
  };
  /** The votes with their majorities, and everybody who voted with the number of cases in which the others have one. */
  const countMajorities = () => {
    const people = new Map<string, number>();
    let isShared = false;
    const counted = cases.values().map(({ votes, ...rest }) => {
      const list = voteList.parse(JSON.parse(votes));
      isShared ||= list.length > 1;
      const majorities = majoritiesOf(list);
      for (const [at, [expert]] of list.entries())
        people.set(expert, (people.get(expert) ?? 0) + Number(majorities[at] !== null));
      return { ...rest, majorities: majorities.filter((one) => one !== null) };
    });
    const voted = [...counted].filter(({ majorities }) => majorities.length > 0);
    return { people, isShared, voted };
  };
  return {
    save: () => state.save(),
    merge: (saved: unknown) => state.merge(saved),
    /** A case as it is scored, once its items are prepared. A failed one has no class to compare. */
    add(prepared: Case): void {
      const gold = prepared.failed === null ? classOn(prepared, 'gold') : null;
      const votes = gold === null ? null : expertClasses(gold);
      if (votes === null || votes.size === 0) return;
      const id = prepared.from ?? prepared.id;
      let known = cases.get(id);
      if (known === undefined) {
        const unit = resampledUnit(plan, prepared, id);
        const sorted = [...votes].sort(([a], [b]) => compareText(a, b));
        cases.set(id, (known = { unit, votes: JSON.stringify(sorted), answers: 0, said: new Map() }));
      }
      known.answers += 1;
      const said = classOn(prepared, 'predicted')?.label ?? null;
      if (said !== null) known.said.set(said, (known.said.get(said) ?? 0) + 1);
    },
    /**
     * The system among the experts who gave the classes. Of each expert the share of cases in which they say what more than
     * half of the others say, of the system the share in which it agrees with these others; then the mean over experts.
     * Cases without such a majority, and those whose majority the recipe leaves out, do not count for that expert. Null where
     * no two experts share a case.
     * Example: votes a a b, and the system: a. For the first two the others are divided; the third has a majority a,
     * differs and has 0 of 1; the system has 1 of 1.
     */
    ceiling(): Ceiling | null {
      const { people, isShared, voted } = countMajorities();
      if (!isShared) return null;
      const languages = voted.some(({ answers }) => answers > 1)
        ? '; a case answered in several languages counts once, each answer for its part'
        : '';
      return peopleCeiling(plan, {
        measure: plainMeasureName(plan, 'recall', 'class') ?? 'class_accuracy',
        about:
          `${people.size} experts, over the ${voted.length} ${voted.length === 1 ? 'case' : 'cases'} in which more than half of an expert’s ` +
          'colleagues, and at least two, gave one class: each expert’s class against that majority of the others, and the ' +
          `system’s against the same majorities, as shares of equal classes averaged over experts${languages}.`,
        cases: voted.length,
        people,
        entries: voted.flatMap(({ unit, majorities, answers, said }) =>
          majorities.map(({ expert, name, agrees }) => {
            const system = (said.get(name) ?? 0) / answers;
            return { unit, person: expert, against: '', sums: [Number(agrees), 1, system, 1] as const };
          }),
        ),
        nothing: 'nowhere do two experts agree beside a third, so that nobody can be held against a majority of others',
      });
    },
  };
}

/** The class on one side, also where a rule has taken it out, as both sides are of a case that experts dispute. */
function classOn({ gold, predicted, setAside }: Case, side: Side): Item | null {
  const kept = (side === 'gold' ? gold : predicted).find(({ kind }) => kind === 'class');
  return kept ?? setAside.find((one) => one.side === side && one.item.kind === 'class')?.item ?? null;
}
