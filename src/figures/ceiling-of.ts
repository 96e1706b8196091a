import type { ItemKind } from '../data/item.ts';
import type { Plan } from '../recipe/plan.ts';
import type { CeilingCounts } from './ceiling-counts.ts';
import { peopleCeiling } from './people-ceiling.ts';
import { plainMeasureName } from './plain-measure-name.ts';
import type { Ceiling } from './run-figures.ts';

/**
 * The system among the people who made the gold. Of each ordered pair of people, one’s items are scored against the
 * other’s, and the system against the same gold over the same cases: F1 of counts pooled over these cases, then the mean
 * over pairs. Null where nobody shares a case with another.
 * Example: A against B 0.8 and B against A 0.8, the system against B 0.7 and against A 0.5: people 0.8, system 0.6.
 */
export function ceilingOf(plan: Plan, kind: ItemKind, counts: CeilingCounts): Ceiling | null {
  if (counts.cases + counts.skipped === 0) return null;
  const alone = counts.alone(kind);
  const ceiling = peopleCeiling(plan, {
    measure: plainMeasureName(plan, 'f1', kind) ?? 'f1',
    about: about(counts),
    cases: counts.cases,
    people: counts.people,
    comparisons: counts.pairs.map(({ as }) => as),
    entries: counts.entries(kind),
    nothing:
      counts.cases === 0
        ? 'the first case that several people annotated has too many items to compare everybody with everybody'
        : 'neither gold nor a prediction counts in what two people annotated',
  });
  return alone === null || counts.skipped > 0 ? ceiling : { ...ceiling, alone };
}

function about({ people, cases, skipped }: CeilingCounts): string {
  const all = cases + skipped;
  const some = skipped === 0 ? '' : `, the first of ${all}, since comparing all would take too long`;
  return (
    `${people.size} people, over the ${cases} ${cases === 1 ? 'case' : 'cases'} that two or more of them annotated${some}: ` +
    'each person’s items against each other person’s gold, and the system against the same gold, by the rules of the ' +
    'recipe; F1 is pooled over cases and then averaged over ordered pairs of people.'
  );
}
