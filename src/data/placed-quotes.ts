import { alignQuotes } from '../text/align-quotes.ts';
import { UNGIVEN } from './formats/span-items.ts';
import type { Item } from './item.ts';
import type { ItemCheck } from './item-check.ts';
import { describe } from './record-fields.ts';

const FUZZY = 0.8;

/**
 * Spans (and entities that need a place) that came as quotes, without a place, at the place in the text where they were found. One that was not found is
 * a fault in gold; a prediction keeps its words and no place, and is spurious for that reason.
 */
export function placedQuotes(items: readonly Item[], check: ItemCheck): readonly Item[] {
  const isQuote = quoteTest(check);
  const quotes = items.filter(isQuote);
  if (quotes.length === 0) return items;
  const { text, options, notices, problems, side, file, caseId } = check;
  if (text === null) {
    problems.add({
      file,
      line: quotes[0]!.line,
      message: `${describe(caseId)} has quotes without places, and no text to find them in`,
      next: 'give the texts with --cases FILE',
    });
    return items.filter((item) => !isQuote(item));
  }
  const found = alignQuotes(
    text,
    quotes.map((item) => item.text),
    { fuzzy: options.fuzzyQuotes ?? FUZZY },
  );
  const byQuote = new Map(quotes.map((item, at) => [item, found[at]!]));
  return items.map((item) => {
    const alignment = byQuote.get(item);
    if (alignment === undefined) return item;
    const { start, end, ...aligned } = alignment;
    notices[COUNTS[aligned.status]] = (notices[COUNTS[aligned.status]] ?? 0) + 1;
    if (aligned.ambiguous) notices.quotesAmbiguous = (notices.quotesAmbiguous ?? 0) + 1;
    if (aligned.status !== 'missing') {
      const words = text.slice(start, end);
      const quote = words === item.text ? {} : { quote: item.text };
      return { ...item, text: words, start, end, aligned: { ...aligned, ...quote } };
    }
    const message =
      item.text.trim() === '' ? 'the quote is empty' : `the quote ${describe(item.text)} is not in the text`;
    if (side === 'gold')
      problems.add({
        file,
        line: item.line,
        field: `${caseId} gold item ${item.index}`,
        message,
        next: 'correct the quote, or give its start and end',
      });
    return { ...item, aligned, refused: { start: -1, end: -1, because: message } };
  });
}

const COUNTS = {
  exact: 'quotesExact',
  normalised: 'quotesNormalised',
  fuzzy: 'quotesFuzzy',
  missing: 'quotesMissing',
} as const;

/** Spans without a place; entities too, if the recipe needs to know where they are. */
function quoteTest({ options }: ItemCheck): (item: Item) => boolean {
  const isMention = ({ kind }: Item): boolean =>
    kind === 'span' || (kind === 'entity' && options.places === 'required');
  return (item) => isMention(item) && isWords(item);
}

function isWords({ start, end, text }: Item): boolean {
  return start === -1 && end === -1 && text !== UNGIVEN;
}
