import type { Context } from 'hono';

import type { TextsView } from '../../review/api.ts';
import { contentOf } from '../../review/content.ts';
import { contentFor, fieldsFor } from '../../review/questions.ts';
import { type SourceTexts, sourceTexts } from '../../review/source-texts.ts';
import { Refusal } from '../refusal.ts';
import { type Route, route } from '../server-app.ts';
import { notHere } from './item-work.ts';
import type { ReviewServing, Signed } from './sign-in.ts';

const LAST_NUMBER = 1_000_000;

type Retrieved = TextsView['passages'];

/** The texts that a review was given: to be searched, and read a page at a time. */
export function textRoutes(
  { store, signIn }: ReviewServing,
  isTheirs: (personId: string, itemId: string) => boolean,
): Route[] {
  const known = new Map<string, SourceTexts>();
  const places = new Map<string, Retrieved>();

  const textsOf = ({ person, review }: Signed): SourceTexts => {
    if (person.role === 'owner')
      throw new Refusal(403, 'The texts are for reviewers and adjudicators.', { reason: 'a link for the owner' });
    const { id } = review.record;
    const texts = known.get(id) ?? sourceTexts(store.reviews.texts(id));
    known.set(id, texts);
    return texts;
  };

  /** What was retrieved for the current item, only for reviewers whose questions show it. */
  const retrievedFor = (context: Context, { person, review }: Signed, texts: SourceTexts): Retrieved => {
    const wanted = context.req.query('item');
    if (wanted === undefined) return [];
    const item = review.items.get(wanted);
    const whole = item === undefined ? null : store.reviews.item(review.record.id, item.id);
    if (item === undefined || whole === null || person.role !== 'reviewer' || !isTheirs(person.id, item.id))
      throw notHere('item');
    const { form } = review;
    const { passages } = contentFor(form, fieldsFor(form, person.groups, item), contentOf(whole));
    if (passages.length === 0) return [];
    const found = places.get(item.id);
    if (found !== undefined) return found;
    const placed = texts.placesOf(passages);
    const retrieved = passages.map((passage, at) => ({ ...passage, place: placed[at] ?? null }));
    places.set(item.id, retrieved);
    return retrieved;
  };

  const textRoute = (
    path: string,
    answer: (context: Context, texts: SourceTexts, retrieved: () => Retrieved) => object,
  ): Route =>
    route('GET', `/api/review/texts${path}`, signIn(), (context, signed) => {
      const texts = textsOf(signed);
      return context.json(answer(context, texts, () => retrievedFor(context, signed, texts)));
    });

  return [
    textRoute('', (_, { texts }, retrieved) => ({ texts, passages: retrieved() }) satisfies TextsView),
    textRoute('/search', (context, texts, retrieved) => {
      const shown = retrieved().flatMap(({ place }) => place ?? []);
      return texts.search(context.req.query('q') ?? '', numberIn(context, 'skip'), shown);
    }),
    textRoute('/:text', (context, texts, retrieved) => {
      const page = texts.page(context.req.param('text') ?? '', numberIn(context, 'page'));
      if (page === null) throw new Refusal(404, 'There is no such text.', { next: 'Load the page again.' });
      const end = page.start + page.content.length;
      const shown = retrieved().flatMap(({ id, place }) =>
        place !== null && place.text === page.id && place.start < end && page.start < place.end
          ? [{ id, start: place.start, end: place.end }]
          : [],
      );
      return { ...page, retrieved: shown };
    }),
  ];
}

function numberIn(context: Context, name: string): number {
  const text = context.req.query(name) ?? '0';
  const value = /^\d{1,7}$/.test(text) ? Number(text) : NaN;
  if (value <= LAST_NUMBER) return value;
  throw new Refusal(400, `${name}: expected a whole number from 0.`);
}
