import type { ReviewField } from '../../recipe/review-section.ts';
import type { Me, QueueEntry } from '../../review/api.ts';
import { fieldsFor } from '../../review/questions.ts';
import type { FrozenItem, FrozenReview } from './frozen-reviews.ts';
import { type ItemWork, itemWork } from './item-work.ts';
import { bodyOf, commitRequest, saveRequest } from './request-bodies.ts';
import { notHere } from './review-refusal.ts';
import { serveTexts } from './text-routes.ts';
import { type Serving, type Signed, type SignedApp, type SignedContext, signedAs } from './signed.ts';

/** A reviewer's own items: to read, to answer, to finish. */
export function serveReviewers(app: SignedApp, serving: Serving): void {
  const { store, write, bodyLimit } = serving;
  const isTheirs = assignedItems(serving);

  const workOf = (context: SignedContext): ItemWork => {
    const { person, review } = signedAs(context, 'reviewer');
    const item = review.items.get(context.req.param('item') ?? '');
    if (item === undefined || !isTheirs(person.id, item.id)) throw notHere('item');
    return itemWork(store, review, person, item);
  };

  serveTexts(app, serving, isTheirs);

  app.get('/api/review/me', (context) => context.json(meOf(serving, context.get('signed'))));

  app.get('/api/review/items/:item', (context) => context.json(workOf(context).view()));

  app.post('/api/review/items/:item/events', async (context) => {
    const work = workOf(context);
    const { events } = await bodyOf(context, saveRequest, bodyLimit);
    work.check(events);
    return context.json(await write(() => work.save(events)));
  });

  app.post('/api/review/items/:item/commit', async (context) => {
    const work = workOf(context);
    const { id } = await bodyOf(context, commitRequest, bodyLimit);
    return context.json(await write(() => work.commit(id)));
  });

  app.post('/api/review/items/:item/reopen', async (context) => {
    const work = workOf(context);
    const { id } = await bodyOf(context, commitRequest, bodyLimit);
    return context.json(await write(() => work.reopen(id)));
  });
}

/** Items are given to people and never taken away, so that a yes holds; a no is looked up each time. */
function assignedItems({ store }: Serving): (personId: string, itemId: string) => boolean {
  const known = new Map<string, ReadonlySet<string>>();
  return (personId, itemId) => {
    if (known.get(personId)?.has(itemId) === true) return true;
    const items = new Set(store.reviews.queue(personId).map((one) => one.itemId));
    known.set(personId, items);
    return items.has(itemId);
  };
}

function meOf({ store }: Serving, { person, review }: Signed): Me {
  const { form, record } = review;
  const states = new Map(store.reviews.statesOf(person.id).map((state) => [state.itemId, state]));
  const items = store.reviews.queue(person.id).flatMap(({ itemId }) => review.items.get(itemId) ?? []);
  const queue = items.map(({ id, kind, title }): QueueEntry => {
    const state = states.get(id);
    const isBegun = (state?.cells.length ?? 0) > 0;
    return { item: id, kind, title, state: state?.committed === true ? 'done' : isBegun ? 'begun' : 'open' };
  });
  return {
    person: { name: person.name, role: person.role, groups: person.groups },
    review: {
      name: record.name,
      title: form.title,
      guidance: form.guidance,
      texts: store.reviews.textCount(record.id),
    },
    form: person.role === 'reviewer' ? questionsOf(review, person.groups, items) : form.fields,
    queue,
    expiresAt: person.expiresAt,
  };
}

/** Those that at least one of the items asks of these groups, in the order of the form. */
function questionsOf(
  { form }: FrozenReview,
  groups: readonly string[],
  items: readonly FrozenItem[],
): Record<string, ReviewField> {
  const asked = new Set<string>();
  const seen = new Set<string>();
  for (const item of items) {
    const sort = JSON.stringify([item.kind, item.language]);
    if (seen.has(sort)) continue;
    seen.add(sort);
    for (const field of fieldsFor(form, groups, item)) asked.add(field);
  }
  return Object.fromEntries(Object.entries(form.fields).filter(([field]) => asked.has(field)));
}
