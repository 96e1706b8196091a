import type { ItemView } from '../../../src/review/api.ts';
import type { ItemAnswer } from '../../../src/store/review-records.ts';
import { moveEdge, type Stretch, wholeStretch } from '../boundaries.ts';
import { randomId } from '../random-id.ts';
import { labelledItems } from './cells.ts';
import {
  addItem,
  editItem,
  labelItem,
  mergeWithNext,
  relabelItem,
  removeItem,
  resizeItem,
  splitItem,
  typeItem,
} from './item-edits.ts';
import type { ItemMode, ItemWork } from './item-work.ts';
import { selectedWords } from '../text-place.ts';
import type { Form, Stop } from './stops.ts';
import type { OpenItem } from './use-item.ts';

/** Changes to lists of things, each followed by the row where the work goes on. */
export function useItemWork(parts: {
  readonly view: ItemView;
  readonly form: Form;
  readonly item: OpenItem;
  readonly stops: readonly Stop[];
  readonly go: (stop: Stop) => void;
  readonly mode: ItemMode;
  readonly setMode: (mode: ItemMode) => void;
  readonly togglePassages: () => void;
}): ItemWork {
  const { view, form, item, stops, go, mode, setMode } = parts;
  const { content } = view;
  const under = content.blocks.find(({ name }) => name === content.under)?.text ?? '';
  const listOf = (field: string) => labelledItems(content, item.state.cells, field);
  const keep = (field: string, list: readonly ItemAnswer[]) => item.answer({ field, part: null }, list);
  // Cutting off nothing is no change, and nothing to undo.
  const keepSplit = (field: string, before: readonly ItemAnswer[], list: readonly ItemAnswer[]) => {
    if (list.length > before.length) keep(field, list);
  };
  const leaveMode = () => setMode({ kind: 'none' });
  const isEdited = (field: string, id: string) => mode.kind === 'edit' && mode.field === field && mode.id === id;

  const labelsOf = (name: string) => {
    const field = form[name];
    return field?.type === 'items' ? field : { labels: {} };
  };
  const proposedAs = (field: string, id: string) => content.proposed[field]?.find((one) => one.id === id) ?? null;
  const selected = () => {
    const words = content.under === null ? null : selectedWords(content.under, under);
    return words === null ? null : wholeStretch(under, { start: words.start, end: words.start + words.text.length });
  };
  const moveTo = (field: string, id: string, to: Stretch, run?: string) =>
    item.answer(
      { field, part: null },
      resizeItem(listOf(field), id, to, under, proposedAs(field, id), labelsOf(field)),
      run,
    );

  const addWords: ItemWork['addWords'] = (field, words) => {
    const { list, id } = addItem(listOf(field), words, under, labelsOf(field));
    leaveMode();
    if (id === null) return;
    keep(field, list);
    go({ field, part: id });
  };

  return {
    label(field, id, label, goOn) {
      keep(field, labelItem(listOf(field), id, label));
      if (isEdited(field, id)) leaveMode();
      const place = stops.findIndex((stop) => stop.field === field && stop.part === id);
      const next = stops[place + 1];
      if (goOn && next !== undefined) go(next);
    },
    edit(field, id) {
      const before = listOf(field).find((thing) => thing.id === id)?.text ?? '';
      setMode(isEdited(field, id) ? { ...mode } : { kind: 'edit', field, id, before, run: randomId() });
    },
    type({ field, id, before, run }, text) {
      item.answer({ field, part: null }, typeItem(listOf(field), id, text, before), run);
    },
    closeEdit({ field, id }) {
      leaveMode();
      item.send();
      go({ field, part: id });
    },
    dropEdit({ field, id, run }) {
      if (item.state.typing === run) item.undo();
      leaveMode();
      go({ field, part: id });
    },
    cut({ field, id }, text, at) {
      const list = editItem(listOf(field), id, text);
      keepSplit(field, list, splitItem(list, id, at - (text.length - text.trimStart().length), under));
      leaveMode();
      go({ field, part: id });
    },
    split(field, id, at) {
      const list = listOf(field);
      keepSplit(field, list, splitItem(list, id, at, under));
      leaveMode();
      go({ field, part: id });
    },
    merge(field, id) {
      keep(field, mergeWithNext(listOf(field), id, under));
      leaveMode();
      go({ field, part: id });
    },
    remove(field, id) {
      const before = listOf(field);
      const place = before.findIndex((thing) => thing.id === id);
      const list = removeItem(before, id);
      keep(field, list);
      leaveMode();
      go({ field, part: (list[place] ?? list.at(-1))?.id ?? null });
    },
    add(field) {
      const words = selected();
      if (words === null) setMode({ kind: 'add', field });
      else {
        getSelection()?.removeAllRanges();
        addWords(field, { text: under.slice(words.start, words.end), start: words.start });
      }
    },
    relabel(field, id, kind) {
      const asProposed = proposedAs(field, id)?.kind ?? null;
      const now = listOf(field).find((one) => one.id === id)?.kind ?? asProposed;
      if (kind !== now) keep(field, relabelItem(listOf(field), id, kind === asProposed ? null : kind, labelsOf(field)));
      go({ field, part: id });
    },
    resize(field, id) {
      const to = selected();
      const thing = listOf(field).find((one) => one.id === id);
      if (to !== null) {
        getSelection()?.removeAllRanges();
        leaveMode();
        moveTo(field, id, to);
        go({ field, part: id });
      } else if (mode.kind === 'resize' && mode.id === id)
        setMode({ ...mode, edge: mode.edge === 'end' ? 'start' : 'end' });
      else if (thing !== undefined && thing.start >= 0)
        setMode({ kind: 'resize', field, id, run: randomId(), edge: 'end' });
    },
    moveEdge(edit, edge, by, step) {
      const { field, id, run } = edit;
      const thing = listOf(field).find((one) => one.id === id);
      if (thing !== undefined) moveTo(field, id, moveEdge(under, thing, edge, by, step), run);
      if (edit.edge !== edge) setMode({ ...edit, edge });
    },
    restore(field, id) {
      const was = proposedAs(field, id);
      if (was === null) return;
      const labels = labelsOf(field);
      const list = relabelItem(listOf(field), id, null, labels);
      keep(field, resizeItem(list, id, was, under, was, labels));
      leaveMode();
      go({ field, part: id });
    },
    addWords,
    setMode,
    leaveMode,
    send: item.send,
    togglePassages: parts.togglePassages,
  };
}
