import { isRecord } from '../data/record-fields.ts';
import { shorten } from '../data/visible.ts';
import type { ReviewSection } from '../recipe/review-section.ts';
import type { Conflict } from './conflicts.ts';
import { contentOf, proposedFor, textUnderReview } from './content.ts';
import { isAnswerList } from './questions.ts';
import { placeOfPart } from './place.ts';

/** What a conflict is about, for somebody who cannot see the screen. */
interface Disputed {
  /** The words of the claim or span; null if the question is about the whole. */
  readonly words: string | null;
  /** How each text that reviewers see begins, in their order. */
  readonly texts: readonly { readonly title: string; readonly begins: string }[];
}

const LONGEST_WORDS = 2000;
const LONGEST_BEGINNING = 300;

export function disputedIn({ show }: ReviewSection, conflict: Conflict): Disputed {
  const { content } = conflict.item;
  const shown = new Set<unknown>(show.map(({ field }) => field));
  const blocks = isRecord(content) && Array.isArray(content['blocks']) ? content['blocks'] : [];
  const texts = blocks.flatMap((block: unknown) => {
    if (!isRecord(block) || !shown.has(block['name'])) return [];
    const { title, text } = block;
    if (typeof title !== 'string' || typeof text !== 'string') return [];
    return [{ title, begins: shorten(text.replaceAll(/\s+/g, ' ').trim(), LONGEST_BEGINNING) }];
  });
  return {
    words: disputedWords(conflict),
    texts: texts.length > 0 ? texts : [{ title: '', begins: contentOf(conflict.item).title }],
  };
}

/** At its place in the text; of what has no place, as it was proposed or as reviewers have it. */
function disputedWords({ item, field, part, answers }: Conflict): string | null {
  if (part === null) return null;
  const place = placeOfPart(part);
  const text = place === null ? undefined : textUnderReview(item)?.slice(place.start, place.end);
  if (text !== undefined && text !== '') return shorten(text, LONGEST_WORDS);
  const ids = new Set(part.split('+'));
  const proposed = proposedFor(item, field).filter(({ id }) => ids.has(id));
  const answered = answers.flatMap(({ value }) => (isAnswerList(value) ? value : []));
  const words = [...new Set((proposed.length > 0 ? proposed : answered).map((entry) => entry.text))];
  return words.length === 0 ? null : shorten(words.join(' / '), LONGEST_WORDS);
}
