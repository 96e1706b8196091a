import { UsageError } from '../data/problems.ts';
import { visible } from '../data/visible.ts';
import type { ReviewSection } from '../recipe/review-section.ts';
import type { PersonInit } from './people.ts';

const ANYBODY = 'reviewer';
const MOST = 100;

/**
 * Places for reviewers who are not named yet. `3` are reviewer-1 to reviewer-3, who are asked everything; `expert:3` are
 * expert-1 to expert-3 of that group; `form` are as many of each group as the form wants.
 */
export function unnamedPlaces(form: ReviewSection, given: string): PersonInit[] {
  const groups = Object.entries(form.people).filter(([, { raters }]) => raters > 0);
  if (given.trim() === 'form') {
    if (groups.length === 0)
      throw new UsageError(
        'the form has no groups, and does not say how many reviewers it wants',
        'say so: --reviewers 3',
      );
    return groups.flatMap(([group, { raters }]) => places(group, [group], raters));
  }
  const [, group, number] = /^\s*(?:([^:]+):)?\s*(\d{1,3})\s*$/.exec(given) ?? [];
  const count = Number(number);
  if (number === undefined || count < 1 || count > MOST)
    throw new UsageError(
      `--reviewers ${visible(given)}: expected a number up to ${MOST}, GROUP:NUMBER or form`,
      'for example --reviewers 3, or --reviewers expert:3 --reviewers annotator:2',
    );
  return group === undefined ? places(ANYBODY, [], count) : places(group.trim(), [group.trim()], count);
}

function places(name: string, groups: readonly string[], count: number): PersonInit[] {
  return Array.from({ length: count }, (_, at) => ({ name: `${name}-${at + 1}`, role: 'reviewer', groups }));
}

/** Whether a name is that of a place, so that whoever takes it may get their own. */
export function isUnnamed(form: ReviewSection, name: string): boolean {
  const [, group] = /^(.+)-\d+$/.exec(name) ?? [];
  return group !== undefined && (group === ANYBODY || Object.hasOwn(form.people, group));
}
