import type { ReviewField, ReviewSection } from '../../recipe/review-section.ts';
import { fieldOf, partsOf } from '../questions.ts';
import type { PersonWork } from './person-work.ts';

export const RATING_SHEET = 'outputs_for_human_review.csv';
export const CLAIM_SHEET = 'outputs_for_hallucination_check.csv';
export const GUIDE = 'how_to_fill.md';
/** No table, so that importing all tables of a folder leaves it out. */
export const PASSAGES = 'retrieved_passages.txt';

/** Columns that every sheet has: who fills it in, what the row is about, and what stood in it when it was written. */
export const REVIEWER = 'reviewer';
export const ITEM = 'item';
export const AS_WRITTEN = 'as_written';
/** Columns of the sheet of claims. */
export const QUESTION = 'question';
export const CLAIM = 'claim';
export const CLAIM_TEXT = 'claim_text';
export const KIND = 'found_as';
export const FACTS = 'facts';
export const LABEL = 'label';
export const NOTE = 'note';

/** A sheet that has one of these is one of claims. */
export const SIGNS_OF_CLAIMS = [CLAIM, CLAIM_TEXT, LABEL];

const OF_BOTH = [REVIEWER, ITEM, AS_WRITTEN];
const OF_RATINGS = [...OF_BOTH, ...SIGNS_OF_CLAIMS];
const OF_CLAIMS = [...OF_RATINGS, QUESTION, KIND, FACTS, NOTE];

export interface QuestionColumn {
  readonly name: string;
  readonly field: string;
  readonly part: string | null;
  readonly question: ReviewField;
}

/** A shown text as a column, which is never read back. */
export interface BlockColumn {
  readonly name: string;
  readonly block: string;
}

interface RatingColumns {
  readonly questions: readonly QuestionColumn[];
  readonly blocks: readonly BlockColumn[];
}

export interface ClaimColumns {
  /** The questions of this sheet; with more than one a column names it. */
  readonly fields: readonly string[];
  readonly blocks: readonly BlockColumn[];
}

/** The questions that are asked of at least one item of a person, in the order of the form. */
function askedFields(form: ReviewSection, work: PersonWork): string[] {
  const asked = new Set(work.items.flatMap((item) => item.asked));
  return Object.keys(form.fields).filter((name) => asked.has(name));
}

export function ratingColumns(form: ReviewSection, work: PersonWork): RatingColumns {
  const taken = new Set(OF_RATINGS);
  const questions = askedFields(form, work).flatMap((field): QuestionColumn[] => {
    const question = fieldOf(form, field);
    if (question === null || question.type === 'items') return [];
    return partsOf(question).map((part) => ({
      name: freeName(part === null ? field : `${field}.${part}`, 'answer', taken),
      field,
      part,
      question,
    }));
  });
  const fields = new Set(questions.map(({ field }) => field));
  return { questions, blocks: blockColumns(work, fields, taken) };
}

export function claimColumns(form: ReviewSection, work: PersonWork): ClaimColumns {
  const fields = askedFields(form, work).filter((name) => fieldOf(form, name)?.type === 'items');
  return { fields, blocks: blockColumns(work, new Set(fields), new Set(OF_CLAIMS)) };
}

function blockColumns(work: PersonWork, fields: ReadonlySet<string>, taken: Set<string>): BlockColumn[] {
  const about = work.items.filter(({ asked }) => asked.some((field) => fields.has(field)));
  const names = new Set(about.flatMap(({ content }) => content.blocks.map(({ name }) => name)));
  return [...names].map((block) => ({ name: freeName(block, 'shown', taken), block }));
}

/** Headers are compared without regard to case, since people type them. */
function freeName(name: string, prefix: string, taken: Set<string>): string {
  let free = name;
  while (taken.has(headerKey(free)) || /^passage_\d+$/i.test(free)) free = `${prefix}.${free}`;
  taken.add(headerKey(free));
  return free;
}

export function headerKey(name: string): string {
  return name.trim().toLowerCase();
}

/** A cell with this takes an answer back: an empty one changes nothing. */
export const CLEAR = '[clear]';
/** A claim with this label is none of the answer's claims. */
export const REMOVE = '[remove]';
/** The cell of a question that is not asked of a row. */
export const NOT_ASKED = '(not asked)';

/** In place of the claims of an item that has none: the person who sends the row has seen it. */
export const EMPTY_ITEM = '(nothing was found)';

const WORDS = 'clear|remove';
const ONE_OR_MORE = new RegExp(`^\\s*\\[+(?:${WORDS})\\]+\\s*$`, 'i');
const TWO_OR_MORE = new RegExp(`^(\\s*)\\[(\\[+(?:${WORDS})\\]+)\\](\\s*)$`, 'i');

export function isClear(cell: string): boolean {
  return isWord(cell, CLEAR);
}

export function isRemove(cell: string): boolean {
  return isWord(cell, REMOVE);
}

export function isNotAsked(cell: string): boolean {
  return isWord(cell, NOT_ASKED);
}

export function isEmptyItem(cell: string): boolean {
  return isWord(cell, EMPTY_ITEM);
}

/**
 * Somebody's own words as a cell: those that would be taken for a word of ours get one more pair of brackets.
 *
 * @example escapedWords('[clear]') // '[[clear]]'
 */
export function escapedWords(text: string): string {
  return ONE_OR_MORE.test(text) ? text.replace(/\[/, '[[').replace(/\](\s*)$/, ']]$1') : text;
}

/** The words that a cell stands for: `wordsIn(escapedWords(text))` is `text`, for any text. */
export function wordsIn(cell: string): string {
  return cell.replace(TWO_OR_MORE, '$1$2$3');
}

function isWord(cell: string, word: string): boolean {
  return cell.trim().toLowerCase() === word;
}
