import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { assay, BIN, example, type Finished } from './run-assay.ts';

/** The real program against the embedded server, each a process of its own. */

interface Served {
  readonly url: string;
  readonly publicKey: string;
  readonly secretKey: string;
}

const folder = mkdtempSync(join(tmpdir(), 'assay-dataset-'));
let served: Served;
let stop: () => void;

beforeAll(async () => {
  const server = spawn(process.execPath, [BIN, 'serve', '--port', '0', '--data', join(folder, 'served'), '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  stop = () => void server.kill();
  served = await new Promise<Served>((resolve) => {
    server.stdout.once('data', (line: Buffer) => resolve(JSON.parse(line.toString()) as Served));
  });
});

afterAll(() => {
  stop();
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]): Finished {
  const { url, publicKey, secretKey } = served;
  return assay(args, {
    cwd: folder,
    env: {
      LANGFUSE_BASE_URL: url,
      LANGFUSE_PUBLIC_KEY: publicKey,
      LANGFUSE_SECRET_KEY: secretKey,
      ASSAY_DATA: join(folder, 'here'),
    },
  });
}

function ok(done: Finished): string {
  expect(done).toMatchObject({ code: 0, stderr: '' });
  return done.stdout;
}

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

const hashes = (text: string): string[] => text.match(/sha256:[0-9a-f]{64}/g) ?? [];

describe('assay dataset with Langfuse', () => {
  it('creates, imports, shows, seeds and archives there', async () => {
    expect(ok(run('dataset', 'list'))).toContain('There is no dataset in this project of Langfuse yet.');
    expect(ok(run('dataset', 'create', 'graph', '--task', 'graph', '--description', 'six'))).toBe(
      `Created the dataset graph in ${served.url}.\nItems: assay dataset import graph FILE\n`,
    );
    const first = ok(run('dataset', 'import', 'graph', example('graph/items.jsonl')));
    expect(first).toContain('6 items in graph: 6 created, 0 changed, 0 unchanged');
    const again = ok(run('dataset', 'import', 'graph', example('graph/items.jsonl')));
    expect(again).toContain('6 items: all are in graph already, unchanged.');
    expect(hashes(again)).toEqual(hashes(first));
    const exported = ok(run('dataset', 'show', 'graph', '--json'));
    expect(exported.split('\n').map((line) => line.slice(0, 11))).toEqual([
      ...['1', '2', '3', '4', '5', '6'].map((at) => `{"id":"G0${at}"`),
      '',
    ]);

    await sendTrace('4bf92f3577b34da6a3ce929d0e0e4736', { document_text: 'Ann.' }, { entities: [], relationships: [] });
    await sendTrace('5bf92f3577b34da6a3ce929d0e0e4736', { document_text: 'Ann.' }, { entities: [] });
    expect(ok(run('dataset', 'seed', 'graph', '--from-trace', '4bf92f3577b34da6a3ce929d0e0e4736'))).toContain(
      'expected: its own output, taken as validated',
    );
    const refused = run('dataset', 'seed', 'graph', '--from-trace', '5bf92f3577b34da6a3ce929d0e0e4736');
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('expected_output.relationships: expected, but not there');
    const none = run('dataset', 'seed', 'graph', '--from-trace', '6bf92f3577b34da6a3ce929d0e0e4736');
    expect(none.stderr).toContain('a new trace takes a few seconds to be seen there');
    const seeded = ok(run('dataset', 'show', 'graph', '--json'))
      .trim()
      .split('\n')
      .at(-1)!;
    expect(JSON.parse(seeded)).toMatchObject({
      source_trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      metadata: { source_trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', expected_from: 'trace' },
    });

    expect(ok(run('dataset', 'archive', 'graph', '--item', 'G01'))).toContain('1 item of graph archived.\n');
    expect(ok(run('dataset', 'version', 'graph'))).toMatch(/^sha256:\S+ {2}6 items$/m);
    expect(ok(run('dataset', 'import', 'graph', example('graph/items.jsonl')))).toContain(
      '1 record: archived before, and still so',
    );
    expect(ok(run('dataset', 'show', 'graph', '--archived', '--items', '9'))).toContain('G01 (archived)');
    expect(ok(run('dataset', 'restore', 'graph', '--item', 'G01'))).toContain('1 item of graph restored.\n');
    expect(ok(run('dataset', 'version', 'graph'))).toMatch(/^sha256:\S+ {2}7 items$/m);
    expect(ok(run('dataset', 'traces', '--limit', '5'))).toContain('4bf92f3577b34da6a3ce929d0e0e4736');
  });

  it('pushes to Langfuse and pulls from it, with the same hash at both ends', () => {
    const items = file(
      'faq.jsonl',
      '{"id":"q1","input":"a","expected_output":"b"}\n{"id":"q2","input":"c","metadata":{"k":1}}\n',
    );
    const [hash] = hashes(ok(run('dataset', 'import', 'faq', items, '--local')));
    const pushed = ok(run('dataset', 'push', 'faq'));
    expect(pushed).toContain(
      `2 items of faq from ${join(folder, 'here')} to ${served.url}: 2 created, 0 changed, 0 unchanged.`,
    );
    expect(hashes(pushed)).toEqual([hash, hash]);
    expect(ok(run('dataset', 'push', 'faq'))).toContain('0 created, 0 changed, 2 unchanged');

    const pulled = ok(run('dataset', 'pull', 'faq', '--data', join(folder, 'there')));
    expect(pulled).toContain('2 created, 0 changed, 0 unchanged');
    expect(hashes(pulled)).toEqual([hash, hash]);

    ok(run('dataset', 'import', 'faq', file('more.jsonl', '{"id":"q3","input":"d"}\n')));
    const extra = ok(run('dataset', 'push', 'faq'));
    expect(extra).toContain(`1 item is only in ${served.url}, and stay`);
    expect(new Set(hashes(extra)).size).toBe(2);
    const unknown = run('dataset', 'pull', 'fak');
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain('did you mean faq?');
  });

  it('leaves no empty dataset where the ids belong to another one', () => {
    const items = file('taken.jsonl', '{"id":"t1","input":1}\n');
    ok(run('dataset', 'import', 'taken', items));
    const done = run('dataset', 'import', 'other', items);
    expect(done).toMatchObject({ code: 2 });
    expect(done.stderr).toMatch(/taken\.jsonl:1: id: the id "t1" belongs to the dataset "taken" \(.*--prefix TEXT/);
    expect(ok(run('dataset', 'list'))).not.toContain('other');
  });
});

describe('assay prompt with Langfuse', () => {
  it('makes versions, moves labels, pushes and pulls', () => {
    const text = file('p.txt', 'Extract {{document_text}}\n');
    expect(ok(run('prompt', 'create', 'extract', text, '--local', '--label', 'production'))).toContain('Version 1');
    expect(ok(run('prompt', 'push', 'extract'))).toContain(`became version 1 in ${served.url}, labelled production.`);
    expect(ok(run('prompt', 'push', 'extract'))).toContain('already.');
    expect(ok(run('prompt', 'create', 'extract', text, '--label', 'staging'))).toBe(
      'Version 1 already has this text; none was created (--force creates one).\nVersion 1 is now labelled latest, production, staging.\n',
    );
    const next = file('p2.txt', 'Extract all of {{document_text}}\n');
    expect(ok(run('prompt', 'create', 'extract', next, '--config', '{"temperature":0}'))).toContain('Version 2');
    expect(ok(run('prompt', 'label', 'extract', '2', 'production'))).toContain('labelled latest, production');
    expect(ok(run('prompt', 'show', 'extract', '--body'))).toBe('Extract all of {{document_text}}\n');
    expect(ok(run('prompt', 'pull', 'extract'))).toMatch(
      /^Version 2 .* became version 2 in .*, labelled production\.\n$/,
    );
    expect(JSON.parse(ok(run('prompt', 'show', 'extract', '--local', '--json')))).toMatchObject({
      version: 2,
      prompt: 'Extract all of {{document_text}}\n',
      config: { temperature: 0 },
    });
  });
});

async function sendTrace(id: string, input: unknown, output: unknown): Promise<void> {
  const timestamp = new Date().toISOString();
  const event = {
    id: crypto.randomUUID(),
    type: 'trace-create',
    timestamp,
    body: { id, timestamp, name: 'extract', input, output },
  };
  const answer = await fetch(`${served.url}/api/public/ingestion`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${served.publicKey}:${served.secretKey}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ batch: [event] }),
  });
  expect(answer.status).toBe(207);
}
