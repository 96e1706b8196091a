import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { InputError, Problems } from '../../../src/data/problems.ts';
import { memorySource } from '../../../src/data/source.ts';
import { type FieldFlags, fieldMap } from '../../../src/experiment/datasets/field-map.ts';
import type { ItemTask } from '../../../src/experiment/datasets/item-schemas.ts';
import { readItems } from '../../../src/experiment/datasets/read-items.ts';
import { Notes } from '../../../src/experiment/datasets/record-item.ts';
import type { DatasetItemInit } from '../../../src/store/records.ts';

interface Given {
  readonly name?: string;
  readonly gold?: string;
  readonly task?: ItemTask;
  readonly flags?: FieldFlags;
  readonly annotator?: string;
}

interface Found {
  readonly items: DatasetItemInit[];
  readonly lines: number[];
  readonly notes: string[];
  readonly problems: string[];
}

async function read(content: string | Uint8Array, given: Given = {}): Promise<Found> {
  const problems = new Problems();
  const notes = new Notes();
  const items: DatasetItemInit[] = [];
  const lines: number[] = [];
  const files = {
    sources: [memorySource(given.name ?? 'items.jsonl', content)],
    gold: given.gold === undefined ? null : memorySource('gold.jsonl', given.gold),
    map: fieldMap(given.flags ?? {}),
    task: given.task ?? null,
    annotator: given.annotator ?? null,
  };
  for await (const one of readItems(files, problems, notes)) {
    items.push(one.item);
    lines.push(one.line);
  }
  return { items, lines, notes: [...notes].map(([note, times]) => `${times} ${note}`), problems: said(problems) };
}

function said(problems: Problems): string[] {
  try {
    problems.throwIfAny();
    return [];
  } catch (error) {
    if (error instanceof InputError) return error.message.split('\n');
    throw error;
  }
}

const jsonl = (...records: unknown[]): string => records.map((record) => JSON.stringify(record)).join('\n');

describe('items in JSON', () => {
  const item = { id: 'a', input: { x: 1 }, expected_output: { y: 2 }, metadata: { z: 3 } };
  const made = { id: 'a', input: { x: 1 }, expectedOutput: { y: 2 }, metadata: { z: 3 } };

  it('are read from lines, from an array and from what is packed', async () => {
    expect((await read(jsonl(item))).items).toEqual([made]);
    expect((await read(JSON.stringify([item], null, 2), { name: 'items.json' })).items).toEqual([made]);
    expect((await read(gzipSync(jsonl(item)), { name: 'items.jsonl.gz' })).items).toEqual([made]);
    expect((await read(`\ufeff${jsonl(item)}`)).items).toEqual([made]);
  });

  it('may be as the server writes them', async () => {
    const { items, notes } = await read(
      jsonl({
        id: 'a',
        datasetId: 'd',
        datasetName: 'n',
        createdAt: '2026-01-01',
        updatedAt: '2026-01-01',
        input: 1,
        expectedOutput: 2,
        metadata: null,
        sourceTraceId: 't',
        sourceObservationId: null,
        status: 'ARCHIVED',
      }),
    );
    expect(items).toEqual([{ id: 'a', input: 1, expectedOutput: 2, sourceTraceId: 't', status: 'ARCHIVED' }]);
    expect(notes).toEqual([]);
  });

  it('may lack id, expected output and metadata, but not the input', async () => {
    const { items, problems } = await read(
      jsonl({ input: 'hi' }, { id: 'b', expected_output: 1 }, { id: 'c', inputs: 1, expected_output: 1 }),
    );
    expect(items).toEqual([{ input: 'hi' }]);
    expect(problems).toEqual([
      'items.jsonl:2: input: expected an input, found nothing',
      'items.jsonl:3: input: expected an input, found nothing (is it inputs?)',
    ]);
  });

  it('keep other fields under metadata, and say so', async () => {
    const { items, notes } = await read(
      jsonl({ id: 1, input: 1, difficulty: 'hard', source: 'ward', metadata: { z: 1 } }),
    );
    expect(items).toEqual([{ id: '1', input: 1, metadata: { z: 1, difficulty: 'hard', source: 'ward' } }]);
    expect(notes).toEqual(['1 difficulty put under metadata', '1 source put under metadata']);
  });

  it('do not lose a misspelt answer among the metadata', async () => {
    const { problems } = await read(
      jsonl({ id: 'a', input: 1, expectd_output: 1 }, { id: 'b', input: 1, expected: 1 }),
    );
    expect(problems).toEqual([
      'items.jsonl:1: expectd_output: expected a field of an item, found 1 (did you mean expected_output?)',
      'items.jsonl:2: expected: expected a field of an item, found 1 (did you mean expected_output?)',
    ]);
  });

  it('tell all that is wrong with them at once, each with its line', async () => {
    const { items, problems } = await read(
      [
        '{"id":"a","input":{"__proto__":{"admin":true}}}',
        'nope',
        '[1]',
        jsonl({ foo: 1 }),
        jsonl({ id: '', input: 1 }),
        '{"id":9007199254740993,"input":1}',
        jsonl({ id: 'b', input: 1, status: 'GONE' }),
        jsonl({ id: 'c', input: 1, metadata: [1] }),
        `{"id":"d","input":${'['.repeat(600)}${']'.repeat(600)}}`,
      ].join('\n'),
    );
    expect(items).toEqual([]);
    expect(problems).toEqual([
      expect.stringContaining('items.jsonl:1: item.input: the key __proto__ is not allowed'),
      expect.stringContaining('items.jsonl:2: not JSON'),
      expect.stringContaining('items.jsonl:3: expected a JSON object, found a list of 1'),
      expect.stringContaining('items.jsonl:4: expected an item with input and expected_output'),
      expect.stringContaining('items.jsonl:5: id: expected a case id'),
      'items.jsonl:6: id: the number 9007199254740993 would become 9007199254740992 (write it as text, in quotes)',
      expect.stringContaining('items.jsonl:7: status: expected ACTIVE or ARCHIVED'),
      expect.stringContaining('items.jsonl:8: metadata: expected an object'),
      expect.stringContaining('items.jsonl:9: item.input: nested more than 500 levels'),
    ]);
  });

  it.each([
    ['', 'the file is empty'],
    ['\n\n', 'the file holds only blank lines'],
    ['[]', 'no record was found'],
  ])('have to be there: %j is told', async (content, message) => {
    expect((await read(content, { name: 'items.json' })).problems[0]).toContain(message);
  });

  it.each([
    ['12345678901234567890', 'would become 12345678901234567000'],
    ['-9007199254740993', 'would become -9007199254740992'],
    ['1e999', 'is beyond the greatest that can be kept'],
    ['-1e-999', 'is nearer to 0 than can be kept'],
  ])('are refused with the number %s, which would be kept as another', async (number, fate) => {
    const { items, problems } = await read(`{"id":"a","input":{"x":[0,{"y z":${number}}]},"metadata":{"n":1}}`);
    expect(items).toEqual([]);
    expect(problems).toEqual([
      `items.jsonl:1: input.x[1].y z: the number ${number} ${fate} (write it as text, in quotes)`,
    ]);
  });

  it('may hold numbers that stay what they are, and digits in texts', async () => {
    const input = '[9007199254740991,100000000000000000000,1e300,0e999,0.1234567890123456789,"12345678901234567890"]';
    const { items, problems } = await read(`{"id":"a","input":${input}}`);
    expect(problems).toEqual([]);
    expect(items).toEqual([
      {
        id: 'a',
        input: [9007199254740991, 1e20, 1e300, 0, 0.12345678901234568, '12345678901234567890'],
      },
    ]);
  });

  it('that are too long are told without a flag that importing does not have', async () => {
    const long = `{"id":"a","input":"${'x'.repeat(64 * 1048576)}"}\n{"id":"b","input":1}\n`;
    const { items, problems } = await read(long);
    expect(items).toEqual([{ id: 'b', input: 1 }]);
    expect(problems).toEqual([
      'items.jsonl:1: the record is longer than 64 MiB (one item a record is expected, and longer ones are not taken)',
    ]);
  });

  it('are mapped from other fields when flags say so', async () => {
    const { items, problems } = await read(
      jsonl({ nr: 7, q: 'Why?', a: '{"b":1}', c: 'x' }, { nr: 8, q: 'Who?', a: null }),
      {
        flags: { id: 'nr', input: 'question=q', expected: 'a', json: 'a' },
      },
    );
    expect(problems).toEqual([]);
    expect(items).toEqual([
      { id: '7', input: { question: 'Why?' }, expectedOutput: { b: 1 }, metadata: { c: 'x' } },
      { id: '8', input: { question: 'Who?' } },
    ]);
  });

  it('are told when no record has a field that was named', async () => {
    const { problems } = await read(jsonl({ q: 1 }), { flags: { input: 'q', expected: 'answer' } });
    expect(problems).toEqual(['items.jsonl: no record has a field called "answer"']);
  });
});

describe('items in tables', () => {
  const table = '\ufeffnr;question;answer;topic\r\n1;"What; is\r\nit?";"A ""b""";x\r\n2;Why?;;\r\n';

  it('are read with a byte order mark, semicolons and line breaks in cells', async () => {
    const { items, lines } = await read(table, {
      name: 't.csv',
      flags: { id: 'nr', input: 'question', expected: 'answer' },
    });
    expect(items).toEqual([
      { id: '1', input: 'What; is\r\nit?', expectedOutput: 'A "b"', metadata: { topic: 'x' } },
      { id: '2', input: 'Why?' },
    ]);
    expect(lines).toEqual([2, 4]);
  });

  it.each(['sep=;\r\n', '"sep=;"\n', 'SEP=;\n'])('may begin with %j, as Excel writes it', async (note) => {
    const found = await read(`\ufeff${note}id;input\n1;a,b\n2\n`, { name: 't.csv' });
    expect(found).toMatchObject({ items: [{ id: '1', input: 'a,b' }], lines: [3] });
    expect(found.problems).toEqual(['t.csv:4: row: expected 2 cells as in the header, found 1']);
  });

  it('make objects of several columns, under names of the user’s own', async () => {
    const { items } = await read(table, {
      name: 't.csv',
      flags: { input: 'question,about=topic', expected: 'text=answer', metadata: 'nr' },
    });
    expect(items).toEqual([
      { input: { question: 'What; is\r\nit?', about: 'x' }, expectedOutput: { text: 'A "b"' }, metadata: { nr: '1' } },
      { input: { question: 'Why?' }, metadata: { nr: '2' } },
    ]);
  });

  it('need no flags where columns are called as the parts are', async () => {
    const content = 'id,input,expected_output,metadata,lang\ni1,hi,"{""a"":[1]}","{""k"":1}",en\n';
    const { items } = await read(content, { name: 't.csv', flags: { json: 'expected_output,metadata' } });
    expect(items).toEqual([{ id: 'i1', input: 'hi', expectedOutput: { a: [1] }, metadata: { k: 1, lang: 'en' } }]);
  });

  it.each<[string, string, FieldFlags, string]>([
    [
      'a column that is not there',
      'a,answer\n1,2\n',
      { input: 'a', expected: 'answr' },
      't.csv:1: there is no column "answr" (did you mean answer?)',
    ],
    [
      'no input',
      'a,b\n1,2\n',
      {},
      't.csv:1: which columns are the input? There are a, b (name them with --input COLUMN,COLUMN, and what is expected with --expected COLUMN)',
    ],
    [
      'a cell that is no JSON',
      'input\n{\n',
      { json: 'input' },
      't.csv:2: input: expected JSON, because of --json, found "{"',
    ],
    [
      'a number in a cell of JSON that would be kept as another',
      'input\n"{""a"":[1e999]}"\n',
      { json: 'input' },
      't.csv:2: input.a[0]: the number 1e999 is beyond the greatest that can be kept (write it as text, in quotes)',
    ],
    ['too few cells', 'input,b\n1\n', {}, 't.csv:2: row: expected 2 cells as in the header, found 1'],
    [
      'a column that is there twice',
      'input,input\n1,2\n',
      {},
      't.csv:1: header: expected each column name once, found "input" again (rename one of them)',
    ],
    [
      'a column called __proto__',
      'input,__proto__\n1,2\n',
      {},
      't.csv:1: header: a column cannot be called __proto__ (rename or remove it)',
    ],
    ['an empty input', 'input,b\n,2\n', {}, 't.csv:2: input: expected an input, found nothing'],
    ['a header alone', 'input,b\n', {}, 't.csv: no record was found in this file'],
  ])('tell of %s', async (_, content, flags, problem) => {
    expect((await read(content, { name: 't.csv', flags })).problems).toEqual([problem]);
  });

  it.each(['', 'a,,b', 'x=', 'a,__proto__'])('refuse %j as a list of columns', (input) => {
    expect(() => fieldMap({ input })).toThrow('expected names of columns');
  });

  it('refuse a field that is made of two columns', () => {
    expect(() => fieldMap({ input: 'x=a,x=b' })).toThrow('x is there twice');
  });
});

describe('files of the tasks', () => {
  const entry = { journal_id: 'J1', text: 'chai', lang_hint: 'en' };
  const object = { domain: 'food', evidence_span: 'chai', polarity: 'present' };

  it('join diary entries with their gold', async () => {
    const { items, problems } = await read(jsonl(entry, { ...entry, journal_id: 'J2' }), {
      gold: jsonl({ journal_id: 'J2', items: [] }, { journal_id: 'J1', items: [object] }),
      task: 'journal',
    });
    expect(problems).toEqual([]);
    expect(items).toEqual([
      { id: 'J1', input: entry, expectedOutput: { items: [object] } },
      { id: 'J2', input: { ...entry, journal_id: 'J2' }, expectedOutput: { items: [] } },
    ]);
  });

  it('never drop gold or leave an entry without it in silence', async () => {
    const { problems } = await read(jsonl(entry), {
      gold: jsonl({ journal_id: 'j1', items: [] }, { journal_id: 'j1', items: [] }, { id: 'x' }),
    });
    expect(problems).toEqual([
      'gold.jsonl:1: gold for "j1", which is none of the cases (add the case or remove the gold)',
      'gold.jsonl:2: the id "j1" was given before in this file',
      'gold.jsonl:3: no gold in this record: it has id (items, spans, annotations, entities or expected_output are looked for)',
      'items.jsonl:1: no gold for "J1" in gold.jsonl (give it an empty list there, or leave the case out)',
    ]);
  });

  it('refuse an answer beside the gold file', async () => {
    const { problems } = await read(jsonl({ ...entry, items: [] }), { gold: jsonl({ journal_id: 'J1', items: [] }) });
    expect(problems[0]).toContain('items.jsonl:1: has an expected output already, beside gold.jsonl');
  });

  it('take entries with their objects, and graph items with gold of their own', async () => {
    expect((await read(jsonl({ ...entry, items: [object] }))).items).toEqual([
      { id: 'J1', input: entry, expectedOutput: { items: [object] } },
    ]);
    const graph = { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] };
    const joined = await read(jsonl({ id: 'g', input: { document_text: 'Ann' } }), {
      gold: jsonl({ id: 'g', ...graph }),
    });
    expect(joined.items).toEqual([{ id: 'g', input: { document_text: 'Ann' }, expectedOutput: graph }]);
  });

  it('make spans of documents, and leave a system’s output out', async () => {
    const { items, notes } = await read(
      jsonl(
        { id: 'd1', text: 'Ann', spans: [{ start: 0, end: 3, label: 'PERSON' }], predicted: [], court: 'x' },
        {
          doc_id: 'd2',
          text: 'Bo',
          annotations: [{ annotator: 'a1', start_offset: 0, end_offset: 2, entity_type: 'PERSON', span_text: 'Bo' }],
          sys_detected_pii: [],
        },
      ),
    );
    expect(items).toEqual([
      {
        id: 'd1',
        input: { text: 'Ann' },
        expectedOutput: { spans: [{ start: 0, end: 3, label: 'PERSON' }] },
        metadata: { court: 'x' },
      },
      {
        id: 'd2',
        input: { text: 'Bo' },
        expectedOutput: { spans: [{ annotator: 'a1', start: 0, end: 2, label: 'PERSON', text: 'Bo' }] },
      },
    ]);
    expect(notes).toEqual([
      "1 predicted left out: a system's output is no part of a dataset",
      "1 sys_detected_pii left out: a system's output is no part of a dataset",
    ]);
  });

  it('ask whose annotations count where there are several annotators', async () => {
    const by = (annotator: string): object => ({ annotator, start_offset: 0, end_offset: 2, entity_type: 'PERSON' });
    const content = jsonl({ doc_id: 'd', text: 'Bo', annotations: [by('a10'), by('a2')] });
    expect((await read(content)).problems).toEqual([
      'items.jsonl:1: annotations: expected one annotator, found "a2, a10" (choose with --annotator first or NAME)',
    ]);
    const span = { start: 0, end: 2, label: 'PERSON' };
    expect((await read(content, { annotator: 'first' })).items[0]?.expectedOutput).toEqual({
      spans: [{ annotator: 'a2', ...span }],
    });
    expect((await read(content, { annotator: 'a10' })).items[0]?.expectedOutput).toEqual({
      spans: [{ annotator: 'a10', ...span }],
    });
    expect((await read(content, { annotator: 'a3' })).problems).toEqual([
      'items.jsonl:1: annotations: expected some by a3, found "a2, a10"',
    ]);
  });
});
