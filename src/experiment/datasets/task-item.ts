import { ANNOTATION_NAMES, DETECTED_SUFFIX } from '../../data/formats/annotated-documents.ts';
import { ITEM_IDS } from '../../data/formats/graph.ts';
import { JOURNAL_IDS } from '../../data/formats/journal.ts';
import { PREDICTED_SPANS, SPAN_IDS } from '../../data/formats/spans.ts';
import type { Fields } from '../../data/item.ts';
import { idOf, isRecord, listOf, mayKeepAll, without, wrong } from '../../data/record-fields.ts';
import type { DatasetItemInit } from '../../store/records.ts';
import { compareNatural } from '../../text/compare.ts';
import type { Reading } from './read-records.ts';

/** Records of the tasks' own files as dataset items. */

/** The field of the task's files that names the case. */
export const CASE_IDS = [...new Set([...JOURNAL_IDS, ...SPAN_IDS, ...ITEM_IDS])];

/** Records of a task's own files, each of which becomes an item. */
export interface TaskRecords {
  detects(record: Fields): boolean;
  item(record: Fields, idField: string | null, line: number, reading: Reading): DatasetItemInit | null;
}

/** A diary entry: all of it but the objects is the input. */
export const DIARY_ENTRIES: TaskRecords = {
  detects: (record) => 'journal_id' in record || (Array.isArray(record['items']) && 'text' in record),
  item(record, idField, line, reading) {
    const id = idOf(record, idField === null ? JOURNAL_IDS : [idField], line, reading);
    if (typeof record['text'] !== 'string')
      return wrong(reading, line, 'text', 'the text of the entry', record['text']);
    const expectedOutput = expectedOf(record, line, reading);
    if (id === null || expectedOutput === null) return null;
    const input = without(record, new Set(['items']), line, reading);
    return { id, input, ...(expectedOutput === undefined ? {} : { expectedOutput }) };
  },
};

/** A text with spans: other fields are about the text and go under metadata. */
export const TEXTS_WITH_SPANS: TaskRecords = {
  detects: (record) => typeof record['text'] === 'string' && SPAN_IDS.some((name) => name in record),
  item(record, idField, line, reading) {
    const ids = idField === null ? SPAN_IDS : [idField];
    const id = idOf(record, ids, line, reading);
    const text = record['text'];
    if (typeof text !== 'string') return wrong(reading, line, 'text', 'the text', text);
    const expectedOutput = expectedOf(record, line, reading);
    if (id === null || expectedOutput === null) return null;
    const outputs = Object.keys(record).filter(isOutput);
    for (const name of outputs) reading.notes.add(`${name} left out: a system's output is no part of a dataset`);
    const known = new Set([...ids, 'text', 'spans', 'gold', 'annotations', ...outputs]);
    const metadata = without(record, known, line, reading);
    return {
      id,
      input: { text },
      ...(expectedOutput === undefined ? {} : { expectedOutput }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    };
  },
};

function isOutput(name: string): boolean {
  return PREDICTED_SPANS.includes(name) || name.endsWith(DETECTED_SUFFIX);
}

/** What is right for a case, in any of the tasks' shapes: undefined where the record says nothing, null where it is wrong. */
export function expectedOf(record: Fields, line: number, reading: Reading): Fields | undefined | null {
  const whole = record['expected_output'] ?? record['expectedOutput'];
  if (isRecord(whole)) return kept(whole, line, reading);
  if (whole !== undefined && whole !== null) return wrong(reading, line, 'expected_output', 'an object', whole);
  if (record['items'] !== undefined) return listed('items', record['items'], line, reading);
  if (record['annotations'] !== undefined) return annotatedSpans(record['annotations'], line, reading);
  if (record['entities'] !== undefined || record['relationships'] !== undefined)
    return kept({ entities: record['entities'] ?? [], relationships: record['relationships'] ?? [] }, line, reading);
  const spans = record['gold'] ?? record['spans'];
  return spans === undefined ? undefined : listed('spans', spans, line, reading);
}

function listed(name: string, value: unknown, line: number, reading: Reading): Fields | null {
  const list = listOf(value, name, line, reading);
  return list === null ? null : kept({ [name]: list }, line, reading);
}

function kept(fields: Fields, line: number, reading: Reading): Fields | null {
  return mayKeepAll(fields, 'expected_output', line, reading) ? fields : null;
}

const SPAN_NAMES = new Map(Object.entries(ANNOTATION_NAMES).map(([plain, name]) => [name, plain]));

/** Annotations of the Text Anonymization Benchmark's shape as plain spans, of one annotator; the rest of them stays. */
function annotatedSpans(value: unknown, line: number, reading: Reading): Fields | null {
  const list = listOf(value, 'annotations', line, reading);
  if (list === null) return null;
  const all: Fields[] = [];
  for (const [at, one] of list.entries()) {
    if (!isRecord(one)) return wrong(reading, line, `annotations[${at}]`, 'an annotation (an object)', one);
    all.push(Object.fromEntries(Object.entries(one).map(([name, inner]) => [SPAN_NAMES.get(name) ?? name, inner])));
  }
  const spans = ofOneAnnotator(all, line, reading);
  return spans === null ? null : kept({ spans }, line, reading);
}

/** A dataset holds one answer an item: those of several annotators, one on top of the other, would be none. */
function ofOneAnnotator(spans: readonly Fields[], line: number, reading: Reading): readonly Fields[] | null {
  const nameOf = ({ annotator }: Fields): string | null =>
    typeof annotator === 'string' || typeof annotator === 'number' ? String(annotator) : null;
  const names = [...new Set(spans.map(nameOf).filter((name) => name !== null))].sort(compareNatural);
  const wanted = reading.annotator === 'first' ? names[0] : (reading.annotator ?? undefined);
  if (wanted === undefined && names.length > 1)
    return wrong(
      reading,
      line,
      'annotations',
      'one annotator',
      names.join(', '),
      'choose with --annotator first or NAME',
    );
  if (wanted !== undefined && names.length > 0 && !names.includes(wanted))
    return wrong(reading, line, 'annotations', `some by ${wanted}`, names.join(', '));
  return wanted === undefined ? spans : spans.filter((span) => (nameOf(span) ?? wanted) === wanted);
}
