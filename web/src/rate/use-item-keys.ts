import type { RefObject } from 'preact';

import type { ItemsField } from '../../../src/recipe/review-section.ts';
import type { Shortcut } from '../keys.ts';
import { RANK, useKeys } from '../use-keys.ts';
import type { ItemMode, ItemWork } from './item-work.ts';
import { rowKeys } from './row-keys.ts';
import { type Form, isSameStop, type Stop } from './stops.ts';
import type { OpenItem } from './use-item.ts';

interface Parts {
  readonly form: Form;
  readonly current: Stop | null;
  readonly stops: readonly Stop[];
  readonly isDone: boolean;
  readonly item: OpenItem;
  readonly mode: ItemMode;
  readonly work: ItemWork;
  readonly questions: RefObject<HTMLElement | null>;
  /** The pane of the text under review. */
  readonly text: RefObject<HTMLElement | null>;
  /** The list that words can be added to; null if absent. */
  readonly addTo: string | null;
  /** Looks for the words of the claim in the source texts; null without source texts. */
  readonly seekInTexts: (() => void) | null;
  readonly go: (stop: Stop) => void;
  readonly commit: () => void;
  /** Null where an item is not done, or is final. */
  readonly reopen: (() => void) | null;
}

const SEEK = 'search the source texts, for the claim at hand';
const ADD = 'add the selected words, or others';
/** Of what is seen of the text, so that the last lines are seen again. */
const PAGE = 0.8;

/** The keys of an item: those of the row that the person is at, and those that move about. */
export function useItemKeys(parts: Parts): void {
  useKeys(parts.isDone ? [] : keysOfRow(parts), RANK.row);
  useKeys(keysOfItem(parts));
}

function keysOfItem(parts: Parts): readonly Shortcut[] {
  const { current, stops, isDone, item, work, questions, text, addTo, seekInTexts, go, commit, reopen } = parts;
  const place = stops.findIndex((stop) => isSameStop(stop, current));
  const move = (step: 1 | -1) => {
    const next = stops[place + step];
    if (next !== undefined) go(next);
  };
  const isCut = () => text.current !== null && text.current.scrollHeight > text.current.clientHeight;
  const turn = (by: 1 | -1) => text.current?.scrollBy({ top: by * text.current.clientHeight * PAGE });
  const inQuestions = () => questions.current?.contains(document.activeElement) === true;
  const undo = () => {
    const stop = item.undo();
    if (stop === null) return;
    work.leaveMode();
    const row = stops.find((other) => isSameStop(other, stop)) ?? stops.find(({ field }) => field === stop.field);
    // In a list the thing that came back is nearer to where the person is than its beginning.
    if (row !== undefined && current?.field !== stop.field) go(row);
  };
  return [
    { keys: ['j'], does: 'next question', run: () => move(1) },
    { keys: ['k'], does: 'previous question', run: () => move(-1) },
    { keys: ['ArrowDown'], does: 'next question', run: () => move(1), when: inQuestions, unlisted: true },
    { keys: ['ArrowUp'], does: 'previous question', run: () => move(-1), when: inQuestions, unlisted: true },
    { keys: ['Enter'], does: isDone ? 'on to the next open item' : 'done, on to the next open item', run: commit },
    { keys: ['Ctrl+Enter'], does: 'the same, also from a text field', run: commit, whileTyping: true },
    ...(isDone ? [] : [{ keys: ['u'], does: 'undo the last change', run: undo }]),
    ...(isDone || addTo === null ? [] : [{ keys: ['a'], does: ADD, run: () => work.add(addTo) }]),
    ...(seekInTexts === null ? [] : [{ keys: ['t'], does: SEEK, run: seekInTexts }]),
    { keys: ['PageDown'], does: 'further down in the text', run: () => turn(1), when: isCut },
    { keys: ['PageUp'], does: 'further up in the text', run: () => turn(-1), when: isCut },
    ...(reopen === null ? [] : [{ keys: ['o'], does: 'open this item again', run: reopen }]),
    { keys: ['Escape'], does: 'leave a text field', run: () => leaveField(current, go), unlisted: true },
  ];
}

function leaveField(current: Stop | null, go: (stop: Stop) => void): void {
  if (current === null) return;
  go(current);
}

function keysOfRow({ form, current, stops, item, mode, work, go, questions }: Parts): readonly Shortcut[] {
  const field = current === null ? undefined : form[current.field];
  if (current === null || field === undefined) return [];
  const next = stops[stops.findIndex((stop) => isSameStop(stop, current)) + 1];
  const answers = rowKeys(field, current).map(({ keys, does, value }) => ({
    keys,
    does,
    run: () => {
      if (field.type === 'items') {
        if (current.part !== null && typeof value === 'string') work.label(current.field, current.part, value, true);
        return;
      }
      item.answer(current, value);
      go(next ?? current);
    },
  }));
  switch (field.type) {
    case 'items':
      return [...keysOfEditor(mode, work), ...answers, ...keysOfThing(field, current, work, questions)];
    case 'text': {
      const write = () => questions.current?.querySelector<HTMLElement>('.text-row.current textarea')?.focus();
      return [{ keys: ['e'], does: 'write', run: write }];
    }
    case 'scale':
    case 'choice':
    case 'checklist':
      return [...answers, { keys: ['Backspace'], does: 'take the answer back', run: () => item.answer(current, null) }];
  }
}

/** They hold in its whole row: the words may be open while the focus is on a label. */
function keysOfEditor(mode: ItemMode, work: ItemWork): readonly Shortcut[] {
  if (mode.kind === 'resize') {
    const move = (key: 'ArrowLeft' | 'ArrowRight', by: 'character' | 'word', does: string): Shortcut => ({
      keys: [by === 'word' ? `Shift+${key}` : key],
      does: `${mode.edge} ${does}`,
      run: () => work.moveEdge(mode, mode.edge, by, key === 'ArrowLeft' ? -1 : 1),
    });
    return [
      move('ArrowLeft', 'character', 'a character to the left'),
      move('ArrowRight', 'character', 'a character to the right'),
      move('ArrowLeft', 'word', 'a word to the left'),
      move('ArrowRight', 'word', 'a word to the right'),
      { keys: ['Enter'], does: 'keep the boundaries', run: () => work.closeEdit(mode) },
      { keys: ['Escape'], does: 'leave the boundaries as they were', run: () => work.dropEdit(mode) },
    ];
  }
  if (mode.kind !== 'edit') return [];
  return [
    { keys: ['Enter'], does: 'keep the words', run: () => work.closeEdit(mode), whileTyping: true },
    { keys: ['Escape'], does: 'leave the words as they were', run: () => work.dropEdit(mode) },
  ];
}

function keysOfThing(
  { allow, passages }: ItemsField,
  { field, part }: Stop,
  work: ItemWork,
  questions: Parts['questions'],
): readonly Shortcut[] {
  if (part === null) return [];
  const toKind = () =>
    questions.current?.querySelector<HTMLElement>('.current .kind-choice :is(input, select)')?.focus();
  const relabel = { keys: ['l'], does: 'correct the label', run: toKind };
  const resize = {
    keys: ['b'],
    does: 'move the boundaries, or take those of the selected words',
    run: () => work.resize(field, part),
  };
  const edit = { keys: ['e'], does: 'edit the words', run: () => work.edit(field, part) };
  const split = { keys: ['s'], does: 'split in two', run: () => work.setMode({ kind: 'split', field, id: part }) };
  const merge = { keys: ['m'], does: 'merge with the next', run: () => work.merge(field, part) };
  const remove = { keys: ['Delete'], does: 'remove', run: () => work.remove(field, part) };
  return [
    { keys: ['Backspace'], does: 'take the label back', run: () => work.label(field, part, null, false) },
    ...(allow.includes('edit') ? [edit] : []),
    ...(allow.includes('split') ? [split] : []),
    ...(allow.includes('merge') ? [merge] : []),
    ...(allow.includes('remove') ? [remove] : []),
    ...(allow.includes('relabel') ? [relabel] : []),
    ...(allow.includes('resize') ? [resize] : []),
    ...(passages > 0 ? [{ keys: ['v'], does: 'show or hide the passages', run: work.togglePassages }] : []),
  ];
}
