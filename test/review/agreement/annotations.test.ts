import { describe, expect, it } from 'vitest';

import { holdsSpans, readAnnotations, type Annotations } from '../../../src/review/agreement/annotations.ts';
import { peekTable } from '../../../src/data/record-table.ts';
import { memorySource } from '../../../src/data/source.ts';

async function read(content: string, name = 'docs.json'): Promise<Annotations> {
  const source = memorySource(name, content);
  const { kind, names } = await peekTable(source);
  expect(holdsSpans(kind, names)).toBe(true);
  return readAnnotations(source);
}

const span = (annotator: string | null, start: number, end: number, text: string) => ({
  ...(annotator === null ? {} : { annotator }),
  span_text: text,
  start_offset: start,
  end_offset: end,
  entity_type: 'PERSON',
});
const TEXT = '🙂 Ann met Bo.';

describe('documents with spans by annotator', () => {
  it('are read with each annotator’s spans, null where there are none, annotators in natural order', async () => {
    const { annotators, documents } = await read(
      JSON.stringify([
        {
          doc_id: 'd1',
          text: TEXT,
          annotations: [span('a10', 2, 5, 'Ann'), span('a2', 2, 5, 'Ann'), span('a2', 10, 12, 'Bo')],
        },
        { doc_id: 'd2', text: TEXT, annotations: [span('a2', 2, 5, 'Ann')] },
      ]),
    );
    expect(annotators).toEqual(['a2', 'a10']);
    // Offsets count characters in the file and UTF-16 units from here on.
    expect(documents[0]!.spans[0]!.map(({ start, end }) => [start, end])).toEqual([
      [3, 6],
      [11, 13],
    ]);
    expect(documents[1]!.spans[1]).toBeNull();
  });

  it('may say who annotated them, so that no span is an answer', async () => {
    const { documents } = await read(
      JSON.stringify([
        { doc_id: 'd1', text: TEXT, annotators: ['a', 'b'], annotations: [span('a', 2, 5, 'Ann')] },
        { doc_id: 'd2', text: TEXT, annotations: [span('b', 2, 5, 'Ann')] },
      ]),
    );
    expect(documents.map(({ spans }) => spans.map((own) => own?.length ?? null))).toEqual([
      [1, 0],
      [null, 1],
    ]);
  });

  it('may be a long file of which the first record does not fit into the first chunk', async () => {
    const long = `${'x'.repeat(200_000)} Ann`;
    const record = {
      doc_id: 'd1',
      text: long,
      annotations: [span('a', 200_001, 200_004, 'Ann'), span('b', 200_001, 200_004, 'Ann')],
    };
    expect((await read(`${JSON.stringify(record)}\n`, 'docs.jsonl')).documents).toHaveLength(1);
  });

  it('may be a table with a row for each span', async () => {
    const { annotators, documents } = await read(
      'id,start,end,label,annotator\nd1,0,3,PERSON,a\nd1,0,4,PERSON,b\n',
      'spans.csv',
    );
    expect(annotators).toEqual(['a', 'b']);
    expect(documents[0]!.spans.map((own) => own?.length)).toEqual([1, 1]);
  });

  it('are refused where a span is not its slice, has no annotator, or nobody else marked anything', async () => {
    const docs = (...annotations: readonly unknown[]): string =>
      JSON.stringify([{ doc_id: 'd1', text: TEXT, annotations }]);
    await expect(read(docs(span('a', 2, 5, 'Bob'), span('b', 2, 5, 'Ann')))).rejects.toThrow(/docs\.json:1.*Bob/);
    await expect(read(docs(span(null, 2, 5, 'Ann')))).rejects.toThrow('does not say who marked it');
    await expect(read(docs(span('a', 2, 5, 'Ann')))).rejects.toThrow('only one annotator, "a"');
    await expect(read(docs())).rejects.toThrow('nobody marked a span');
    await expect(
      read(JSON.stringify([{ doc_id: 'd1', text: TEXT, annotators: 'a', annotations: [span('a', 2, 5, 'Ann')] }])),
    ).rejects.toThrow('annotators: expected a list of names');
  });

  it('are told from ratings', () => {
    expect(holdsSpans('json', ['item', 'rater', 'label'])).toBe(false);
    expect(holdsSpans('csv', ['item', 'start', 'end'])).toBe(false);
  });
});
