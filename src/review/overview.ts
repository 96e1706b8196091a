import type { ReviewField, ReviewSection } from '../recipe/review-section.ts';
import type { CellValue, ReviewPerson } from '../store/review-records.ts';
import { agreementFigures } from './agreement-figures.ts';
import type { Overview } from './api.ts';
import { conflictCounts } from './conflicts.ts';
import { contentOf } from './content.ts';
import { judgeFigures } from './judge-agreement.ts';
import { alignedLists, committedRatings, isUnanimous } from './outcomes.ts';
import { missingCells, partsOf } from './questions.ts';
import { countQueued, type QueuedItem, queuedItems } from './review-progress.ts';
import { type ReviewedItem, reviewedItems } from './review-work.ts';
import { workOf } from './sheets/person-work.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/**
 * What the owner of a review sees of it. An item is done when all reviewers in whose queue it is have finished it. For a
 * page that somebody waits for, figures are `quick`; otherwise they are those of the report.
 */
export function overviewOf(snapshot: ReviewSnapshot, { quick = true } = {}): Overview {
  const { items } = snapshot;
  const queued = queuedItems(snapshot);
  const byPerson = Map.groupBy(queued, ({ person }) => person.id);
  const byItem = Map.groupBy(queued, ({ itemId }) => itemId);
  return {
    people: snapshot.people.map((person) => progressOf(snapshot, person, byPerson.get(person.id) ?? [])),
    items: {
      total: items.length,
      done: items.filter(({ id }) => byItem.get(id)?.every(({ state }) => state === 'done') ?? false).length,
    },
    conflicts: conflictCounts(snapshot),
    agreement: agreementFigures(snapshot, { quick }),
    divided: dividedItems(snapshot),
    judge: judgeFigures(snapshot, { quick }),
  };
}

function progressOf(
  { states, decisions }: ReviewSnapshot,
  { id, name, role, groups }: ReviewPerson,
  queue: readonly QueuedItem[],
): Overview['people'][number] {
  const times = [
    ...states.filter(({ personId }) => personId === id).map(({ updatedAt }) => updatedAt),
    ...decisions.filter(({ personId }) => personId === id).map(({ at }) => at),
  ];
  return {
    name,
    role,
    groups,
    ...countQueued(queue),
    lastAt: times.reduce<string | null>((last, at) => (last === null || at > last ? at : last), null),
  };
}

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
    .sort((a, b) => b.apart - a.apart || answerCount(b) - answerCount(a))
    .slice(0, most);
}

function answerCount({ values }: Divided): number {
  return values.reduce((sum, { count }) => sum + count, 0);
}

function dividedQuestions(form: ReviewSection, reviewed: ReviewedItem): Divided[] {
  const { item, done } = reviewed;
  if (done.length < 2) return [];
  const names = { item: item.id, caseId: item.caseId, title: contentOf(item).title };
  return Object.entries(form.fields).flatMap(([name, field]): Divided[] => {
    if (field.type === 'text' || field.of !== item.kind) return [];
    if (field.type === 'items') return [{ ...names, field: name, part: null, ...thingsApart(reviewed, name) }];
    return partsOf(field).map((part) => {
      const given = committedRatings(reviewed, name, part);
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

/** What a reviewer still has to answer: unfinished items, and in them the answers that are missing, by question. */
export interface OpenWork {
  readonly name: string;
  readonly items: number;
  readonly answers: Readonly<Record<string, number>>;
}

/** Reviewers who have work left, in the order of the people. */
export function openWork(snapshot: ReviewSnapshot): OpenWork[] {
  const queues = Map.groupBy(
    queuedItems(snapshot).filter(({ state }) => state !== 'done'),
    ({ person }) => person.id,
  );
  return snapshot.people.flatMap(({ id, name }): OpenWork[] => {
    const unfinished = new Set(queues.get(id)?.map(({ itemId }) => itemId));
    if (unfinished.size === 0) return [];
    const open = workOf(snapshot, id).items.filter(({ record }) => unfinished.has(record.id));
    const missing = open.flatMap(({ asked, cells, content }) =>
      missingCells(snapshot.form, asked, cells, content.proposed),
    );
    const byField = [...Map.groupBy(missing, ({ field }) => field)];
    const answers = Object.fromEntries(byField.map(([field, all]) => [field, all.length]));
    return [{ name, items: open.length, answers }];
  });
}
