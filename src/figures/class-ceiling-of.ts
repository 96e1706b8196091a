import type { Plan } from '../recipe/plan.ts';
import type { ClassCeilingCounts } from './class-ceiling-counts.ts';
import { peopleCeiling } from './people-ceiling.ts';
import { plainMeasureName } from './plain-measure-name.ts';
import type { Ceiling } from './run-figures.ts';

/**
 * The system among the experts who gave the classes. Of each expert the share of cases in which they say what more than
 * half of the others say, of the system the share in which it says the same as these others; then the mean over experts.
 * Cases without such a majority, and those whose majority the recipe leaves out, do not count for that expert. Null where
 * no two experts share a case.
 * Example: votes a a b, where the system says a. For the first two the others are divided; the third has a majority a,
 * differs and has 0 of 1; the system has 1 of 1.
 */
export function classCeilingOf(plan: Plan, counts: ClassCeilingCounts): Ceiling | null {
  if (counts.shared === 0) return null;
  return peopleCeiling(plan, {
    measure: plainMeasureName(plan, 'recall', 'class') ?? 'class_accuracy',
    about: about(counts),
    cases: counts.cases,
    people: counts.people,
    comparisons: [...counts.people.keys()],
    entries: counts.entries(),
    nothing: 'nowhere do two experts agree beside a third, so that nobody can be held against a majority of others',
  });
}

function about({ people, cases, severalAnswers }: ClassCeilingCounts): string {
  const languages = severalAnswers
    ? '; a case answered in several languages counts once, each answer for its part'
    : '';
  return (
    `${people.size} experts, over the ${cases} ${cases === 1 ? 'case' : 'cases'} in which more than half of an expert’s ` +
    'colleagues, and at least two, gave one class: each expert’s class against that majority of the others, and the ' +
    `system’s against the same majorities, as shares of equal classes averaged over experts${languages}.`
  );
}
