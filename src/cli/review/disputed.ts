import { isRecord } from '../../data/record-fields.ts';
import { shorten } from '../../data/visible.ts';
import type { ReviewSection } from '../../recipe/review-section.ts';
import type { Conflict } from '../../review/conflicts.ts';
import { proposedFor, textUnderReview, titleOf } from '../../review/item-content.ts';
import { isAnswerList } from '../../review/questions.ts';
import { placeOfPart } from '../../review/segments.ts';

/** What a conflict is about, for somebody who cannot see the screen. */
export interface Disputed {
  /** The words of the claim or span; null where the question is about the whole. */
  readonly words: string | null;
  /** How each text that reviewers see begins, in their order. */
  readonly texts: readonly { readonly title: string; readonly begins: string }[];
}

const LONGEST_WORDS = 2000;
const LONGEST_BEGINNING = 300;

export function disputedIn(form: ReviewSection, conflict: Conflict): Disputed {
  return { words: wordsOf(conflict), texts: textsOf(form, conflict) };
}

/** At its place in the text; of what has no place, as it was proposed or as people have it. */
function wordsOf({ item, field, part, answers }: Conflict): string | null {
  if (part === null) return null;
  const place = placeOfPart(part);
  const text = place === null ? undefined : textUnderReview(item)?.slice(place.start, place.end);
  if (text !== undefined && text !== '') return shorten(text, LONGEST_WORDS);
  const ids = new Set(part.split('+'));
  const proposed = proposedFor(item, field).filter(({ id }) => ids.has(id));
  const said = answers.flatMap(({ value }) => (isAnswerList(value) ? value : []));
  const words = [...new Set((proposed.length > 0 ? proposed : said).map((one) => one.text))];
  return words.length === 0 ? null : shorten(words.join(' / '), LONGEST_WORDS);
}

function textsOf({ show }: ReviewSection, { item }: Conflict): Disputed['texts'] {
  const { content } = item;
  const shown = new Set<unknown>(show.map(({ field }) => field));
  const blocks = isRecord(content) && Array.isArray(content['blocks']) ? content['blocks'] : [];
  const texts = blocks.flatMap((block: unknown) => {
    if (!isRecord(block) || !shown.has(block['name'])) return [];
    const { title, text } = block;
    return typeof title === 'string' && typeof text === 'string' ? [{ title, begins: beginning(text) }] : [];
  });
  return texts.length > 0 ? texts : [{ title: '', begins: titleOf(item) }];
}

function beginning(text: string): string {
  return shorten(text.replaceAll(/\s+/g, ' ').trim(), LONGEST_BEGINNING);
}
