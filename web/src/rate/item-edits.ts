import type { ItemsField } from '../../../src/recipe/review-section.ts';
import type { ProposedItem } from '../../../src/review/content.ts';
import { goldMeaning, labelMeaning } from '../../../src/review/corrections.ts';
import type { ItemAnswer } from '../../../src/store/review-records.ts';
import type { Stretch } from '../boundaries.ts';
import { closestPlace, wordGaps } from './word-gaps.ts';

type List = readonly ItemAnswer[];

export function labelItem(list: List, id: string, label: string | null): List {
  return list.map((item) => (item.id === id ? { ...item, label } : item));
}

/** Other words for the same claim: it keeps its place. Nothing but white space changes nothing. */
export function editItem(list: List, id: string, text: string): List {
  const words = text.trim();
  return words === '' ? list : list.map((item) => (item.id === id ? { ...item, text: words } : item));
}

/** Words as they are typed: while there are none, those from before the typing stand. */
export function typeItem(list: List, id: string, text: string, before: string): List {
  return editItem(list, id, text.trim() === '' ? before : text);
}

type Labels = Pick<ItemsField, 'labels'>;

/** What the data should call it; null is what it was proposed as. */
export function relabelItem(list: List, id: string, kind: string | null, labels: Labels): List {
  return list.map((item) => {
    if (item.id !== id) return item;
    const { kind: _, ...rest } = item;
    return withMeaning(kind === null ? rest : { ...rest, kind }, 'relabel', kind !== null, labels);
  });
}

/** Another place in the text, with its words; that of what was proposed brings its words back. */
export function resizeItem(
  list: List,
  id: string,
  { start, end }: Stretch,
  under: string,
  proposed: ProposedItem | null,
  labels: Labels,
): List {
  const isBack = proposed?.start === start && proposed.end === end;
  const text = isBack ? proposed.text : under.slice(start, end);
  return list.map((item) =>
    item.id === id ? withMeaning({ ...item, start, end, text }, 'resize', !isBack, labels) : item,
  );
}

/** A correction sets the label for what was wrong, unless the reviewer has chosen one other than “right”. */
function withMeaning(item: ItemAnswer, act: 'relabel' | 'resize', isCorrected: boolean, labels: Labels): ItemAnswer {
  if (item.from.length === 0) return item;
  const meaning = goldMeaning(labels, item.label);
  if (!isCorrected) return meaning === act ? { ...item, label: null } : item;
  const isOpen = item.label === null || meaning === 'keep';
  return isOpen ? { ...item, label: labelMeaning(labels, act) ?? item.label } : item;
}

export function removeItem(list: List, id: string): List {
  return list.filter((item) => item.id !== id);
}

/**
 * Two claims out of one, cut at a place in its words; neither has a label, as what held for both need not hold for each.
 * Cutting off nothing changes nothing.
 *
 * @param under the text that places are in
 */
export function splitItem(list: List, id: string, at: number, under: string): List {
  return list.flatMap((item) => {
    if (item.id !== id) return [item];
    const first = item.text.slice(0, at).trimEnd();
    const second = item.text.slice(at).trimStart();
    if (first.trim() === '' || second.trim() === '') return [item];
    const [left, right] = splitPlace(item, at, under);
    return [
      { ...item, ...left, text: first, label: null },
      { ...item, ...right, text: second, label: null, id: freeId(list, item.from[0] ?? item.id) },
    ];
  });
}

/** One claim out of this and the next; the label stays where both have the same. The last has no next. */
export function mergeWithNext(list: List, id: string, under: string): List {
  const index = list.findIndex((item) => item.id === id);
  const [first, second] = [list[index], list[index + 1]];
  if (first === undefined || second === undefined) return list;
  const merged: ItemAnswer = {
    ...first,
    ...joinedPlace(first, second),
    text: joinedText(first, second, under),
    label: first.label === second.label ? first.label : null,
    from: [...new Set([...first.from, ...second.from])],
    ...joinedNote(first, second),
  };
  return [...list.slice(0, index), merged, ...list.slice(index + 2)];
}

/**
 * Words that the person found themselves, in the order of the text; without a place where the text does not have them, or
 * has them more than once.
 */
export function addItem(
  list: List,
  words: { readonly text: string; readonly start: number | null },
  under: string,
  labels: Labels = { labels: {} },
): { readonly list: List; readonly id: string | null } {
  const text = words.text.trim();
  if (text === '') return { list, id: null };
  const start = words.start === null ? onlyPlace(under, text) : words.start + words.text.indexOf(text);
  const id = freeId(list, 'added');
  const label = labelMeaning(labels, 'add');
  const added = { id, start, end: start < 0 ? -1 : start + text.length, text, label, from: [] };
  const before = start < 0 ? -1 : list.findIndex((item) => item.start > start);
  return { list: before < 0 ? [...list, added] : list.toSpliced(before, 0, added), id };
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** If the words were edited, the cut is at the word that is about as far along the text as the cut along the words. */
function splitPlace({ start, end, text }: ItemAnswer, at: number, under: string): readonly [Place, Place] {
  const whole = { start, end };
  if (start < 0) return [whole, whole];
  const shown = under.slice(start, end);
  const cut = shown === text ? at : closestPlace(wordGaps(shown), (shown.length * at) / text.length);
  if (cut === null) return [whole, whole];
  const left = shown.slice(0, cut).trimEnd().length;
  const right = shown.slice(cut).trimStart().length;
  return [
    { start, end: start + left },
    { start: end - right, end },
  ];
}

function joinedPlace(first: Place, second: Place): Place {
  if (first.start < 0) return { start: second.start, end: second.end };
  if (second.start < 0) return { start: first.start, end: first.end };
  return { start: Math.min(first.start, second.start), end: Math.max(first.end, second.end) };
}

/** As the text has it where nobody changed the words and nothing but white space lies between. */
function joinedText(first: ItemAnswer, second: ItemAnswer, under: string): string {
  const asWritten = [first, second].every(({ start, end, text }) => start >= 0 && under.slice(start, end) === text);
  const isNext = asWritten && second.start >= first.end && under.slice(first.end, second.start).trim() === '';
  return isNext ? under.slice(first.start, second.end) : `${first.text} ${second.text}`;
}

function joinedNote(first: ItemAnswer, second: ItemAnswer): Pick<ItemAnswer, 'note'> {
  const notes = [first.note, second.note].filter((note) => note !== undefined);
  return notes.length === 0 ? {} : { note: notes.join('\n') };
}

/** Nowhere rather than in the wrong place. */
function onlyPlace(under: string, text: string): number {
  const first = under.indexOf(text);
  return first >= 0 && under.indexOf(text, first + 1) < 0 ? first : -1;
}

function freeId(list: List, base: string): string {
  const taken = new Set(list.map(({ id }) => id));
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}
