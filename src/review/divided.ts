import type { ReviewField, ReviewSection } from '../recipe/review-section.ts';
import type { CellValue } from '../store/review-records.ts';
import type { Overview } from './api.ts';
import { alignedLists, isUnanimous } from './claims.ts';
import { type ReviewedItem, reviewedItems } from './committed-work.ts';
import { titleOf } from './item-content.ts';
import { partsOf } from './questions.ts';
import type { ReviewSnapshot } from './snapshot.ts';
import { ratingsOf } from './vote.ts';

export type Divided = Overview['divided'][number];

/**
 * The questions on which the committed answers to an item lie furthest apart, first; those on which all say the same are
 * left out. `apart` is 0 where all say the same and 1 where they are as far apart as the question allows:
 * on a scale (highest − lowest) / (to − from); of a choice or a tick, 1 − the share of the most frequent answer, over what
 * that would be if the answers were spread as evenly as can be; of things, the share of those that not all see and label
 * the same. A decision changes nothing about it: it settles the question, not that people were of two minds.
 * Examples: 2 and 5 on 1 to 5: 0.75. Of three, [a, a, b] of eight classes: (1/3) / (2/3) = 0.5; [yes, yes, no]: 1.
 */
export function dividedItems(snapshot: ReviewSnapshot, most = 20): Divided[] {
  const { form } = snapshot;
  return reviewedItems(snapshot)
    .flatMap((reviewed) => dividedQuestions(form, reviewed))
    .filter(({ apart }) => apart > 0)
    .sort((a, b) => b.apart - a.apart || answers(b) - answers(a))
    .slice(0, most);
}

function answers({ values }: Divided): number {
  return values.reduce((sum, { count }) => sum + count, 0);
}

function dividedQuestions(form: ReviewSection, reviewed: ReviewedItem): Divided[] {
  const { item, done } = reviewed;
  if (done.length < 2) return [];
  const names = { item: item.id, caseId: item.caseId, title: titleOf(item) };
  return Object.entries(form.fields).flatMap(([name, field]): Divided[] => {
    if (field.type === 'text' || field.of !== item.kind) return [];
    if (field.type === 'items') return [{ ...names, field: name, part: null, ...thingsApart(reviewed, name) }];
    return partsOf(field).map((part) => {
      const given = ratingsOf(reviewed, name, part);
      return { ...names, field: name, part, apart: apartOf(field, part, given), values: counted(given) };
    });
  });
}

function apartOf(field: ReviewField, part: string | null, given: readonly (string | number | boolean)[]): number {
  if (given.length < 2) return 0;
  if (field.type === 'scale') {
    const points = given.filter((one) => typeof one === 'number');
    const width = field.to - field.from;
    return points.length < 2 || width <= 0 ? 0 : (Math.max(...points) - Math.min(...points)) / width;
  }
  const possible = field.type === 'choice' ? Object.keys(field.options).length : ticks(field, part);
  const top = Math.max(...counted(given).map(({ count }) => count));
  const even = Math.ceil(given.length / Math.max(1, Math.min(possible, given.length)));
  return even === given.length ? 0 : (given.length - top) / (given.length - even);
}

function ticks(field: ReviewField, part: string | null): number {
  return field.type === 'checklist' && part !== null && field.notApplicable.includes(part) ? 3 : 2;
}

/** With the labels that were given to the things on which people differ. */
function thingsApart(reviewed: ReviewedItem, name: string): Pick<Divided, 'apart' | 'values'> {
  const aligned = alignedLists(reviewed, name);
  if (aligned.people.length < 2 || aligned.segments.length === 0) return { apart: 0, values: [] };
  const differing = aligned.segments.filter((segment) => !isUnanimous(segment, aligned));
  const labels = differing.flatMap(({ lists }) => lists.flat().map(({ label }) => label));
  return {
    apart: differing.length / aligned.segments.length,
    values: counted(labels.filter((label) => label !== null)),
  };
}

function counted(values: readonly (string | number | boolean)[]): { value: CellValue; count: number }[] {
  const groups = [...Map.groupBy(values, (value) => value)].map(([value, same]) => ({ value, count: same.length }));
  return groups.sort((a, b) => b.count - a.count);
}
