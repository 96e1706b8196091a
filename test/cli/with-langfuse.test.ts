import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { ServedGeneration } from '../../src/langfuse/shapes/endpoint.ts';
import { type Serving, serving } from '../server/langfuse/serving.ts';
import { assayHere } from './assay-here.ts';
import { type Finished, temporaryFolder } from './run-assay.ts';

/** Commands in this process, with a server like one generation of Langfuse. */
async function withLangfuse(
  generation: ServedGeneration,
  bodyLimitBytes?: number,
): Promise<
  Serving & {
    readonly run: (...args: string[]) => Promise<Finished>;
    readonly file: (name: string, content: string) => string;
  }
> {
  const server = await serving({ generation, ...(bodyLimitBytes === undefined ? {} : { bodyLimitBytes }) });
  const folder = temporaryFolder();
  const env = { ...server.environment, ASSAY_DATA: join(folder, '.assay') };
  return {
    ...server,
    run: (...args) => assayHere(args, { cwd: folder, env }),
    file(name, content) {
      writeFileSync(join(folder, name), content);
      return name;
    },
  };
}

describe('assay dataset traces with Langfuse 4', () => {
  it('names what it looked for where there is no such trace, and ends well', async () => {
    const { run, url } = await withLangfuse(4);
    expect(await run('dataset', 'traces')).toMatchObject({
      code: 0,
      stdout: `No such trace in ${url}.\n`,
      stderr: '',
    });
    const all = ['--name', 'answer', '--tag', 'wrong', '--tag', 'long', '--user', 'u', '--since', '2026-01-31'];
    const { code, stdout } = await run('dataset', 'traces', ...all);
    expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([
      0,
      `No such trace in ${url}: name answer; tag wrong, long; user u; since 2026-01-31T00:00:00.000Z. `,
    ]);
    expect(await run('dataset', 'traces', '--name', 'answer', '--json')).toMatchObject({ code: 0, stdout: '[]\n' });
  });
});

describe('what Langfuse would refuse', () => {
  const items = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
  const text = (done: Finished) => done.stderr.replace(/\s+/g, ' ');

  it('is found before anything is sent: each item by file and line, and no dataset is created', async () => {
    const { run, file, store } = await withLangfuse(4);
    const path = file(
      'items.jsonl',
      items(
        { id: 'ok', input: 1 },
        { id: 'long', input: 'x'.repeat(4.5 * 2 ** 20) },
        { id: 'half', input: { a: ['b', '\ud800'] } },
        { id: 'key', input: 1, expected_output: { 'c\udc00': 1 } },
        { id: 'nul', input: 1, metadata: { 'd\u0000': 1 } },
        { id: 'control', input: 1, metadata: { e: 'f\u0001' } },
        { id: 'i'.repeat(256), input: 1 },
      ),
    );
    const done = await run('dataset', 'import', 'team/eval', path);
    expect(done.code).toBe(2);
    const half = 'has half of a character (a lone surrogate), which Langfuse refuses';
    for (const problem of [
      // 4.5 MiB of x within the 50 characters of {"datasetName":"team/eval","id":"long","input":""}.
      'items.jsonl:2: the item takes 4,718,642 bytes, and Langfuse accepts at most 4,718,592 (4.5 MB)',
      `items.jsonl:3: input.a[1]: the text ${half}`,
      `items.jsonl:4: expected_output: a key ${half}`,
      'items.jsonl:5: metadata: a key has U+0000, which Langfuse refuses',
      'items.jsonl:6: metadata.e: Langfuse takes control characters out of texts, and this one has U+0001',
      'items.jsonl:7: id: the id has 256 characters, and Langfuse takes at most 255',
    ])
      expect(text(done)).toContain(problem);
    expect(text(done)).not.toContain('--prefix');
    expect(store.datasets.get('team/eval')).toBeNull();
    for (const name of ['a//b', '/a', 'a/']) {
      const refused = await run('dataset', 'import', name, path);
      expect([refused.code, text(refused)]).toEqual([2, expect.stringContaining('empty, . or ..')]);
      const prompt = await run('prompt', 'create', name, file('p.txt', 'x'));
      expect([prompt.code, text(prompt)]).toEqual([2, expect.stringContaining('empty, . or ..')]);
    }
  });

  it('is found before a push and before seeding too', async () => {
    const { run, file, store } = await withLangfuse('both');
    const path = file('items.jsonl', items({ id: 'ok', input: 1 }, { id: 'half', input: '\ud800' }));
    expect(await run('dataset', 'import', 'eval', path, '--local')).toMatchObject({ code: 0 });
    const pushed = await run('dataset', 'push', 'eval');
    expect([pushed.code, text(pushed)]).toEqual([2, expect.stringContaining('eval, item half: input: the text has')]);
    expect(store.datasets.get('eval')).toBeNull();
    store.traces.save({ id: 't', timestamp: '2026-01-01T00:00:00.000Z', input: { a: 1 }, output: { 'b\u0000': 1 } });
    const seeded = await run('dataset', 'seed', 'seeds', '--from-trace', 't');
    expect([seeded.code, text(seeded)]).toEqual([2, expect.stringContaining('expected_output: a key has U+0000')]);
    expect(store.datasets.get('seeds')).toBeNull();
  });

  it('includes half of a character in a dataset or a prompt', async () => {
    const { run, file, store } = await withLangfuse(4);
    const json = '{"a":"\\ud800"}';
    const dataset = await run('dataset', 'create', 'd', '--metadata', json);
    expect([dataset.code, text(dataset)]).toEqual([
      2,
      expect.stringContaining('the dataset "d": metadata.a: the text'),
    ]);
    const prompt = await run('prompt', 'create', 'p', file('p.txt', 'x'), '--config', json);
    expect([prompt.code, text(prompt)]).toEqual([2, expect.stringContaining('the prompt "p": config.a: the text')]);
    expect([store.datasets.get('d'), store.prompts.get('p', { version: 1 })]).toEqual([null, null]);
  });

  it('includes ids of another dataset: no empty one is left, and --prefix is named', async () => {
    const { run, file, store } = await withLangfuse(4);
    const path = file('items.jsonl', items({ id: 'a', input: 1 }, { id: 'b', input: 2 }));
    expect(await run('dataset', 'import', 'first', path)).toMatchObject({ code: 0 });
    const taken = 'id: the id "a" belongs to the dataset "first" (ids are unique across datasets: --prefix TEXT';
    const again = await run('dataset', 'import', 'second', path);
    expect([again.code, text(again)]).toEqual([2, expect.stringContaining(`items.jsonl:1: ${taken}`)]);
    expect(store.datasets.get('second')).toBeNull();
    // An id in the middle is found by the server alone.
    const late = file('late.jsonl', items({ id: 'c', input: 1 }, { id: 'b', input: 2 }));
    const halfway = await run('dataset', 'import', 'third', late);
    expect([halfway.code, text(halfway)]).toEqual([
      2,
      expect.stringContaining('the id "b" belongs to the dataset "first" (1 of 2 items saved before)'),
    ]);
    expect(text(halfway)).toContain('--prefix TEXT');
  });

  it('may be a request that a proxy finds too large: the advice fits, and the empty dataset is named', async () => {
    const { run, file } = await withLangfuse(4, 2000);
    const path = file('items.jsonl', items({ id: 'a', input: 'x'.repeat(2000) }));
    const done = await run('dataset', 'import', 'eval', path);
    expect(done.code).toBe(2);
    expect(text(done)).toMatch(/refuses with HTTP 413: Body exceeded [\d.]+mb limit \(0 of 1 item saved before\)/);
    expect(text(done)).toContain('The new dataset eval is empty; only the pages of Langfuse can delete it.');
    expect(text(done)).toContain('make it smaller');
    expect(text(done)).not.toContain('--prefix');
  });
});
