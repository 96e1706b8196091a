import type { TextsView } from '../../review/api.ts';
import type { ContentPassage } from '../../review/content.ts';
import { fieldsFor } from '../../review/questions.ts';
import { type SourceTexts, sourceTexts } from '../../review/source-texts.ts';
import { contentFor } from '../../review/content-for.ts';
import { contentOf } from '../../review/content-of.ts';
import { notHere, ReviewRefusal } from './review-refusal.ts';
import type { Serving, Signed, SignedApp, SignedContext } from './signed.ts';

const LAST_NUMBER = 1_000_000;

/** The texts that a review was given: to be searched, and read a page at a time. */
export function serveTexts(
  app: SignedApp,
  { store }: Serving,
  isTheirs: (personId: string, itemId: string) => boolean,
): void {
  const known = new Map<string, SourceTexts>();
  const places = new Map<string, TextsView['passages']>();

  const textsOf = (signed: Signed): SourceTexts => {
    const { person, review } = signed;
    if (person.role === 'owner')
      throw new ReviewRefusal(403, 'The texts are for reviewers and adjudicators.', { reason: 'a link for the owner' });
    const { id } = review.record;
    const texts = known.get(id) ?? sourceTexts(store.reviews.texts(id));
    known.set(id, texts);
    return texts;
  };

  /** What was retrieved for the item in hand, for those alone whose questions show it. */
  const retrievedFor = (context: SignedContext, texts: SourceTexts): TextsView['passages'] => {
    const { person, review } = context.get('signed');
    const wanted = context.req.query('item');
    if (wanted === undefined) return [];
    const item = review.items.get(wanted);
    const whole = item === undefined ? null : store.reviews.item(review.record.id, item.id);
    if (item === undefined || whole === null || person.role !== 'reviewer' || !isTheirs(person.id, item.id))
      throw notHere('item');
    const { form } = review;
    const { passages } = contentFor(form, fieldsFor(form, person.groups, item), contentOf(whole));
    return passages.length === 0 ? [] : placed(item.id, passages, texts);
  };

  const placed = (item: string, passages: readonly ContentPassage[], texts: SourceTexts): TextsView['passages'] => {
    const found = places.get(item);
    if (found !== undefined) return found;
    const all = texts.placesOf(passages);
    const made = passages.map((passage, at) => ({ ...passage, place: all[at] ?? null }));
    places.set(item, made);
    return made;
  };

  app.get('/api/review/texts', (context) => {
    const texts = textsOf(context.get('signed'));
    return context.json({ texts: texts.texts, passages: retrievedFor(context, texts) } satisfies TextsView);
  });

  app.get('/api/review/texts/search', (context) => {
    const texts = textsOf(context.get('signed'));
    const retrieved = retrievedFor(context, texts).flatMap(({ place }) => place ?? []);
    return context.json(texts.search(context.req.query('q') ?? '', numberIn(context, 'skip'), retrieved));
  });

  app.get('/api/review/texts/:text', (context) => {
    const texts = textsOf(context.get('signed'));
    const page = texts.page(context.req.param('text'), numberIn(context, 'page'));
    if (page === null) throw new ReviewRefusal(404, 'There is no such text.', { next: 'Load the page again.' });
    const end = page.start + page.content.length;
    const retrieved = retrievedFor(context, texts).flatMap(({ id, place }) =>
      place !== null && place.text === page.id && place.start < end && page.start < place.end
        ? [{ id, start: place.start, end: place.end }]
        : [],
    );
    return context.json({ ...page, retrieved });
  });
}

function numberIn(context: SignedContext, name: string): number {
  const given = context.req.query(name) ?? '0';
  const value = /^\d{1,7}$/.test(given) ? Number(given) : NaN;
  if (value <= LAST_NUMBER) return value;
  throw new ReviewRefusal(400, `${name}: expected a whole number from 0.`);
}
