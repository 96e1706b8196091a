import type { Item } from '../data/item.ts';
import { UsageError } from '../data/problems.ts';
import { shorten } from '../data/visible.ts';
import type { ItemsField } from '../recipe/review-section.ts';
import { findQuote } from '../text/quote.ts';
import { sentenceSpans } from '../text/sentences.ts';
import { LONGEST_ANSWER, MOST_THINGS } from './questions.ts';
import type { ContentPassage, ProposedItem } from './content.ts';
import { suggestPassages } from './passages.ts';

/** What a system reports about itself or its confidence: it would unblind systems, or lead the reviewer. */
const KEPT_BACK =
  /^(?:_.*|id|temp_id|.*confidence|.*score|probability|likelihood|logprobs?|model|system|detector|engine|recognizer|annotator|acceptable_types|(?:source|target)(?:_.*)?|start|end|.*offset.*)$/i;
const LONGEST_FACT = 500;

interface Under {
  readonly name: string;
  readonly text: string;
}

/** What is put before a reviewer to be labelled: sentences of the text under review, or what the system found. */
export function proposedItems(
  field: ItemsField,
  under: Under | null,
  predicted: readonly Item[],
  passages: readonly ContentPassage[],
): ProposedItem[] {
  const items = field.from === 'sentences' ? sentences(under) : predicted.map((item, at) => ofSystem(item, at, under));
  if (items.length > MOST_THINGS)
    throw new UsageError(
      `an answer has ${items.length} things to label, and ${MOST_THINGS} are the most that one item can have`,
      'leave that answer out, or cut it',
    );
  if (field.passages === 0 || passages.length === 0 || items.length === 0) return items;
  const near = suggestPassages(
    items.map(({ text }) => text),
    passages.map(({ text }) => text),
    field.passages,
  );
  return items.map((item, at) => ({
    ...item,
    passages: (near[at] ?? []).flatMap((index) => passages[index]?.id ?? []),
  }));
}

function sentences(under: Under | null): ProposedItem[] {
  if (under === null) return [];
  return sentenceSpans(under.text).map(({ start, end }, at) => ({
    id: `s${at + 1}`,
    start,
    end,
    text: under.text.slice(start, end).slice(0, LONGEST_ANSWER),
    kind: null,
    facts: {},
    passages: [],
  }));
}

function ofSystem(item: Item, at: number, under: Under | null): ProposedItem {
  const place = placeOf(item, under);
  return {
    id: `p${at + 1}`,
    start: place?.start ?? -1,
    end: place?.end ?? -1,
    text: wordsOf(item, place === null || under === null ? '' : under.text.slice(place.start, place.end)),
    kind: item.label === '' ? null : item.label,
    facts: factsOf(item),
    passages: [],
  };
}

/** Items have their places in the text of the case; a quote or a name without one is where it first stands. */
function placeOf(item: Item, under: Under | null): { readonly start: number; readonly end: number } | null {
  if (under?.name !== 'text' || item.kind === 'relationship') return null;
  if (item.start >= 0 && item.end > item.start && item.end <= under.text.length) return item;
  return findQuote(under.text, item.text);
}

/** Never nothing: what has no words could not be answered either. */
function wordsOf(item: Item, inText: string): string {
  if (item.kind === 'relationship') return `${item.source ?? '?'} → ${item.label} → ${item.target ?? '?'}`;
  const words = [item.text, inText, item.label].find((text) => text.trim() !== '') ?? '(no words)';
  return words.slice(0, LONGEST_ANSWER);
}

/** Plain facts in words; what the item's words or kind already show is not repeated. */
function factsOf({ fields, source, target, text, label }: Item): Record<string, string> {
  const facts: [string, string][] = [];
  if (source !== null) facts.push(['source', source]);
  if (target !== null) facts.push(['target', target]);
  for (const [key, value] of Object.entries(fields)) {
    if (KEPT_BACK.test(key) || value === text || value === label || value === '') continue;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      facts.push([key, shorten(String(value), LONGEST_FACT)]);
  }
  return Object.fromEntries(facts);
}
