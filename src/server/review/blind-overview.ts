import { compareNatural } from '../../text/compare.ts';
import type { Overview } from '../../review/api.ts';
import { overviewOf } from '../../review/overview.ts';
import type { ReviewSnapshot } from '../../review/snapshot.ts';
import { reviewerNumbers } from '../../review/reviewer-numbers.ts';

/** An overview for those who may be reviewers themselves: without names, and without what anybody answered. */
export function blindOverview(snapshot: ReviewSnapshot): Overview {
  const overview = overviewOf(snapshot);
  const numbers = reviewerNumbers(snapshot.people);
  // The overview has people in the order of the snapshot.
  const people = snapshot.people.flatMap(({ id }, at) => {
    const [name, progress] = [numbers.get(id), overview.people[at]];
    return name === undefined || progress === undefined ? [] : [{ ...progress, name, groups: [], lastAt: null }];
  });
  return { ...overview, people: people.toSorted((a, b) => compareNatural(a.name, b.name)), divided: [] };
}
