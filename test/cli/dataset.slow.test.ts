import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { openStore } from '../../src/store/store.ts';
import { assayHere } from './assay-here.ts';
import { assay, BIN, example, type Finished, temporaryFolder, words } from './run-assay.ts';

/** The program in a folder of its own, without Langfuse. */
function inFolder(): {
  readonly folder: string;
  readonly run: (...args: string[]) => Promise<Finished>;
  readonly fed: (input: string, ...args: string[]) => Promise<Finished>;
  readonly file: (name: string, content: string) => string;
} {
  const folder = temporaryFolder();
  const env = { LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '', ASSAY_DATA: join(folder, '.assay') };
  return {
    folder,
    run: (...args) => assayHere(['dataset', ...args], { cwd: folder, env }),
    fed: (input, ...args) => assayHere(['dataset', ...args], { cwd: folder, env, input }),
    file(name, content) {
      writeFileSync(join(folder, name), content);
      return name;
    },
  };
}

const HASH = /sha256:[0-9a-f]{64}/;

function ok(done: Finished): string {
  expect(done).toMatchObject({ code: 0, stderr: '' });
  return done.stdout;
}

function refused(done: Finished): string {
  expect(done.code).toBe(2);
  expect(done.stderr).not.toMatch(/\n\s+at |undefined|\[object|a bug of ours/);
  return done.stderr;
}

describe('assay dataset', () => {
  it('says how to begin where nothing is kept, and makes no store for a look or for a file that cannot be imported', async () => {
    const { folder, run, file } = inFolder();
    expect(ok(await run('list'))).toMatch(
      /^There is no dataset in .*\.assay yet\.\n\nStart with: assay dataset import NAME FILE\n$/,
    );
    expect(ok(await run('list', '--json'))).toBe('[]\n');
    expect(refused(await run('show', 'x'))).toContain(
      'nothing has been kept there yet\nassay dataset import NAME FILE creates one',
    );
    expect(refused(await run('import', 'x', 'missing.jsonl'))).toContain('missing.jsonl');
    expect(refused(await run('import', 'x', file('cut.jsonl', '{"id": "a", "input":')))).toContain('cut.jsonl:1');
    expect(ok(await run('import', 'x', example('graph/items.jsonl'), '--dry-run'))).toContain('would be created in');
    expect(existsSync(join(folder, '.assay'))).toBe(false);
  });

  it('imports, shows, exports and imports again without a difference', async () => {
    const { folder, run, fed } = inFolder();
    const first = ok(await run('import', 'graph-eval', example('graph/items.jsonl'), '--task', 'graph'));
    expect(first).toContain('6 items in graph-eval: 6 created, 0 changed, 0 unchanged');
    const [hash] = HASH.exec(first)!;

    const exported = ok(await run('show', 'graph-eval', '--json'));
    const originals = readFileSync(example('graph/items.jsonl'), 'utf8').trim().split('\n');
    expect(
      exported
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ).toEqual(originals.map((line): unknown => JSON.parse(line)));
    expect(ok(await fed(exported, 'import', 'graph-eval', '-'))).toBe(
      `6 items: all are in graph-eval already, unchanged.\nVersion ${hash}\n`,
    );

    const { ASSAY_DATA: _, ...env } = { ASSAY_DATA: '', LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '' };
    const elsewhere = assay(['dataset', 'import', 'graph-eval', '-', '--data', join(folder, 'b')], {
      env,
      input: exported,
    });
    expect(HASH.exec(ok(elsewhere))?.[0]).toBe(hash);
  });

  it('lists datasets in a table that fits 80 columns', async () => {
    const { run, file } = inFolder();
    ok(await run('create', 'b', '--description', 'a long description '.repeat(10).trim()));
    ok(await run('import', 'a', file('one.jsonl', '{"input":1,"expected_output":2}\n')));
    const lines = ok(await run('list'))
      .trimEnd()
      .split('\n');
    expect(lines[2]).toMatch(/^Dataset +items +schemas +changed/);
    expect(lines[3]).toMatch(/^a +1 +none +\d{4}-\d\d-\d\d$/);
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(JSON.parse(ok(await run('list', '--json')))).toMatchObject([
      { name: 'a', items: 1 },
      { name: 'b', items: 0, description: expect.stringContaining('a long') },
    ]);
  });

  it('shows what a dataset holds, and one item in full', async () => {
    const { run } = inFolder();
    ok(
      await run(
        ...words`import diary ${example('journal/journals.jsonl')} --gold ${example('journal/gold.jsonl')} --task journal`,
      ),
    );
    const shown = ok(await run('show', 'diary', '--items', '2'));
    expect(shown).toMatch(/^diary\n\nplace /);
    expect(shown).toContain('items    8, 8 with an expected output');
    expect(shown).toMatch(
      /\nItem +input +expected\nD01 +\{"journal_id":"D01".*\nD02 .*\n… and 6 more: assay dataset show diary --json shows all/,
    );
    expect(JSON.parse(ok(await run('show', 'diary', '--item', 'D01')))).toMatchObject({
      id: 'D01',
      input: { journal_id: 'D01', lang_hint: 'en' },
      expected_output: {
        items: [{ domain: 'symptom' }, { domain: 'food' }, { domain: 'emotion' }, { domain: 'mind' }],
      },
    });
    expect(refused(await run('show', 'diary', '--item', 'D1'))).toContain('did you mean D01');
    expect(refused(await run('show', 'diray'))).toContain('did you mean diary?');
  });

  it('imports a table with a byte order mark and semicolons', async () => {
    const { run, file } = inFolder();
    const table = file('faq.csv', '\ufeffnr;question;answer;topic\r\n1;"What; is\r\nit?";yes;x\r\n2;Why?;;\r\n');
    const done = ok(await run('import', 'faq', table, '--id', 'nr', '--input', 'question', '--expected', 'answer'));
    expect(done).toContain('2 items in faq: 2 created, 0 changed, 0 unchanged\n1 item has no expected output.\n');
    expect(ok(await run('show', 'faq', '--json'))).toBe(
      '{"id":"1","input":"What; is\\r\\nit?","expected_output":"yes","metadata":{"topic":"x"}}\n{"id":"2","input":"Why?"}\n',
    );
  });

  it('tells all problems of all files at once and imports nothing', async () => {
    const { run, file } = inFolder();
    const a = file('a.jsonl', '{"id":"x","input":1}\nnope\n{"id":"\\u001b[2J","input":1}\n');
    const b = file('b.jsonl', '{"id":"x","input":1}\n{"id":"y"}\n');
    const said = refused(await run('import', 'eval', a, b));
    expect(said.split('\n')).toEqual([
      expect.stringContaining('a.jsonl:2: not JSON'),
      'a.jsonl:3: id: "\\u001b[2J" cannot be an id: it has characters that cannot be seen',
      'b.jsonl:1: id: the id "x" was given before, in a.jsonl:1 (each item needs its own id)',
      expect.stringContaining('b.jsonl:2: expected an item with input and expected_output, found id'),
      '4 problems in the input; nothing was written.',
      '',
    ]);
    expect(ok(await run('list', '--json'))).toBe('[]\n');
  });

  it('refuses ids that another dataset has before anything is saved, and takes a prefix', async () => {
    const { run, file } = inFolder();
    const items = file('items.jsonl', '{"id":"x","input":1}\n');
    ok(await run('import', 'a', items));
    expect(refused(await run('import', 'b', items))).toContain('the id "x" belongs to the dataset "a"');
    expect(ok(await run('import', 'b', items, '--prefix', 'b-', '--dry-run'))).toContain(
      'Nothing was saved: --dry-run.',
    );
    expect(ok(await run('list'))).not.toMatch(/^b /m);
    ok(await run('import', 'b', items, '--prefix', 'b-'));
    expect(ok(await run('show', 'b', '--json'))).toBe('{"id":"b-x","input":1}\n');
  });

  it('checks a dataset and a file, tells every problem and ends with 2', async () => {
    const { run, file } = inFolder();
    const items = file(
      'items.jsonl',
      '{"id":"a","input":{"document_text":"x"},"expected_output":{"entities":[{"name":"n"}]}}\n{"id":"b","input":{"document_text":"x"},"expected_output":{"entities":[],"relationships":[]}}\n',
    );
    ok(await run('import', 'eval', items));
    expect(ok(await run('validate', 'eval'))).toContain('nothing is wrong. No schema was given');
    const done = await run('validate', 'eval', '--task', 'graph');
    expect(refused(done)).toBe('assay: 2 problems in 1 item of 2 in eval\n');
    expect(done.stdout).toBe(
      'a: expected_output.relationships: expected, but not there\na: expected_output.entities[0].type: expected, but not there\n',
    );
    const json = await run('validate', items, '--task', 'graph', '--json');
    refused(json);
    expect(JSON.parse(json.stdout)).toMatchObject({
      valid: false,
      items: 2,
      problems: [
        { file: 'items.jsonl', line: 1, item: 'a', field: 'expected_output.relationships' },
        { file: 'items.jsonl', line: 1, item: 'a', field: 'expected_output.entities[0].type' },
      ],
    });
    ok(await run('validate', example('pii/gold.jsonl'), '--task', 'pii'));
    file('eval', '{}');
    expect(refused(await run('validate', 'eval'))).toContain('eval is a dataset and a file');
  });

  it('makes a dataset with schemas, and refuses schemas that its items do not fit', async () => {
    const { run, file } = inFolder();
    const schema = file('in.json', '{"type":"object","required":["q"]}');
    expect(ok(await run('create', 'faq', '--input-schema', schema, '--metadata', '{"owner":"me"}'))).toMatch(
      /^Created the dataset faq in .*\nItems: assay dataset import faq FILE\n$/,
    );
    const items = file('items.jsonl', '{"id":"a","input":{}}\n');
    expect(refused(await run('import', 'faq', items))).toContain('items.jsonl:1: input.q: expected, but not there');
    ok(await run('import', 'faq', file('good.jsonl', '{"id":"a","input":{"q":1}}\n')));
    expect(refused(await run('create', 'faq', '--task', 'journal'))).toContain(
      'faq, item a: input.text: expected, but not there',
    );
    expect(ok(await run('create', 'faq', '--description', 'questions'))).toContain('Changed the dataset faq');
    expect(ok(await run('create', 'faq'))).toContain('already exists');
    expect(JSON.parse(ok(await run('list', '--json')))).toMatchObject([
      {
        description: 'questions',
        metadata: { owner: 'me' },
        inputSchema: { required: ['q'] },
        expectedOutputSchema: null,
      },
    ]);
  });

  it.each([
    [['create', 'x', '--metadata', '[1]'], 'expected a JSON object, found a list of 1'],
    [['create', 'x', '--metadata', '{"__proto__":1}'], 'the key __proto__ is not allowed'],
    [['create', '../x'], 'cannot be the name of a dataset'],
    [['create', 'x', '--task', 'graph', '--input-schema', 's.json'], '--task graph has its own schemas'],
    [['create', 'x', '--input-schema', 's.json'], 's.json: no such file'],
    [['create', 'x', '--task', 'grahp'], 'did you mean graph?'],
    [['list', '--local', '--langfuse'], '--local and --langfuse are two places'],
    [['list', '--langfuse'], 'LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY are not set'],
    [['push', 'x'], 'needs the keys of Langfuse\nset LANGFUSE_PUBLIC_KEY'],
    [['pull', 'x'], 'needs the keys of Langfuse'],
    [['import', 'x', '-', '-'], 'standard input (-) can be read once only'],
    [['import', 'x', 'nope.jsonl'], 'nope.jsonl: no such file'],
    [['show', 'x', '--items', 'ten'], '--items ten: expected a whole number'],
    [['seed', 'x'], 'give --from-trace ID, or --observation ID'],
  ])('refuses %j with what to do', async (args, said) => {
    expect(refused(await inFolder().run(...args))).toContain(said);
  });

  it('archives and restores items and datasets, and deletes nothing', async () => {
    const { run, file } = inFolder();
    ok(await run('import', 'eval', file('items.jsonl', '{"id":"a","input":1}\n{"id":"b","input":2}\n')));
    const whole = HASH.exec(ok(await run('version', 'eval')))![0];
    expect(ok(await run('archive', 'eval', '--item', 'a'))).toMatch(/^1 item of eval archived\.\nVersion sha256:/);
    expect(ok(await run('show', 'eval', '--json'))).toBe('{"id":"b","input":2}\n');
    expect(ok(await run('show', 'eval', '--json', '--archived'))).toContain(
      '{"id":"a","input":1,"status":"ARCHIVED"}\n',
    );
    const part = HASH.exec(ok(await run('version', 'eval')))![0];
    expect(part).not.toBe(whole);
    expect(ok(await run('restore', 'eval', '--item', 'a', '--item', 'b'))).toContain(
      '1 item of eval restored; 1 was already.\n',
    );
    const { hash, items, history } = JSON.parse(ok(await run('version', 'eval', '--json'))) as {
      hash: string;
      items: number;
      history: { hash: string }[];
    };
    expect([hash, items, history.map((one) => one.hash)]).toEqual([whole, 2, [whole, part, whole]]);
    expect(ok(await run('version', 'eval'))).toMatch(
      /^sha256:\S{64} {2}2 items\n\nversion +items +since\n(?:sha256:\S{16} +\d {2}\S+\n){3}$/m,
    );
    expect(refused(await run('archive', 'eval', '--item', 'c'))).toContain('has no item "c"');

    expect(ok(await run('archive', 'eval'))).toContain('assay dataset restore eval brings it back');
    expect(ok(await run('list'))).toContain('There is no dataset');
    expect(ok(await run('list', '--archived'))).toContain('archived.');
    expect(refused(await run('import', 'eval', 'items.jsonl'))).toContain('the dataset eval is archived');
    expect(ok(await run('restore', 'eval'))).toBe('Restored the dataset eval.\n');
    expect(ok(await run('list'))).toMatch(/^eval +2/m);
  });

  it('makes an item of a trace that links back, once however often', async () => {
    const { folder, run, fed } = inFolder();
    const store = openStore(join(folder, '.assay'));
    const input = { document_text: 'Ann knows Bo.' };
    const entities = [
      { temp_id: 'e1', name: 'Ann', type: 'Person' },
      { temp_id: 'e2', name: 'Bo', type: 'Person' },
    ];
    const relationships = [{ source_ref: 'e1', target_ref: 'e2', type: 'knows' }];
    store.traces.save({ id: 'good', input, output: { entities, relationships } });
    store.traces.save({ id: 'half', input, output: { entities } });
    store.close();

    const first = ok(await run('seed', 'eval', '--from-trace', 'good', '--task', 'graph'));
    expect(first).toContain('The dataset eval was created in');
    expect(first).toContain(
      'input of trace good; expected: its own output, taken as validated; references became names',
    );
    expect(ok(await run('seed', 'eval', '--from-trace', 'good'))).toContain(' exists already, unchanged: input of');
    expect(refused(await run('seed', 'eval', '--from-trace', 'half', '--trace', 'good'))).toContain(
      'trace half: expected_output.relationships: expected, but not there',
    );
    const right = JSON.stringify({ entities: [{ name: 'Ann', type: 'Person' }], relationships: [] });
    const metadata = JSON.stringify({ difficulty: 'hard' });
    const second = await fed(
      right,
      ...words`seed eval --from-trace half --validated - --id mine --metadata ${metadata}`,
    );
    expect(ok(second)).toContain('mine: input of trace half; expected: the output in standard input');
    const items = ok(await run('show', 'eval', '--json'))
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^trace-good-/),
        input,
        expected_output: {
          entities: [
            { name: 'Ann', type: 'Person' },
            { name: 'Bo', type: 'Person' },
          ],
          relationships: [{ source_name: 'Ann', target_name: 'Bo', relationship_type: 'knows' }],
        },
        metadata: { source_trace_id: 'good', expected_from: 'trace' },
        source_trace_id: 'good',
      },
      {
        id: 'mine',
        input,
        expected_output: JSON.parse(right),
        metadata: { difficulty: 'hard', source_trace_id: 'half', expected_from: 'validated' },
        source_trace_id: 'half',
      },
    ]);
    expect(refused(await run('seed', 'eval', '--from-trace', 'none'))).toContain('there is no trace "none"');
    expect(refused(await run('seed', 'eval', '--from-trace', 'good', '--trace', 'half', '--id', 'x'))).toContain(
      '--id belongs to one trace',
    );
  });

  it('does not put a trace’s output in the place of what somebody wrote, unless it is forced', async () => {
    const { folder, run, fed, file } = inFolder();
    ok(await run('import', 'eval', file('items.jsonl', '{"id":"T05","input":"x","expected_output":"right"}\n')));
    const store = openStore(join(folder, '.assay'));
    for (const id of ['one', 'two']) store.traces.save({ id, input: 'x', output: `of ${id}` });
    store.close();
    const item = async (): Promise<unknown> => JSON.parse(ok(await run('show', 'eval', '--item', 'T05')));

    expect(refused(await run('seed', 'eval', '--from-trace', 'one', '--id', 'T05'))).toBe(
      'assay: the item "T05" of eval is there already, and was not made of this trace\n--force replaces it; another --id, or none, makes another item\n',
    );
    expect(await item()).toMatchObject({ expected_output: 'right' });
    expect(ok(await run('seed', 'eval', '--from-trace', 'one', '--id', 'T05', '--force'))).toContain(
      'T05 was changed: input of trace one; expected: its own output',
    );
    expect(await item()).toMatchObject({ expected_output: 'of one', source_trace_id: 'one' });
    expect(refused(await run('seed', 'eval', '--from-trace', 'two', '--id', 'T05'))).toContain(
      'not made of this trace',
    );
    const mended = await fed('"mended"', 'seed', 'eval', '--from-trace', 'one', '--id', 'T05', '--validated', '-');
    expect(ok(mended)).toContain('T05 was changed: input of trace one; expected: the output in standard input');
    expect(refused(await run('seed', 'eval', '--from-trace', 'one', '--id', 'T05'))).toContain(
      'has a validated output, and this one is the trace’s own',
    );
    expect(await item()).toMatchObject({ expected_output: 'mended' });
  });

  it('lists the traces that runs left, so that items can be made of them', async () => {
    const { folder, run, file } = inFolder();
    ok(await run('import', 'eval', file('items.jsonl', '{"id":"a","input":"x"}\n{"id":"b","input":"y"}\n')));
    expect(ok(await run('traces', 'eval'))).toMatch(/^No run over eval has left a trace in .* yet\.\n$/);
    const store = openStore(join(folder, '.assay'));
    for (const [name, level] of [
      ['first', 'DEFAULT'],
      ['second', 'ERROR'],
    ] as const) {
      const { id: runId } = store.runs.save({ datasetName: 'eval', name });
      for (const itemId of ['a', 'b']) {
        const [traceId, observationId] = [`t-${name}-${itemId}`, `o-${name}-${itemId}`];
        store.traces.save({ id: traceId, timestamp: '2026-01-02T03:04:05.000Z', input: itemId, output: 'out' });
        store.traces.saveObservation({ id: observationId, traceId, level, statusMessage: 'timeout: 5 s' });
        store.runs.link({ runId, itemId, traceId, observationId });
      }
    }
    store.close();

    const lines = ok(await run('traces', 'eval')).split('\n');
    expect(lines.map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ['Traces of the runs over eval'],
      [''],
      ['Run', 'item', 'trace', 'time', 'error'],
      ['second', 'a', 't-second-a', '2026-01-02T03:04:05', 'timeout: 5 s'],
      ['second', 'b', 't-second-b', '2026-01-02T03:04:05', 'timeout: 5 s'],
      ['first', 'a', 't-first-a', '2026-01-02T03:04:05'],
      ['first', 'b', 't-first-b', '2026-01-02T03:04:05'],
      [''],
      ['An item from one of them: assay dataset seed eval --from-trace t-second-a'],
      [''],
    ]);
    expect(JSON.parse(ok(await run('traces', 'eval', '--run', 'first', '--item', 'b', '--json')))).toEqual([
      { run: 'first', item: 'b', traceId: 't-first-b', time: '2026-01-02T03:04:05.000Z', error: null },
    ]);
    ok(await run('seed', 'eval', '--from-trace', 't-first-b'));
    expect(refused(await run('traces', 'eval', '--run', 'frist'))).toContain('did you mean first?');
    expect(refused(await run('traces', 'evl'))).toContain('did you mean eval?');
    expect(ok(await run('traces', '--since', '2020-01-01', '--limit', '1'))).toContain('the newest 1 trace: --limit');
    expect(ok(await run('traces', '--until', '2020-01-01'))).toMatch(/^No such trace in /);
    expect(refused(await run('traces', '--since', 'tuesday'))).toContain('--since tuesday is not a time');
    expect(refused(await run('traces', '--item', 'a'))).toContain('--item needs the name of a dataset');
    expect(refused(await run('traces', 'eval', '--name', 'a'))).toContain('--name is for all traces');
  });

  it('keeps no number that would become another, also in flags', async () => {
    const { run, fed } = inFolder();
    expect(refused(await fed('{"id":"a","input":{"n":1e999}}\n', 'import', 'eval', '-'))).toContain(
      'standard input:1: input.n: the number 1e999 is beyond the greatest that can be kept (write it as text, in quotes)',
    );
    expect(refused(await run('create', 'eval', '--metadata', '{"n":12345678901234567890}'))).toContain(
      '--metadata:1: n: the number 12345678901234567890 would become 12345678901234567000',
    );
  });

  it.skipIf(process.platform === 'win32')('takes a disk that refuses for the user’s to mend', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'items.jsonl'), '{"id":"a","input":1}\n');
    // In blocks of 1 KiB: too little for the tables; SQLite says "disk I/O error".
    const script = 'ulimit -f 10; exec "$0" "$@"';
    const done = spawnSync('bash', ['-c', script, process.execPath, BIN, 'dataset', 'import', 'x', 'items.jsonl'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ASSAY_DATA: join(folder, '.assay'), NODE_DISABLE_COMPILE_CACHE: '1' },
    });
    expect(done.stderr).toMatch(/store\.db cannot be read or written: the disk refuses\n.*ulimit -f/);
    expect(done.status).toBe(2);
  });

  it('prints nothing of an item that a terminal would act on', async () => {
    const { run, file } = inFolder();
    ok(
      await run(
        'import',
        'eval',
        file('items.jsonl', '{"id":"a","input":"\\u001b[2J\\u202e","expected_output":"\\u0007"}\n'),
      ),
    );
    for (const done of [
      await run('show', 'eval'),
      await run('show', 'eval', '--json'),
      await run('show', 'eval', '--item', 'a'),
    ])
      expect(ok(done)).not.toMatch(/[\u001b\u202e\u0007]/);
    expect(JSON.parse(ok(await run('show', 'eval', '--json')))).toMatchObject({ input: '\u001b[2J\u202e' });
  });

  it('has help with examples for each of its commands, in 80 columns', async () => {
    const { run } = inFolder();
    for (const name of words`create import list show version validate seed traces archive restore push pull`) {
      const help = ok(await run(name, '--help'));
      expect(help).toContain('Examples:');
      expect(help.split('\n').filter((line) => [...line].length > 80)).toEqual([]);
    }
  });
});
