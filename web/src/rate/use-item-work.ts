import type { ItemView } from '../../../src/review/api.ts';
import type { ItemAnswer } from '../../../src/store/review-records.ts';
import { labelledItems } from './cells.ts';
import { addItem, editItem, labelItem, mergeWithNext, removeItem, splitItem } from './item-edits.ts';
import type { ItemMode, ItemWork } from './item-work.ts';
import { selectedWords } from './selected-words.ts';
import type { Form, Stop } from './stops.ts';
import type { OpenItem } from './use-item.ts';

/** Changes to lists of things, each followed by the row where the work goes on. */
export function useItemWork(parts: {
  readonly view: ItemView;
  readonly form: Form;
  readonly item: OpenItem;
  readonly stops: readonly Stop[];
  readonly go: (stop: Stop) => void;
  readonly setMode: (mode: ItemMode) => void;
  readonly togglePassages: () => void;
}): ItemWork {
  const { view, item, stops, go, setMode } = parts;
  const { content } = view;
  const under = content.blocks.find(({ name }) => name === content.under)?.text ?? '';
  const listOf = (field: string) => labelledItems(content, item.state.cells, field);
  const keep = (field: string, list: readonly ItemAnswer[]) => item.answer({ field, part: null }, list);
  const leaveMode = () => setMode({ kind: 'none' });

  const addWords: ItemWork['addWords'] = (field, words) => {
    const { list, id } = addItem(listOf(field), words, under);
    leaveMode();
    if (id === null) return;
    keep(field, list);
    go({ field, part: id });
  };

  return {
    label(field, id, label, goOn) {
      keep(field, labelItem(listOf(field), id, label));
      const place = stops.findIndex((stop) => stop.field === field && stop.part === id);
      const next = stops[place + 1];
      if (goOn && next !== undefined) go(next);
    },
    edit(field, id, text) {
      keep(field, editItem(listOf(field), id, text));
      leaveMode();
      go({ field, part: id });
    },
    editAndSplit(field, id, text, at) {
      keep(
        field,
        splitItem(editItem(listOf(field), id, text), id, at - (text.length - text.trimStart().length), under),
      );
      leaveMode();
      go({ field, part: id });
    },
    split(field, id, at) {
      keep(field, splitItem(listOf(field), id, at, under));
      leaveMode();
      go({ field, part: id });
    },
    merge(field, id) {
      keep(field, mergeWithNext(listOf(field), id, under));
      go({ field, part: id });
    },
    remove(field, id) {
      const before = listOf(field);
      const place = before.findIndex((thing) => thing.id === id);
      const list = removeItem(before, id);
      keep(field, list);
      go({ field, part: (list[place] ?? list.at(-1))?.id ?? null });
    },
    add(field) {
      const words = content.under === null ? null : selectedWords(content.under, under);
      if (words === null || words.text.trim() === '') setMode({ kind: 'add', field });
      else {
        getSelection()?.removeAllRanges();
        addWords(field, words);
      }
    },
    addWords,
    setMode,
    leaveMode,
    leaveEdit(field, id) {
      leaveMode();
      go({ field, part: id });
    },
    togglePassages: parts.togglePassages,
  };
}
