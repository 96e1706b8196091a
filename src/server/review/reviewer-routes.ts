import type { Context } from 'hono';

import type { ReviewField } from '../../recipe/review-section.ts';
import type { Me, QueueEntry } from '../../review/api.ts';
import { fieldsFor } from '../../review/questions.ts';
import { workState } from '../../review/review-progress.ts';
import { parsedBody, readJson } from '../request-body.ts';
import { type Route, route } from '../server-app.ts';
import type { FrozenReviewItem, FrozenReview } from './frozen-reviews.ts';
import { itemWork, notHere } from './item-work.ts';
import { commitRequest, saveRequest } from './request-bodies.ts';
import type { ReviewServing, Signed } from './sign-in.ts';
import { textRoutes } from './text-routes.ts';

const ITEM = '/api/review/items/:item';

/** A reviewer's items: to read, to answer, to finish. */
export function reviewerRoutes(serving: ReviewServing): Route[] {
  const { store, write, bodyLimit, signIn } = serving;
  const isTheirs = assignedItems(serving);
  const reviewer = signIn('reviewer');
  const workOf = (context: Context, { person, review }: Signed) => {
    const item = review.items.get(context.req.param('item') ?? '');
    if (item === undefined || !isTheirs(person.id, item.id)) throw notHere('item');
    return itemWork(store, review, person, item);
  };
  return [
    ...textRoutes(serving, isTheirs),
    route('GET', '/api/review/me', signIn(), (context, signed) => context.json(meOf(serving, signed))),
    route('GET', ITEM, reviewer, (context, signed) => context.json(workOf(context, signed).view())),
    route('POST', `${ITEM}/events`, reviewer, async (context, signed) => {
      const work = workOf(context, signed);
      const { events } = parsedBody(saveRequest, await readJson(context.req.raw, bodyLimit), 'body');
      work.check(events);
      return context.json(await write(() => work.save(events)));
    }),
    ...(['commit', 'reopen'] as const).map((step) =>
      route('POST', `${ITEM}/${step}`, reviewer, async (context, signed) => {
        const work = workOf(context, signed);
        const { id } = parsedBody(commitRequest, await readJson(context.req.raw, bodyLimit), 'body');
        return context.json(await write(() => work[step](id)));
      }),
    ),
  ];
}

/** Items are given to people and never taken away, so that a yes holds; a no is looked up each time. */
function assignedItems({ store }: ReviewServing): (personId: string, itemId: string) => boolean {
  const known = new Map<string, ReadonlySet<string>>();
  return (personId, itemId) => {
    if (known.get(personId)?.has(itemId) === true) return true;
    const items = new Set(store.reviews.queue(personId).map((one) => one.itemId));
    known.set(personId, items);
    return items.has(itemId);
  };
}

function meOf({ store }: ReviewServing, { person, review }: Signed): Me {
  const { name, role, groups, expiresAt } = person;
  const { form, record } = review;
  const states = new Map(store.reviews.statesOf(person.id).map((state) => [state.itemId, state]));
  const items = store.reviews.queue(person.id).flatMap(({ itemId }) => review.items.get(itemId) ?? []);
  const queue = items.map(({ id, kind, title }): QueueEntry => ({
    item: id,
    kind,
    title,
    state: workState(states.get(id)),
  }));
  const { title, guidance } = form;
  return {
    person: { name, role, groups },
    review: { name: record.name, title, guidance, texts: store.reviews.textCount(record.id) },
    form: role === 'reviewer' ? questionsOf(review, groups, items) : form.fields,
    queue,
    expiresAt,
  };
}

/** The questions that at least one of the items asks of these groups, in the order of the form. */
function questionsOf(
  { form }: FrozenReview,
  groups: readonly string[],
  items: readonly FrozenReviewItem[],
): Record<string, ReviewField> {
  // Items of one kind and language have the same questions.
  const kinds = new Map(items.map((item) => [JSON.stringify([item.kind, item.language]), item]));
  const asked = new Set([...kinds.values()].flatMap((item) => fieldsFor(form, groups, item)));
  return Object.fromEntries(Object.entries(form.fields).filter(([field]) => asked.has(field)));
}
