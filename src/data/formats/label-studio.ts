import type { JsonFormat, MissingList, ReadContext, WrittenCase } from '../format.ts';
import { type Fields, type Item, makeItem } from '../item.ts';
import { annotationList, describe, idOf, isRecord, mayKeepAll, without, wrong } from '../record-fields.ts';
import { withFields } from '../extra-fields.ts';
import { mentionItem, type ReadPlace, relationItem, sideOfRole } from './mentions.ts';
import { writtenItems } from './written-items.ts';

const LISTS = ['annotations', 'completions', 'predictions'];
const READ = new Set(['id', ...LISTS, 'data', 'label', 'text']);

/**
 * Tasks of Label Studio: the JSON export with every annotator's and model's results, and JSON_MIN. Text spans, relations
 * between them and choices are read; regions of images, audio and video have no place in a text and are counted as left
 * out. Its offsets are those of a browser, UTF-16. https://labelstud.io/guide/task_format
 */
export const labelStudio: JsonFormat = {
  kind: 'json',
  name: 'label-studio',
  about: 'tasks exported from Label Studio (JSON or JSON_MIN): text spans, relations, choices',
  example:
    '{"id":1,"data":{"text":"Ann met Bo."},"annotations":[{"completed_by":1,"result":[{"id":"a","type":"labels","value":{"start":0,"end":3,"text":"Ann","labels":["PER"]}}]}]}',
  detects: (record) =>
    (isRecord(record['data']) && LISTS.some((key) => Array.isArray(record[key]))) || isMinimal(record),
  read(record, line, context) {
    const id = idOf(record, ['id'], line, context);
    if (id === null) return null;
    const data = isRecord(record['data']) ? record['data'] : record;
    const text = textIn(data);
    const others = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== text));
    const fields = {
      ...without(record, READ, line, context),
      ...(data === record || Object.keys(others).length === 0 || !mayKeepAll(others, 'data', line, context)
        ? {}
        : { data: others }),
    };
    const row = { id, line, text, fields, failed: null, unit: 'utf16' as const };
    if (data === record && !LISTS.some((key) => key in record)) {
      const labels = annotationList(record, ['label'], line, context);
      const items = labels?.list.flatMap((raw, at) => spanOf(raw, {}, null, at, `label[${at}]`, line, context) ?? []);
      return { ...row, ...sideOfRole(items ?? null, context, labels?.missing) };
    }
    const gold = annotationItems(record['annotations'] ?? record['completions'], 'annotations', line, context);
    const predicted = annotationItems(record['predictions'], 'predictions', line, context);
    const { leftOut, missing: missingList } =
      context.role === 'predictions' && predicted.items !== null ? predicted : gold;
    const claim = predicted.items === null ? 'other side' : 'side';
    return {
      ...row,
      ...sides(gold.items, predicted.items, context),
      leftOut,
      missingList,
      ...(context.role === 'predictions' ? { claim } : {}),
    };
  },
  writer: {
    extension: '.json',
    offsets: 'utf16',
    layout: 'records',
    isArray: true,
    holds: ['both', 'classes'],
    needsText: true,
    record: task,
  },
};

/** A file without any predictions may be a model's own: its annotations are then what the model found. */
function sides(gold: readonly Item[] | null, predicted: readonly Item[] | null, { role }: ReadContext) {
  if (role === 'predictions') return { gold: null, predicted: predicted ?? gold };
  return { gold, predicted: role === 'cases' ? predicted : null };
}

/** JSON_MIN has one list of results, by the name of its control, without a wrapper. */
function isMinimal(record: Fields): boolean {
  const { label } = record;
  const first: unknown = Array.isArray(label) ? label[0] : undefined;
  return isRecord(first) && Array.isArray(first['labels']) && typeof record['text'] === 'string';
}

/** The field that is annotated: `text`, else the only one that is a text and no address. */
function textIn(data: Fields): string | null {
  const named = data['text'];
  if (typeof named === 'string') return named;
  const texts = Object.values(data).filter(
    (value) => typeof value === 'string' && !/^(?:https?:|s3:|gs:|\/data\/)/.test(value),
  );
  return texts.length === 1 ? String(texts[0]) : null;
}

/** The results of all annotators, in their order; what was skipped is nobody's answer, and without any there are none. */
function annotationItems(
  value: unknown,
  field: string,
  line: number,
  context: ReadContext,
): { items: Item[] | null; leftOut: string[]; missing: MissingList | null } {
  const items: Item[] = [];
  const leftOut: string[] = [];
  let isAnswered = false;
  let missing: MissingList | null = null;
  const all = Array.isArray(value) ? value : [];
  all.forEach((one: unknown, at) => {
    if (!isRecord(one) || one['was_cancelled'] === true) return;
    const results = annotationList(one, ['result'], line, context);
    if (results === null) return;
    isAnswered = true;
    missing ??= results.missing;
    const annotator = field === 'predictions' ? (one['model_version'] ?? null) : nameOf(one['completed_by']);
    results.list.forEach((raw, index) => {
      const where = `${field}[${at}].result[${index}]`;
      const found = resultItems(raw, annotator, items.length, where, line, context);
      if (found === null)
        leftOut.push(isRecord(raw) ? `${describe(raw['type'])} ${labelled(raw['value'])}` : describe(raw));
      else items.push(...found);
    });
  });
  return { items: isAnswered ? items : null, leftOut, missing };
}

/** The items of one result, none if it is wrong; null if it has no place in a text. */
function resultItems(
  raw: unknown,
  annotator: unknown,
  index: number,
  field: string,
  line: number,
  context: ReadContext,
): readonly Item[] | null {
  if (!isRecord(raw)) return null;
  const place = { index, line, field, context };
  if (raw['type'] === 'relation')
    return context.kinds?.includes('relationship') === false ? null : arrows(raw, annotator, place);
  const value = isRecord(raw['value']) ? raw['value'] : {};
  if (Array.isArray(value['choices']) && !('start' in value)) {
    const choice = choiceItem(raw, value, annotator, place);
    return choice && [choice];
  }
  if (typeof value['start'] !== 'number' && typeof value['text'] !== 'string') return null;
  if (raw['type'] === 'textarea' || labelsIn(value).length === 0) return null;
  const span = spanOf(value, raw, annotator, index, field, line, context);
  return span === null ? [] : [span];
}

/** A relation for each head of the arrow: `right`, the default, points to `to_id`, `left` to `from_id`, `bi` to both. */
function arrows(raw: Fields, annotator: unknown, place: ReadPlace): readonly Item[] {
  const { id, from_id: from, to_id: to } = raw;
  const [label = 'related'] = listIn(raw['labels']);
  const direction = raw['direction'] ?? 'right';
  if (direction !== 'right' && direction !== 'left' && direction !== 'bi') {
    wrong(place.context, place.line, `${place.field}.direction`, 'right, left or bi', direction);
    return [];
  }
  const right = { source: from, target: to };
  const left = { source: to, target: from };
  const ends = { right: [right], left: [left], bi: [right, left] }[direction];
  return ends.flatMap((own, at) => {
    // Only one relation can have the id.
    const init = { label, ...own, annotator, fields: extra(raw), ...(at === 0 ? { id } : {}) };
    return relationItem(init, { ...place, index: place.index + at }) ?? [];
  });
}

function spanOf(
  value: unknown,
  raw: Fields,
  annotator: unknown,
  index: number,
  field: string,
  line: number,
  context: ReadContext,
): Item | null {
  if (!isRecord(value)) return null;
  const [label, ...more] = labelsIn(value);
  const { start, end, text } = value;
  const fields = { ...extra(raw), ...(more.length === 0 ? {} : { labels: [label, ...more] }) };
  return mentionItem({ start, end, text, label, id: raw['id'], annotator, fields }, { index, line, field, context });
}

/** A choice is a class of the case, for recipes that have any; others leave it out. */
function choiceItem(raw: Fields, value: Fields, annotator: unknown, { index, line, context }: ReadPlace): Item | null {
  if (context.kinds?.includes('class') === false) return null;
  const choices = listIn(value['choices']);
  const label = typeof raw['from_name'] === 'string' ? raw['from_name'] : 'choice';
  const fields = { choices, ...extra(raw) };
  return makeItem({
    kind: 'class',
    index,
    label,
    text: choices.join(', '),
    line,
    annotator: typeof annotator === 'string' || typeof annotator === 'number' ? String(annotator) : null,
    fields,
  });
}

function extra({ from_name, to_name, score, origin }: Fields): Fields {
  const all = { from_name, to_name, score, origin };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null));
}

/** The labels of whatever it is, for the list of what is left out. */
function labelled(value: unknown): string {
  const lists = isRecord(value) ? Object.values(value).flatMap(listIn) : [];
  return lists.join(', ');
}

/** Whatever the control is called: `labels`, `hypertextlabels`. */
function labelsIn(value: Fields): string[] {
  const key = ['labels', 'hypertextlabels', 'paragraphlabels'].find((name) => Array.isArray(value[name]));
  return key === undefined ? [] : listIn(value[key]);
}

function listIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one: unknown) => typeof one === 'string') : [];
}

function nameOf(completedBy: unknown): unknown {
  return isRecord(completedBy) ? (completedBy['email'] ?? completedBy['id'] ?? null) : (completedBy ?? null);
}

/** One annotation for each annotator, one prediction for each model. */
function task(given: WrittenCase): Fields {
  const { id, text, fields, side, items, predicted } = given;
  const found = side === 'predicted' ? items : predicted;
  const { data, ...rest } = fields;
  const record = {
    id: numberOr(id),
    data: { ...(isRecord(data) ? data : {}), ...(text === null ? {} : { text }) },
    annotations:
      side === 'predicted'
        ? []
        : resultsBy(items).map(([annotator, result]) => ({
            ...(annotator === null ? {} : { completed_by: numberOr(annotator) }),
            result,
          })),
    predictions:
      found === null
        ? []
        : resultsBy(found).map(([model, result]) => ({ ...(model === null ? {} : { model_version: model }), result })),
  };
  return withFields(record, rest, READ);
}

/** The results of each annotator; a relation goes with what it joins, which has to be of one of them. */
function resultsBy(items: readonly Item[]): [string | null, Fields[]][] {
  const { mentions, relations } = writtenItems({ items }, 'r');
  const results = [
    ...mentions.map(({ ref, item, fields }) => ({ by: item.annotator, result: regionOf(ref, item, fields) })),
    ...relations.flatMap(({ item, source, target, fields }) => {
      if (source === null || target === null || source.item.annotator !== target.item.annotator) return [];
      const ends = { from_id: source.ref, to_id: target.ref, labels: [item.label] };
      const result = { ...extra(fields), type: 'relation', direction: 'right', ...ends };
      return [{ by: source.item.annotator, result }];
    }),
  ];
  const groups = [...Map.groupBy(results, ({ by }) => by)];
  if (groups.length === 0) return [[null, []]];
  return groups.map(([by, own]) => [by, own.map(({ result }) => result)]);
}

function regionOf(id: string, item: Item, fields: Fields): Fields {
  const { labels, choices = [item.text] } = fields;
  const named = { from_name: 'label', to_name: 'text', ...extra(fields) };
  if (item.kind === 'class') return { id, type: 'choices', ...named, from_name: item.label, value: { choices } };
  const isLabelled = Array.isArray(labels) && labels[0] === item.label;
  const value = { start: item.start, end: item.end, text: item.text, labels: isLabelled ? labels : [item.label] };
  return { id, type: 'labels', ...named, value };
}

function numberOr(name: string): string | number {
  return /^(?:0|[1-9]\d{0,14})$/.test(name) ? Number(name) : name;
}
