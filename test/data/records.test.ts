import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { Problems } from '../../src/data/problems.ts';
import { peekTable, readTable } from '../../src/data/record-table.ts';
import { type RecordOptions, Records } from '../../src/data/records.ts';
import { memorySource, reopenable } from '../../src/data/source.ts';

function open(content: string | Uint8Array, name = 'f', options: Partial<RecordOptions> = {}) {
  const problems = new Problems();
  const records = new Records(memorySource(name, content), { problems, ...options });
  return { problems, records };
}

async function objects(content: string | Uint8Array, name = 'f') {
  const { problems, records } = open(content, name);
  const found = (await Array.fromAsync(records.objects())).flat();
  return { found: found.map(({ kind, line, values }) => ({ kind, line, values })), problems: problems.entries() };
}

describe('objects', () => {
  it.each([
    ['JSON lines', '{"a":1}\n\n{"a":2}\n', [1, 3]],
    ['an array', '[{"a":1},\n{"a":2}]', [1, 2]],
    ['objects laid out over lines', '{\n"a":1}\n{\n"a":2}', [1, 3]],
  ])('of %s, packed or not and with a mark', async (_, text, lines) => {
    const expected = lines.map((line, at) => ({ kind: 'json', line, values: { a: at + 1 } }));
    for (const content of [text, `\ufeff${text}`, gzipSync(text)]) {
      const { found, problems } = await objects(content);
      expect(problems).toEqual([]);
      expect(found).toEqual(expected);
    }
  });

  it('of a table are its rows by name; quoted line breaks count as lines, a column without a name is left out', async () => {
    const { found, problems } = await objects('a;b;\n1;"x\ny";\n2;z;\n');
    expect(problems).toEqual([]);
    expect(found).toEqual([
      { kind: 'csv', line: 2, values: { a: '1', b: 'x\ny' } },
      { kind: 'csv', line: 4, values: { a: '2', b: 'z' } },
    ]);
  });

  it('Excel’s note before the header is passed over, and lines are still counted', async () => {
    const { found } = await objects('sep=;\r\na;b\r\n1;2\r\n');
    expect(found).toEqual([{ kind: 'csv', line: 3, values: { a: '1', b: '2' } }]);
  });

  it('what is wrong is gathered with its line, and the rest is read', async () => {
    const json = await objects('{"a":1}\n[2]\n{"a"\n{"a":3}\n', 'f.jsonl');
    expect(json.found.map(({ line }) => line)).toEqual([1, 4]);
    expect(json.problems.map(({ line }) => line)).toEqual([2, 3]);
    const table = await objects('a,b\n1\n1,2\n');
    expect(table.found.map(({ line }) => line)).toEqual([3]);
    expect(table.problems).toMatchObject([{ line: 2, field: 'row' }]);
  });

  it.each(['a,b,a\n1,2,3\n', '__proto__,b\n1,2\n'])('a header such as %j ends the reading', async (text) => {
    const { found, problems } = await objects(text);
    expect(found).toEqual([]);
    expect(problems).toMatchObject([{ line: 1, field: 'header' }]);
  });
});

describe('values', () => {
  it('come in small groups, in order', async () => {
    const { records } = open(Array.from({ length: 40 }, (_, at) => `${at}\n`).join(''));
    const groups = await Array.fromAsync(records.values());
    expect(groups.map(({ length }) => length)).toEqual([16, 16, 8]);
    expect(groups.flat().map(({ value }) => value)).toEqual(Array.from({ length: 40 }, (_, at) => at));
  });

  it('a longer one than is taken is a problem with the advice that was asked for', async () => {
    const { records, problems } = open('"0123456789"\n1\n', 'f', { maxBytes: 8, tooLong: 'cut it' });
    expect((await Array.fromAsync(records.values())).flat().map(({ value }) => value)).toEqual([1]);
    expect(problems.entries()).toMatchObject([{ line: 1, next: 'cut it' }]);
  });
});

describe('a file', () => {
  it('of nothing has no start, one of blanks has one that says so', async () => {
    expect(await open('').records.start()).toBeNull();
    expect(await open(' \n').records.start()).toMatchObject({ isBlank: true });
    expect(await open('a').records.start()).toMatchObject({ text: 'a', isBlank: false });
  });

  it('is known by its stored bytes and by its content', async () => {
    const text = '{"a":1}\n';
    const [plain, packed] = [open(text).records, open(gzipSync(text)).records];
    for (const records of [plain, packed]) await Array.fromAsync(records.values());
    expect(plain.content()).toEqual(plain.digest());
    expect(packed.content()).toEqual(plain.digest());
    expect(packed.digest()).not.toEqual(plain.digest());
  });

  it('that unpacks to more than it may is refused', async () => {
    const { records } = open(gzipSync('1\n'.repeat(1000)), 'f.gz', { maxDecompressed: 1024 });
    await expect(Array.fromAsync(records.lines())).rejects.toThrow(
      'decompressed, the file is longer than 0.0009766 MiB',
    );
  });
});

describe('a table', () => {
  it('has its columns in their order, numbers among them, also without a row', async () => {
    const problems = new Problems();
    expect(await readTable(memorySource('f', 'id,2,1\nx,a,b\n'), problems)).toMatchObject({
      kind: 'csv',
      columns: ['id', '2', '1'],
      rows: [{ line: 2 }],
    });
    expect((await readTable(memorySource('f', 'id,2,1\n'), problems)).columns).toEqual(['id', '2', '1']);
    await expect(readTable(memorySource('f', ' \n'), problems)).rejects.toThrow('the file is empty');
  });

  it('can be looked at before it is read', async () => {
    expect(await peekTable(memorySource('f', '"a b", c\n1,2\n'))).toEqual({ kind: 'csv', names: ['a b', 'c'] });
    expect(await peekTable(memorySource('f', '[{"x":1,"y":2}]'))).toEqual({ kind: 'json', names: ['x', 'y'] });
    expect(await peekTable(memorySource('f', '[{"x"'))).toEqual({ kind: 'json', names: [] });
  });
});

it('a source that can be read once only is taken in as a whole', async () => {
  let opened = 0;
  const once = {
    name: 'standard input',
    path: null,
    async *open() {
      opened += 1;
      yield Buffer.from('ab');
      yield Buffer.from('c');
    },
  };
  const again = await reopenable(once);
  for (let time = 0; time < 2; time += 1) {
    const chunks = await Array.fromAsync(await again.open());
    expect(Buffer.concat(chunks).toString()).toBe('abc');
  }
  expect(opened).toBe(1);
});
