import { randomUUID } from 'node:crypto';

import { UsageError } from '../data/problems.ts';
import { shorten, visible } from '../data/visible.ts';
import type { ReviewField, ReviewSection } from '../recipe/review-section.ts';
import type { ReviewItemRecord, ReviewRecord, ReviewText } from '../store/review-records.ts';
import type { Store } from '../store/store.ts';
import { assignItems } from './assignments.ts';
import { checkShown, namingNotices, type OpaqueIds, opaqueIds } from './blinding.ts';
import type { ContentBlock, ContentPassage, ProposedItem, ReviewContent } from './content.ts';
import { isAdjudicated } from './outcomes.ts';
import { checkPeople, type PersonInit, reviewPeople } from './people.ts';
import { proposedItems } from './proposed-items.ts';
import type { ReviewSource } from './review-sources.ts';

export interface ReviewSetup {
  readonly name: string;
  readonly form: ReviewSection;
  readonly task: string;
  readonly seed: number;
  readonly sources: readonly ReviewSource[];
  readonly people: readonly PersonInit[];
  readonly origin: unknown;
  readonly secret: Buffer;
  /** What reviewers may look things up in; none unless given. */
  readonly texts?: readonly ReviewText[];
  readonly expiresAt: string;
  /** Labels of the data, for questions that let them be corrected and name none. */
  readonly kinds?: readonly string[];
}

/** The review, and what its owner should know of how it was made. */
export interface CreatedReview extends ReviewRecord {
  readonly notices: readonly string[];
}

type ItemInit = Omit<ReviewItemRecord, 'reviewId'>;

/** Freezes form, items, people and queues. The same seed, secret and input give the same ids and the same order. */
export function createReview(store: Store, init: ReviewSetup): CreatedReview {
  const { name, task, seed, sources, secret, expiresAt, origin } = init;
  const form = withKinds(init.form, init.kinds ?? []);
  checkPeople(form, init.people);
  if (sources.length > 0) checkShown(form, sources);
  const ids = opaqueIds(secret, name);
  const items = itemsOf(form, sources, ids);
  const reviewId = randomUUID();
  const people = reviewPeople(init.people, { reviewId, ids, secret, expiresAt });
  const raters = people.filter(({ role }) => role === 'reviewer');
  const { assignments, notices } = assignItems(form, items, raters, seed);
  const { texts = [] } = init;
  const review = store.reviews.create({
    id: reviewId,
    name,
    seed,
    task,
    form,
    origin,
    items,
    people,
    assignments,
    texts,
  });
  return { ...review, notices: [...notices, ...roleNotices(form, people), ...namingNotices(form, sources)] };
}

function withKinds(form: ReviewSection, kinds: readonly string[]): ReviewSection {
  const fields = Object.entries(form.fields).map(([name, field]): [string, ReviewField] => {
    const lacks = field.type === 'items' && field.allow.includes('relabel') && field.kinds === undefined;
    return [name, lacks ? { ...field, kinds: [...kinds] } : field];
  });
  return { ...form, fields: Object.fromEntries(fields) };
}

function itemsOf(form: ReviewSection, sources: readonly ReviewSource[], ids: OpaqueIds): ItemInit[] {
  const asksOfCases = Object.values(form.fields).some(({ of }) => of === 'case');
  const asksOfAnswers = Object.values(form.fields).some(({ of }) => of === 'answer');
  const items: ItemInit[] = [];
  if (asksOfCases)
    for (const [caseId, own] of Map.groupBy(sources, (source) => source.caseId))
      items.push(caseItem(form, caseId, own, ids));
  if (asksOfAnswers)
    for (const source of sources) if (source.system !== null) items.push(answerItem(form, source, source.system, ids));
  if (items.length === 0)
    throw new UsageError(
      sources.length === 0
        ? 'there is nothing to review: no case was read'
        : 'there is nothing to review: no answer was given, and the form asks nothing of the cases alone',
      'give what the systems said with --predictions FILE',
    );
  refuseTwice(items);
  return items;
}

function caseItem(form: ReviewSection, caseId: string, sources: readonly ReviewSource[], ids: OpaqueIds): ItemInit {
  const languages = new Set(sources.map(({ language: own }) => own));
  const language = languages.size === 1 ? sources[0]!.language : null;
  const content = caseContent(form, sources, language);
  return {
    id: ids.item('case', caseId, null, null),
    kind: 'case',
    caseId,
    system: null,
    language,
    content,
    hidden: {},
  };
}

function answerItem(form: ReviewSection, source: ReviewSource, system: string, ids: OpaqueIds): ItemInit {
  const { caseId, language, hidden } = source;
  const id = ids.item('answer', caseId, system, language);
  return { id, kind: 'answer', caseId, system, language, content: answerContent(form, source), hidden };
}

function refuseTwice(items: readonly ItemInit[]): void {
  const seen = new Set<string>();
  for (const { id, caseId, system, language } of items) {
    if (seen.has(id))
      throw new UsageError(
        `${visible(system ?? '')} has two answers to the case ${visible(caseId)}${language === null ? '' : ` in ${language}`}`,
        'give each system its own name (--predictions name=FILE), and each case one answer',
      );
    seen.add(id);
  }
}

function roleNotices(form: ReviewSection, people: readonly PersonInit[]): string[] {
  const adjudicates = Object.values(form.fields).some(isAdjudicated);
  return [
    ...(people.some(({ role }) => role === 'reviewer') ? [] : ['nobody reviews yet']),
    ...(adjudicates && !people.some(({ role }) => role === 'adjudicator')
      ? ['nobody adjudicates yet: where answers differ, that stays open']
      : []),
  ];
}

const LONGEST_TITLE = 80;
/** Texts that belong to an answer whatever the form declares. */
const OF_ANSWERS = new Set(['response', 'retrieved_context']);

/** What a reviewer sees of one system's answer. */
function answerContent(form: ReviewSection, source: ReviewSource): ReviewContent {
  const blocks = form.show.flatMap(({ field, title, of }) =>
    of === 'case' ? [] : blockOf(field, title, source.texts[field]),
  );
  return itemContent(form, 'answer', blocks, source);
}

/**
 * What a reviewer sees of a case by itself. A text on which its sources differ is of the answers, and so is all that is
 * under review beside the case's own text.
 */
function caseContent(form: ReviewSection, sources: readonly ReviewSource[], language: string | null): ReviewContent {
  const [first] = sources;
  const blocks = form.show.flatMap(({ field, title, of }) => {
    if (of === 'answer' || OF_ANSWERS.has(field) || (field === form.under && field !== 'text')) return [];
    const texts = new Set(sources.map(({ texts: own }) => own[field]));
    return texts.size > 1 && field !== 'text' ? [] : blockOf(field, title, first?.texts[field]);
  });
  return itemContent(form, 'case', blocks, { language, predicted: [], passages: [] });
}

function itemContent(
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

/** Each once, under its own name. */
function passagesOf(given: ReviewSource['passages']): ContentPassage[] {
  const seen = new Map<string, ContentPassage>();
  for (const { source, text } of given) {
    const key = JSON.stringify([source, text]);
    if (text.trim() !== '' && !seen.has(key)) seen.set(key, { id: `r${seen.size + 1}`, source, text });
  }
  return [...seen.values()];
}
