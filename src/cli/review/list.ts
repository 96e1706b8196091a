import { count, type Document, type FilledColumn, filledTable, safeJson, taskTitle } from '../../plugin.ts';
import { reviewProgress, type Store } from '../../review.ts';
import { hasLocalStore, localFolder } from '../backend-of.ts';
import { command } from '../command.ts';
import { dataOption, REVIEW_FLAGS, type StoreFlags, withStore } from './review-store.ts';

export const listReviewsCommand = command({
  name: 'list',
  flags: REVIEW_FLAGS,
  help: `
Examples:
  $ assay review list
  $ assay review list --json | jq -r '.[].name'`,
  async run(flags) {
    const reviews = hasLocalStore(flags) ? await withStore(flags, 'look', reviewsIn) : [];
    return { document: () => listDocument(reviews, flags), json: () => safeJson(reviews) };
  },
});

type ReviewEntry = ReturnType<typeof reviewsIn>[number];

/** `assigned` are the items in queues, `done` those of them that their reviewers have finished. */
function reviewsIn(store: Store) {
  return store.reviews.list().map(({ id, name, task, createdAt }) => {
    const { items, people, total: assigned, done } = reviewProgress(store, id);
    return { name, task, createdAt, items, people, assigned, done };
  });
}

const COLUMNS: readonly FilledColumn<ReviewEntry>[] = [
  [{ title: 'review', shrinks: true }, ({ name }) => ({ text: name, tone: 'strong' })],
  [{ title: 'task', drop: 2 }, ({ task }) => taskTitle(task)],
  [{ title: 'items', align: 'right' }, ({ items }) => count(items)],
  [{ title: 'people', align: 'right' }, ({ people }) => count(people)],
  [{ title: 'done', align: 'right' }, ({ done, assigned }) => `${count(done)} of ${count(assigned)}`],
  [{ title: 'created', drop: 1 }, ({ createdAt }) => createdAt.slice(0, 10)],
];

function listDocument(reviews: readonly ReviewEntry[], flags: StoreFlags): Document {
  const folder = localFolder(flags);
  if (reviews.length > 0)
    return { title: `Reviews in ${folder}`, sections: [{ blocks: [filledTable(COLUMNS, reviews)] }] };
  const create = `assay review create NAME --recipe RECIPE …${dataOption(flags)}`;
  return {
    title: `There is no review in ${folder} yet`,
    sections: [{ blocks: [{ text: `Create one: ${create}`, whole: true }] }],
  };
}
