import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { type Finished, temporaryFolder, words } from './run-assay.ts';

const SPANS = [
  '{"id":"d1","text":"Ann met Bo in Oslo.","spans":[{"start":0,"end":3,"label":"PER"},{"start":14,"end":18,"label":"LOC"}]}',
  '{"id":"d2","text":"Nobody left.","spans":[]}',
];
/** Two spans that overlap and a field of its own: more than columns of tags hold. */
const RICH =
  '{"id":"d1","text":"Ann met Bo.","spans":[{"start":0,"end":3,"label":"PER","sure":true},{"start":0,"end":7,"label":"EVENT"}],"source":"letters"}';
const GRAPH =
  '{"doc_key":"d1","sentences":[["Ann","met","Bo","."]],"ner":[[[0,0,"PER"],[2,2,"PER"]]],"relations":[[[0,0,2,2,"met"]]]}';

/** The program in a folder with these files. */
function inFolder(files: Readonly<Record<string, string>>): {
  readonly folder: string;
  readonly run: (args: readonly string[], input?: string) => Promise<Finished>;
  readonly read: (name: string) => string;
} {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return {
    folder,
    run: (args, input) => assayHere(args, { cwd: folder, ...(input === undefined ? {} : { input }) }),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
  };
}

const lines = (...records: readonly string[]): string => records.map((record) => `${record}\n`).join('');

describe('assay convert without --to', () => {
  it('writes spans, each with its words', async () => {
    const { run, read } = inFolder({ 'in.conll': 'Ann B-PER\nmet O\nBo B-PER\n\nNobody O\nleft O\n' });
    const { code, stdout, stderr } = await run(words`convert in.conll out.jsonl`);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      'out.jsonl: spans\n2 cases, 2 items, converted from conll\n\n' +
        'Nothing was lost: reading the result back gives the same cases and items.\n',
    );
    expect(read('out.jsonl')).toBe(
      lines(
        '{"id":"1","text":"Ann met Bo","spans":[{"start":0,"end":3,"label":"PER","text":"Ann"},{"start":8,"end":10,"label":"PER","text":"Bo"}],"tokens":[[0,3],[4,7],[8,10]]}',
        '{"id":"2","text":"Nobody left","spans":[],"tokens":[[0,6],[7,11]]}',
      ),
    );
  });

  it('writes a graph if any case has relations', async () => {
    const empty = '{"doc_key":"d0","sentences":[["Nobody"]],"ner":[[]],"relations":[[]]}';
    const { run, read } = inFolder({ 'in.jsonl': lines(empty, GRAPH) });
    expect((await run(words`convert in.jsonl out.jsonl`)).stdout).toMatch(
      /^out\.jsonl: graph\n2 cases, 3 items, converted from dygie\n/,
    );
    const [, second] = read('out.jsonl').trim().split('\n');
    const { expected_output: graph } = JSON.parse(second!) as {
      expected_output: { entities: { temp_id: string; name: string }[]; relationships: Record<string, string>[] };
    };
    const nameOf = (ref: string | undefined): string | undefined =>
      graph.entities.find(({ temp_id: id }) => id === ref)?.name;
    expect(graph.entities.map(({ name }) => name)).toEqual(['Ann', 'Bo']);
    expect(
      graph.relationships.map((one) => [nameOf(one['source_ref']), one['type'], nameOf(one['target_ref'])]),
    ).toEqual([['Ann', 'met', 'Bo']]);
  });
});

describe('what is lost', () => {
  const lost = [
    { case: 'd1', item: null, side: null, what: 'the field source' },
    { case: 'd1', item: 'span PER "Ann" at 0..3', side: 'gold', what: 'the field sure' },
    { case: 'd1', item: 'span EVENT "Ann met" at 0..7', side: 'gold', what: 'the item' },
  ];

  it('is listed by kind, with examples', async () => {
    const { run, read } = inFolder({ 'in.jsonl': lines(RICH) });
    const { code, stdout } = await run(words`convert in.jsonl out.conll --to conll`);
    expect(code).toBe(0);
    for (const { what, item } of lost) {
      expect(stdout).toContain(what);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(item ?? 'd1');
    }
    expect(stdout).not.toContain('Nothing was lost');
    expect(read('out.conll')).toContain('Ann\tB-PER\n');
  });

  it('is listed item by item with --json, and nothing else is printed', async () => {
    const { run } = inFolder({ 'in.jsonl': lines(RICH) });
    const { stdout, stderr } = await run(words`convert in.jsonl out.conll --to conll --json`);
    const { losses, ...rest } = JSON.parse(stdout) as { losses: unknown[] };
    expect(rest).toEqual({ from: 'spans', to: 'conll', cases: 1, items: 2 });
    expect(losses).toHaveLength(lost.length);
    expect(losses).toEqual(expect.arrayContaining(lost));
    expect(stderr).toBe('');
  });

  it('ends with 1 under --strict, once it is written', async () => {
    const { run, read } = inFolder({ 'in.jsonl': lines(RICH), 'plain.jsonl': lines(...SPANS) });
    expect((await run(words`convert in.jsonl out.conll --to conll --strict`)).code).toBe(1);
    expect(read('out.conll')).toContain('Ann');
    expect((await run(words`convert plain.jsonl plain.conll --to conll --strict`)).code).toBe(0);
  });

  it('fits into 80 columns, however long ids, labels and texts are', async () => {
    const span = `{"start":0,"end":99,"label":"${'LABEL '.repeat(15)}","note":1}`;
    const long = `{"id":"${'x'.repeat(90)}","text":"${'word '.repeat(40)}","spans":[${span}]}`;
    const { run } = inFolder({ 'in.jsonl': lines(long) });
    const { stdout } = await run(words`convert in.jsonl out.conll --to conll`);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('is the text, in a table of spans', async () => {
    const { run, read } = inFolder({ 'in.jsonl': lines(...SPANS) });
    const { stdout } = await run(words`convert in.jsonl out.csv --to csv --json`);
    expect((JSON.parse(stdout) as { losses: { case: string; what: string }[] }).losses).toEqual(
      ['d1', 'd2'].map((id) => ({ case: id, item: null, side: null, what: 'the text' })),
    );
    expect(read('out.csv')).toContain('d1,14,18,LOC,Oslo');
  });
});

describe('the file that is read', () => {
  it('is never written onto, by whatever name', async () => {
    const content = lines(...SPANS);
    const { folder, run, read } = inFolder({ 'in.jsonl': content, 'texts.jsonl': content });
    mkdirSync(join(folder, 'sub'));
    for (const args of [
      words`convert in.jsonl in.jsonl`,
      words`convert in.jsonl sub/../in.jsonl --to doccano`,
      words`convert in.jsonl texts.jsonl --cases texts.jsonl`,
    ]) {
      const { code, stderr } = await run(args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/would be written onto what is read[\s\S]*another/)]);
    }
    expect([read('in.jsonl'), read('texts.jsonl')]).toEqual([content, content]);
  });

  it('may come through a pipe', async () => {
    const { run, read } = inFolder({});
    expect((await run(words`convert - out.jsonl --to doccano`, lines(...SPANS))).code).toBe(0);
    expect(read('out.jsonl')).toBe(
      lines(
        '{"id":"d1","text":"Ann met Bo in Oslo.","label":[[0,3,"PER"],[14,18,"LOC"]]}',
        '{"id":"d2","text":"Nobody left.","label":[]}',
      ),
    );
  });

  it('may lack the texts, which --cases has', async () => {
    const { run, read } = inFolder({
      'model.jsonl': '{"id":"1","entities":[{"text":"Bo","type":"PER"}]}\n',
      'texts.jsonl': '{"id":"1","text":"Ann met Bo."}\n',
    });
    const refused = await run(words`convert model.jsonl out.jsonl`);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--cases')]);
    expect((await run(words`convert model.jsonl out.jsonl --cases texts.jsonl`)).code).toBe(0);
    expect(read('out.jsonl')).toContain('"spans":[{"start":8,"end":10,"label":"PER","text":"Bo"}]');
  });

  it('is read as the flags have it', async () => {
    const off = '{"id":"1","text":"Ann met Bo.","spans":[{"start":7,"end":9,"label":"PER","text":"Bo"}]}\n';
    const { run, read } = inFolder({ 'in.jsonl': off });
    expect((await run(words`convert in.jsonl out.jsonl`)).code).toBe(2);
    expect((await run(words`convert in.jsonl out.jsonl --set data.badSpan=align`)).code).toBe(0);
    expect(read('out.jsonl')).toContain('"start":8,"end":10');
  });

  it('whose offsets are all off in the same way gets the flag that reads it', async () => {
    const tokens = ['Ann', 'met', 'Bo', 'in', 'Oslo'];
    const text = tokens.join(' ');
    const spans = tokens.map((word) => ({
      start: text.indexOf(word),
      end: text.indexOf(word) + word.length - 1,
      label: 'X',
      text: word,
    }));
    const { run } = inFolder({ 'in.jsonl': `${JSON.stringify({ id: '1', text, spans })}\n` });
    const { code, stderr } = await run(words`convert in.jsonl out.jsonl`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('(--offsets gold=codepoint+inclusive)')]);
    expect((await run(words`convert in.jsonl out.jsonl --offsets gold=codepoint+inclusive`)).code).toBe(0);
  });

  it('may be a folder', async () => {
    const { folder, run, read } = inFolder({ 'in.jsonl': lines(...SPANS) });
    expect((await run(words`convert in.jsonl corpus --to brat`)).code).toBe(0);
    expect(readdirSync(join(folder, 'corpus')).sort()).toEqual(['d1.ann', 'd1.txt', 'd2.ann', 'd2.txt']);
    expect(read('corpus/d1.ann')).toBe('T1\tPER 0 3\tAnn\nT2\tLOC 14 18\tOslo\n');
    expect(read('corpus/d1.txt')).toBe('Ann met Bo in Oslo.');
    expect((await run(words`convert corpus back.conll --to conll --strict`)).stdout).toContain('2 cases, 2 items');
    const again = await run(words`convert corpus corpus --to brat`);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('written onto what is read')]);
  });
});

describe('the result', () => {
  it('replaces a file that is there, but not before all of it is written', async () => {
    const bad = '{"id":"d3","text":"Ann","spans":[{"start":0,"end":9,"label":"PER"}]}';
    const { folder, run, read } = inFolder({ 'bad.jsonl': lines(...SPANS, bad), 'in.jsonl': lines(...SPANS) });
    writeFileSync(join(folder, 'out.jsonl'), 'what was here\n');
    const { code, stderr } = await run(words`convert bad.jsonl out.jsonl --to doccano`);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/bad\.jsonl:3: d3 gold item 0: .*past the end/)]);
    expect(read('out.jsonl')).toBe('what was here\n');
    expect((await run(words`convert in.jsonl out.jsonl --to doccano`)).code).toBe(0);
    expect(read('out.jsonl')).toContain('"label":[[0,3,"PER"]');
    expect(readdirSync(folder).sort()).toEqual(['bad.jsonl', 'in.jsonl', 'out.jsonl']);
  });

  it('leaves nothing half-written in a folder either', async () => {
    const bad = '{"id":"d3","text":"Ann","spans":[{"start":0,"end":9,"label":"PER"}]}';
    const { folder, run } = inFolder({ 'bad.jsonl': lines(...SPANS, bad) });
    expect((await run(words`convert bad.jsonl corpus --to brat`)).code).toBe(2);
    expect(existsSync(join(folder, 'corpus'))).toBe(false);
  });

  it('of a format with a file for each case needs a folder, for more than one case', async () => {
    const { folder, run, read } = inFolder({ 'in.jsonl': lines(...SPANS), 'one.jsonl': lines(SPANS[0]!) });
    const { code, stderr } = await run(words`convert in.jsonl out.ann --to brat`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('name a folder: out')]);
    expect(readdirSync(folder).sort()).toEqual(['in.jsonl', 'one.jsonl']);
    expect((await run(words`convert one.jsonl out.ann --to brat`)).code).toBe(0);
    expect(read('out.txt')).toBe('Ann met Bo in Oslo.');
  });

  it('is not mixed with what is in a folder already, and is no folder if the format is a file', async () => {
    const { folder, run } = inFolder({ 'in.jsonl': lines(...SPANS) });
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'd9.ann'), '');
    const full = await run(words`convert in.jsonl full --to brat`);
    expect([full.code, full.stderr]).toEqual([2, expect.stringContaining('not empty')]);
    const file = await run(words`convert in.jsonl full --to conll`);
    expect([file.code, file.stderr]).toEqual([2, expect.stringMatching(/full is a folder[\s\S]*full\/cases\.conll/)]);
    expect(readdirSync(join(folder, 'full'))).toEqual(['d9.ann']);
  });

  it('has to be a file, since it is read back', async () => {
    const { run } = inFolder({ 'in.jsonl': lines(...SPANS) });
    const { code, stdout, stderr } = await run(words`convert in.jsonl -`);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining('OUT has to be a file')]);
  });

  it('holds the side that was asked for, or both', async () => {
    const both =
      '{"id":"1","text":"Ann met Bo.","gold":[{"start":0,"end":3,"label":"PER"}],"predicted":[{"start":8,"end":10,"label":"PER"}]}';
    const { run, read } = inFolder({ 'in.jsonl': lines(both) });
    const labels: Record<string, string> = {};
    for (const side of ['gold', 'predicted']) {
      await run(words`convert in.jsonl ${`${side}.jsonl`} --to doccano --side ${side}`);
      labels[side] = read(`${side}.jsonl`);
    }
    expect(labels['gold']).toContain('"label":[[0,3,"PER"]]');
    expect(labels['predicted']).toContain('"label":[[8,10,"PER"]]');
    expect((await run(words`convert in.jsonl both.conll --to conll --side both`)).stdout).toContain('1 case, 2 items');
    expect(read('both.conll')).toContain('Ann\tB-PER\tO\nmet\tO\tO\nBo\tO\tB-PER\n');
  });
});

describe('a format', () => {
  it.each([
    ['conl', 'there is no format called conl', 'did you mean conll?'],
    ['wat', 'there is no format called wat', 'formats: '],
    ['parquet', 'parquet can be read, but not written', 'conll'],
  ])('%s is refused with those that there are', async (name, message, next) => {
    const { folder, run } = inFolder({ 'in.jsonl': lines(...SPANS) });
    const { code, stderr } = await run(['convert', 'in.jsonl', 'out', '--to', name]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toContain(next);
    expect(readdirSync(folder)).toEqual(['in.jsonl']);
  });

  it('is in the help, with what it is', async () => {
    const { stdout } = await inFolder({}).run(words`convert --help`);
    for (const name of ['brat', 'webanno-tsv', 'spacy-docbin', 'label-studio', 'triples'])
      expect(stdout).toMatch(new RegExp(`^ +${name} +\\S`, 'm'));
    expect(stdout).toMatch(/^ +parquet +[\s\S]*?\(read only\)/m);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});
