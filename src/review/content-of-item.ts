import { shorten } from '../data/visible.ts';
import type { ReviewSection } from '../recipe/review-section.ts';
import type { ContentBlock, ContentPassage, ProposedItem, ReviewContent } from './content.ts';
import type { ReviewSource } from './review-source.ts';
import { proposedItems } from './propose.ts';

const LONGEST_TITLE = 80;
/** Texts that belong to an answer whatever the form says of them. */
const OF_ANSWERS = new Set(['response', 'retrieved_context']);

/** What a reviewer sees of one system's answer. */
export function answerContent(form: ReviewSection, source: ReviewSource): ReviewContent {
  const blocks = form.show.flatMap(({ field, title, of }) =>
    of === 'case' ? [] : blockOf(field, title, source.texts[field]),
  );
  return contentOf(form, 'answer', blocks, source);
}

/**
 * What a reviewer sees of a case by itself. A text on which its sources differ is of the answers, and so is all that is
 * under review beside the case's own text.
 */
export function caseContent(
  form: ReviewSection,
  sources: readonly ReviewSource[],
  language: string | null,
): ReviewContent {
  const [first] = sources;
  const blocks = form.show.flatMap(({ field, title, of }) => {
    if (of === 'answer' || OF_ANSWERS.has(field) || (field === form.under && field !== 'text')) return [];
    const texts = new Set(sources.map(({ texts: own }) => own[field]));
    return texts.size > 1 && field !== 'text' ? [] : blockOf(field, title, first?.texts[field]);
  });
  return contentOf(form, 'case', blocks, { language, predicted: [], passages: [] });
}

function contentOf(
  form: ReviewSection,
  kind: 'case' | 'answer',
  blocks: readonly ContentBlock[],
  { language, predicted, passages: given }: Pick<ReviewSource, 'language' | 'predicted' | 'passages'>,
): ReviewContent {
  const under = blocks.find(({ name }) => name === form.under) ?? null;
  const fields = Object.entries(form.fields).flatMap(([name, field]) =>
    field.type === 'items' && field.of === kind ? [[name, field] as const] : [],
  );
  const passages = fields.some(([, field]) => field.passages > 0) ? passagesOf(given) : [];
  return {
    title: shorten((blocks[0]?.text ?? '').replaceAll(/\s+/g, ' ').trim(), LONGEST_TITLE),
    language,
    blocks,
    under: under?.name ?? null,
    proposed: Object.fromEntries(
      fields.map(([name, field]): [string, ProposedItem[]] => [name, proposedItems(field, under, predicted, passages)]),
    ),
    passages,
  };
}

function blockOf(name: string, title: string, text: string | undefined): ContentBlock[] {
  return text === undefined ? [] : [{ name, title, text }];
}

/** Each once, under a name of its own. */
function passagesOf(given: ReviewSource['passages']): ContentPassage[] {
  const seen = new Map<string, ContentPassage>();
  for (const { source, text } of given) {
    const key = JSON.stringify([source, text]);
    if (text.trim() !== '' && !seen.has(key)) seen.set(key, { id: `r${seen.size + 1}`, source, text });
  }
  return [...seen.values()];
}
