/** Each text has Bo once, behind characters of one, two and four bytes. */
export const TEXTS = ['Ann met Bo.', 'Zoë saw Bo 🙂.', '🙂 Bo left.', 'Ann, Bo.'];

/** A record of a tool, with its list of annotations under this name. */
export interface AnnotationShape {
  readonly list: string;
  /** Of this text. */
  readonly items: (text: string) => readonly unknown[];
  readonly record: (id: string, text: string) => Record<string, unknown>;
  /** The record with its list somewhere inside it, if not directly in it. */
  readonly wrap?: (record: Record<string, unknown>, lists: Record<string, unknown>) => Record<string, unknown>;
  readonly recipe?: 'triples/exact' | 'graph/openspec' | 'journal/ashwam';
  /** Whether records without any list show the tool. */
  readonly isShown?: boolean;
  /** The only side that the list is, if not either. */
  readonly side?: 'gold' | 'predicted';
}

const plain = (id: string, text: string): Record<string, unknown> => ({ id, text });

/** The place of Bo in code points, under these names. */
function placeOf(text: string, start = 'start', end = 'end'): Record<string, number> {
  const at = Array.from(text.slice(0, text.indexOf('Bo'))).length;
  return { [start]: at, [end]: at + 2 };
}

function listed(text: string): unknown[] {
  return [...Object.values(placeOf(text)), 'PER'];
}

function tokenOf(text: string): number {
  return text.split(' ').findIndex((word) => word.startsWith('Bo'));
}

function labelStudioRegion(text: string): object {
  const start = text.indexOf('Bo');
  return { start, end: start + 2, text: 'Bo', labels: ['PER'] };
}

/** Every format of JSON records with a list of annotations, and the names that its tools have for the list. */
export const SHAPES: Readonly<Record<string, AnnotationShape>> = {
  'spans (plain)': { list: 'spans', items: (text) => [{ ...placeOf(text), label: 'PER' }], record: plain },
  'spans: gold': { list: 'gold', items: (text) => [{ ...placeOf(text), label: 'PER' }], record: plain, side: 'gold' },
  'spans: predicted': {
    list: 'predicted',
    items: (text) => [{ ...placeOf(text), label: 'PER' }],
    record: plain,
    side: 'predicted',
  },
  'spans (quotes)': { list: 'spans', items: () => [{ text: 'Bo', label: 'PER' }], record: plain },
  prodigy: {
    list: 'spans',
    items: (text) => [{ ...placeOf(text), label: 'PER' }],
    record: (id, text) => ({ id, text, answer: 'accept' }),
    isShown: true,
  },
  doccano: { list: 'label', items: (text) => [listed(text)], record: plain },
  'doccano: annotations': {
    list: 'annotations',
    items: (text) => [{ ...placeOf(text, 'start_offset', 'end_offset'), label: 'PER', user: 1 }],
    record: plain,
  },
  'spacy-json': {
    list: 'ents',
    items: (text) => [{ ...placeOf(text), label: 'PER' }],
    record: (id, text) => ({ id, text, tokens: [{ id: 0, start: 0, end: 1 }] }),
    isShown: true,
  },
  'spacy-pairs': { list: 'entities', items: (text) => [listed(text)], record: plain },
  langextract: {
    list: 'extractions',
    items: (text) => [
      { extraction_class: 'PER', extraction_text: 'Bo', char_interval: placeOf(text, 'start_pos', 'end_pos') },
    ],
    record: (document_id, text) => ({ document_id, text }),
  },
  presidio: {
    list: 'results',
    items: (text) => [{ entity_type: 'PER', ...placeOf(text), score: 0.5 }],
    record: plain,
  },
  'presidio-research': {
    list: 'spans',
    items: (text) => [{ entity_type: 'PER', entity_value: 'Bo', ...placeOf(text, 'start_position', 'end_position') }],
    record: (sample_id, full_text) => ({ sample_id, full_text }),
    isShown: true,
  },
  'hugging-face': {
    list: 'entities',
    items: (text) => [{ entity_group: 'PER', word: 'Bo', ...placeOf(text), score: 0.5 }],
    record: plain,
  },
  'hugging-face: spans': {
    list: 'spans',
    items: (text) => [{ entity_group: 'PER', word: 'Bo', ...placeOf(text), score: 0.5 }],
    record: plain,
  },
  'model-json': { list: 'entities', items: () => [{ text: 'Bo', type: 'PER' }], record: plain },
  'model-json: pii': { list: 'pii', items: () => [{ value: 'Bo', category: 'PER' }], record: plain },
  gliner: {
    list: 'ner',
    items: (text) => [[tokenOf(text), tokenOf(text), 'PER']],
    record: (id, text) => ({ id, tokenized_text: text.split(' '), text }),
    isShown: true,
  },
  dygie: {
    list: 'ner',
    items: (text) => [[[tokenOf(text), tokenOf(text), 'PER']]],
    record: (doc_key, text) => ({ doc_key, sentences: [text.split(' ')] }),
    isShown: true,
  },
  'tagged-records': {
    list: 'ner_tags',
    items: (text) => text.split(' ').map((_, at) => (at === tokenOf(text) ? 'B-PER' : 'O')),
    record: (id, text) => ({ id, tokens: text.split(' ') }),
  },
  'annotated-documents': {
    list: 'annotations',
    items: (text) => [{ span_text: 'Bo', ...placeOf(text, 'start_offset', 'end_offset'), entity_type: 'PER' }],
    record: (doc_id, text) => ({ doc_id, text }),
    side: 'gold',
  },
  'annotated-documents: TAB': {
    list: 'entity_mentions',
    items: (text) => [{ span_text: 'Bo', ...placeOf(text, 'start_offset', 'end_offset'), entity_type: 'PER' }],
    record: (doc_id, text) => ({ doc_id, text }),
    wrap: (record, lists) => ({ ...record, annotations: { annotator1: lists } }),
    isShown: true,
    side: 'gold',
  },
  'label-studio': {
    list: 'result',
    items: (text) => [{ id: 'a', type: 'labels', value: labelStudioRegion(text) }],
    record: (id, text) => ({ id, data: { text } }),
    wrap: (record, lists) => ({ ...record, annotations: [{ completed_by: 1, ...lists }] }),
    isShown: true,
  },
  'label-studio: JSON_MIN': { list: 'label', items: (text) => [labelStudioRegion(text)], record: plain },
  graph: {
    list: 'entities',
    items: () => [{ temp_id: 'e1', name: 'Bo', type: 'PER' }],
    record: (id, text) => ({ id, input: { document_text: text } }),
    wrap: (record, lists) => ({ ...record, expected_output: { note: '', ...lists } }),
    recipe: 'graph/openspec',
    isShown: true,
    side: 'gold',
  },
  triples: {
    list: 'triples',
    items: () => [{ subject: 'Ann', predicate: 'met', object: 'Bo' }],
    record: plain,
    recipe: 'triples/exact',
  },
  'triples: relations': {
    list: 'relations',
    items: () => [{ head: 'Ann', relation: 'met', tail: 'Bo' }],
    record: plain,
    recipe: 'triples/exact',
  },
  'text2kgbench: gold': {
    list: 'gt_triples',
    items: () => [['Ann', 'met', 'Bo']],
    record: (id, sent) => ({ id, sent }),
    recipe: 'triples/exact',
    side: 'gold',
  },
  'text2kgbench: predictions': {
    list: 'llm_triples',
    items: () => [['Ann', 'met', 'Bo']],
    record: (id, sent) => ({ id, sent }),
    recipe: 'triples/exact',
    side: 'predicted',
  },
  'function-calls': {
    list: 'ground_truth',
    items: () => [{ area: { base: [10] } }],
    record: (id) => ({ id }),
    recipe: 'triples/exact',
  },
  journal: {
    list: 'items',
    items: () => [
      { domain: 'food', evidence_span: 'Bo', polarity: 'present', intensity_bucket: 'low', time_bucket: 'today' },
    ],
    record: (journal_id, text) => ({ journal_id, text }),
    recipe: 'journal/ashwam',
  },
};

/** What a record has in place of a list with something in it. */
export type Gap = 'absent' | 'null' | 'empty';

/** The records of a tool for all texts; those at these numbers have a gap instead of annotations. */
export function recordsOf(shape: AnnotationShape, gap: Gap, gaps: readonly number[]): Record<string, unknown>[] {
  return TEXTS.map((text, at) => {
    const record = shape.record(`d${at}`, text);
    const items = shape.items(text);
    const empty = shape.list === 'ner_tags' ? items.map(() => 'O') : [];
    const value = !gaps.includes(at) ? items : gap === 'null' ? null : empty;
    const lists = gap === 'absent' && gaps.includes(at) ? {} : { [shape.list]: value };
    return shape.wrap?.(record, lists) ?? { ...record, ...lists };
  });
}
