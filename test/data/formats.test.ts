import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { formatNamed, formatOfFile, FORMATS } from '../../src/data/formats.ts';
import { graph } from '../../src/data/formats/graph.ts';
import { journal } from '../../src/data/formats/journal.ts';
import { UsageError } from '../../src/data/problems.ts';
import { memorySource } from '../../src/data/source.ts';
import { caseOf, jsonl, problems, readerOf } from './reading.ts';

const examples = new URL('../../examples/', import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, examples), 'utf8');
const EMPTY = { journal: jsonl({ journal_id: 'x', items: [] }), spans: jsonl({ id: 'x', spans: [] }) };

/** The format that reading a file as gold ends up with, found before any complaint. */
async function detected(name: string, content: string): Promise<string> {
  const reader = readerOf({ gold: memorySource(name, content), predictions: EMPTY.spans });
  await Array.fromAsync(reader).catch(() => []);
  return reader.files()[0]!.format;
}

describe('every format is found', () => {
  it.each([
    ['journal/gold.jsonl', 'journal'],
    ['journal/journals.jsonl', 'journal'],
    ['graph/items.jsonl', 'graph'],
    ['graph/outputs.jsonl', 'graph'],
    ['pii/docs.json', 'annotated-documents'],
    ['pii/gold.jsonl', 'spans'],
    ['pii/predictions.jsonl', 'spans'],
    ['pii/gold.csv', 'csv'],
    ['pii/gold.bio', 'conll'],
  ])('in %s, with and without its name, packed or not', async (path, format) => {
    const content = text(path);
    expect(await detected(path, content)).toBe(format);
    expect(await detected('standard input', content)).toBe(format);
    expect(await detected('data.txt', `\n\n${content}`)).toBe(format);
    expect(await detected(`${path}.gz`, content)).toBe(format);
  });

  it.each([
    ['{"id":"J1","items":[{"domain":"food","evidence_span":"chai"}]}', 'journal'],
    ['{"id":"J1","items":[]}', 'journal'],
    ['{"id":"d1","presidio_detected_pii":[]}', 'annotated-documents'],
    ['{"id":"d1","annotations":[]}', 'annotated-documents'],
    ['{"id":"g1","entities":[],"relationships":[]}', 'graph'],
    ['{"id":"g1","expectedOutput":{}}', 'graph'],
    ['{"id":"d1","text":"x"}', 'spans'],
    ['{"id":"d1","predictions":[{"start":0,"end":1,"label":"X"}]}', 'spans'],
    ['{"case":"d1","gold":[],"predicted":[]}', 'spans'],
    ['{\n  "id": "d1",\n  "spans": []\n}', 'spans'],
    ['[{"id":"d1","spans":[]}]', 'spans'],
    ['  [\n\n  {"id":"d1","spans":[]}]', 'spans'],
    ['id;start;end;label\nd1;0;1;X', 'csv'],
    ['id\tstart\tend\tlabel\nd1\t0\t1\tX', 'csv'],
    ['id,text\nd1,Blood type O\nd2,Blood type O', 'csv'],
    ['[ O\nAnn B-PER\n] O\n', 'conll'],
    ['-DOCSTART- -X- O\n\nAnn NNP B-PER\n', 'conll'],
  ])('in %j', async (content, format) => {
    expect(await detected('standard input', content)).toBe(format);
  });

  it('by content where the name says something else', async () => {
    expect(await detected('gold.csv', '{"id":"d1","spans":[]}')).toBe('spans');
    expect(await detected('gold.json', '{"id":"d1","spans":[]}\n{"id":"d2","spans":[]}')).toBe('spans');
  });

  it('by name where the content says nothing', () => {
    expect(formatOfFile('id\nd1\n', 'x.csv', null)?.name).toBe('csv');
    expect(formatOfFile('Ann PER\n', 'x.BIO.gz', null)?.name).toBe('conll');
  });
});

describe('a file that is nothing known', () => {
  it('is refused with how it begins', async () => {
    expect(
      await problems({
        gold: memorySource('a.doc', 'Dear Sir or Madam\nI am writing\u001b[2J'),
        predictions: EMPTY.spans,
      }),
    ).toEqual([
      'a.doc:1: unknown file format: it begins with "Dear Sir or Madam" (expected JSON records, a table with a header, tagged tokens or a file of an annotation tool; --format names it, assay convert --help lists the formats)',
    ]);
  });

  it('or a record that is nothing known is refused with its fields', async () => {
    expect(
      await problems({ gold: jsonl({ id: 'd1', entries: [], 'a\u001b[2J': 1 }), predictions: EMPTY.spans }),
    ).toEqual([
      'gold.jsonl:1: unknown file format: a record with id, entries, a\\u001b[2J (the closest shape that is read: {"id":"d1","text":"Ann met Bo.","spans":[{"start":0,"end":3,"label":"PERSON"}]}; other names with --columns; --format names it, assay convert --help lists the formats)',
    ]);
    expect((await problems({ gold: '{}', predictions: EMPTY.spans }))[0]).toContain('a record with no fields');
  });

  it('but JSON lines with a bad first one are read on', async () => {
    expect(await problems({ gold: '{id: 1}\n{"id":"x","spans":[]}\n', predictions: EMPTY.spans })).toEqual([
      expect.stringMatching(/^gold\.jsonl:1: not JSON at character 2/),
    ]);
  });
});

describe('a named format', () => {
  it.each([
    ['jurnal', 'did you mean journal?'],
    ['CSV', 'did you mean csv?'],
    ['annotated', 'did you mean annotated-documents?'],
    ['xlsx', expect.stringMatching(/^formats: .*\bspans\b.*, csv$/)],
  ])('that is called %s suggests the nearest', (name, next) => {
    const wrong = (): unknown => formatNamed(name);
    expect(wrong).toThrow(UsageError);
    expect(wrong).toThrow(`there is no format called ${name}`);
    expect(wrong).toThrow(expect.objectContaining({ next }));
    expect(() => readerOf({ gold: '' }, { format: name })).toThrow(UsageError);
  });

  it.each([
    ['csv', EMPTY.spans, 'the format csv was named, but this looks like JSON (leave --format out)'],
    ['conll', EMPTY.spans, 'the format conll was named, but this looks like JSON (leave --format out)'],
    ['csv', '[\n{"id":"d1","spans":[]}]', 'the format csv was named, but this looks like JSON (leave --format out)'],
    [
      'journal',
      EMPTY.spans,
      'the format journal was named, but this looks like spans (--format spans, or leave it out)',
    ],
    ['graph', EMPTY.spans, 'the format graph was named, but this looks like spans (--format spans, or leave it out)'],
    [
      'spans',
      EMPTY.journal,
      'the format spans was named, but this looks like journal (--format journal, or leave it out)',
    ],
    [
      'spans',
      'id,start,end,label\n',
      'the format spans was named, but this looks like csv (--format csv, or leave it out)',
    ],
    ['graph', 'Ann B-PER\n', 'the format graph was named, but this looks like conll (--format conll, or leave it out)'],
  ])('%s that does not fit %j says what does', async (format, content, message) => {
    expect(await problems({ gold: content, predictions: content }, { format })).toEqual([
      `gold.jsonl:1: ${message}`,
      `predictions.jsonl:1: ${message}`,
    ]);
  });

  it('that fits is not blamed for other faults of the record', async () => {
    const gold = jsonl({ id: 'x', journal_id: 'x', spans: [null] });
    expect(await problems({ gold, predictions: EMPTY.spans }, { format: 'spans' })).toEqual([
      'gold.jsonl:1: spans[0]: expected a span (an object with start, end and label), found null',
    ]);
  });

  it('that fits is taken, however the file looks', async () => {
    const reader = readerOf(
      {
        cases: jsonl({ id: 'J1', text: 'x' }),
        gold: jsonl({ id: 'J1', items: [] }),
        predictions: jsonl({ id: 'J1', items: [] }),
      },
      { format: 'journal' },
    );
    expect(await Array.fromAsync(reader)).toHaveLength(1);
    expect(reader.files().map(({ format }) => format)).toEqual(['journal', 'journal', 'journal']);
  });
});

describe('every format', () => {
  it('has a name of its own, and an example that reads', async () => {
    expect(new Set(FORMATS.map(({ name }) => name)).size).toBe(FORMATS.length);
    for (const format of FORMATS) {
      // A table needs its column map, and bytes cannot be shown.
      if (format.name === 'csv' || format.example === '') continue;
      expect(await detected('standard input', format.example)).toBe(format.name);
    }
  });

  it.each([
    [journal, { journal_id: 'J1', text: 'tea' }, { items: [{ domain: 'food', evidence_span: 'tea' }] }, 'J1', ['tea']],
    [graph, 'Ann', { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] }, 'i1', ['Ann']],
  ])('that writes a line reads it: $name', async (format, input, output, id, found) => {
    const expected = {
      id,
      [format === journal ? 'items' : 'entities']: [],
      ...(format === graph ? { relationships: [] } : {}),
    };
    const read = (line: object) => caseOf({ gold: jsonl(expected), predictions: jsonl(line) }, { format: format.name });
    const answered = await read(format.predictionLine({ id: 'i1', input, output }));
    expect(answered).toMatchObject({ id, failed: null });
    expect(answered.predicted.map(({ text: own }) => own)).toEqual(found);
    const failed = await read(format.predictionLine({ id: 'i1', input, error: 'server: down' }));
    expect(failed).toMatchObject({ id, failed: 'server: down', predicted: [] });
  });
});
