import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import {
  completion,
  json,
  type ModelServer,
  modelServer,
  refusal,
  type Respond,
} from '../../experiment/models/model-server.ts';
import { BIN, temporaryFolder } from '../run-assay.ts';

const KEY = 'sk-live-7Q2x9Zk4Wb83mN0tSECRET';
/** Ten characters of it are as good as all of it. */
const PART = KEY.slice(8, 18);
const LANGFUSE_SECRET = 'sk-lf-9876543210-fedcbaSECRET';
const HEADER_SECRET = 'header-value-4711-SECRET';

/** As it is, as a URL has it, as basic authorization has it. */
function forms(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('hex'),
  ];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** Where a secret was left, in any file or in what was printed. */
function leaks(folder: string, printed: string, secret: string): string[] {
  const found = filesBelow(folder).filter((path) => {
    const content = readFileSync(path);
    return forms(secret).some((form) => content.includes(form));
  });
  return [...found, ...(forms(secret).some((form) => printed.includes(form)) ? ['the output'] : [])];
}

interface Ran {
  readonly code: number | null;
  readonly printed: string;
}

function assay(args: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...args], { cwd, env: { ...process.env, NO_COLOR: '1', ...env } });
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    child.on('close', (code) => resolve({ code, printed }));
  });
}

/** Says what it was sent, key and all, wherever a server could say it. */
const tellTale: Respond = (response, request) => {
  const { authorization = '' } = request.headers;
  const text = JSON.stringify(request.body);
  const echo: Respond = text.includes('[refused]')
    ? refusal(400, `bad request from ${authorization}`)
    : text.includes('[broken]')
      ? completion(`your key is ${authorization}`)
      : text.includes('[headers]')
        ? json(500, { error: { message: `key ${KEY}` } }, { 'x-echo': KEY })
        : text.includes('[part]')
          ? (sent) => sent.writeHead(200, { 'content-type': 'application/json' }).end(PART)
          : completion(
              JSON.stringify({
                entities: [{ temp_id: 'e1', name: `Ann ${authorization}`, type: 'Person' }],
                relationships: [],
              }),
            );
  echo(response, request);
};

function writeItems(folder: string): void {
  const texts = ['Ann met Bo.', '[refused]', '[broken]', '[headers]', '[part]'];
  const lines = texts.map((text, at) =>
    JSON.stringify({
      id: `i${at}`,
      input: { document_text: text },
      expected_output: { entities: [{ name: 'Ann', type: 'Person' }], relationships: [] },
    }),
  );
  writeFileSync(join(folder, 'items.jsonl'), `${lines.join('\n')}\n`);
}

async function tellTaleServer(): Promise<ModelServer> {
  const server = await modelServer(tellTale);
  onTestFinished(() => server.close());
  return server;
}

test('a model key is in no file and no line that a run leaves, whatever the server does with it', async () => {
  const folder = temporaryFolder();
  const server = await tellTaleServer();
  writeItems(folder);
  const env = { OPENAI_API_KEY: KEY, LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '' };
  const args = ['run', '--dataset', 'items.jsonl', '--name', 'told', '--model', 'openai-compatible/x'];
  const run = [...args, '--base-url', `${server.url}/v1`, '--retries', '0'];
  const dry = await assay([...run, '--dry-run'], folder, env);
  const done = await assay(run, folder, env);
  const again = await assay([...run, '--only-failed', '--json'], folder, { ...env, ASSAY_DEBUG: '1' });
  expect([dry.code, done.code, again.code]).toEqual([0, 0, 0]);
  // The server has seen it, and what it echoed was kept without it.
  expect(server.requests.some(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  expect(readFileSync(join(folder, 'runs/told/log.jsonl'), 'utf8')).toContain('[key]');
  expect(filesBelow(folder).length).toBeGreaterThan(10);
  for (const secret of [KEY, PART])
    expect(leaks(folder, dry.printed + done.printed + again.printed, secret)).toEqual([]);
});

test('secrets in the headers of an http target are in no file and no line, also when it fails', async () => {
  const folder = temporaryFolder();
  const server = await modelServer((response, request) => {
    const text = JSON.stringify(request.body);
    if (text.includes('[refused]')) refusal(403, `no: ${String(request.headers['x-api-key'])}`)(response, request);
    else
      json(200, { entities: [{ name: String(request.headers['x-api-key']), type: 'Person' }], relationships: [] })(
        response,
        request,
      );
  });
  onTestFinished(() => server.close());
  writeItems(folder);
  writeFileSync(
    join(folder, 'experiment.yaml'),
    `name: told\ndataset: items.jsonl\ntarget: { use: http, url: '${server.url}/extract', headers: { x-api-key: $OWN_SECRET } }\nrecipe: graph/openspec\nlimits: { retries: 0 }\n`,
  );
  const env = { OWN_SECRET: HEADER_SECRET, LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '' };
  const done = await assay(['run', 'experiment.yaml'], folder, env);
  expect(server.requests.some(({ headers }) => headers['x-api-key'] === HEADER_SECRET)).toBe(true);
  expect(leaks(folder, done.printed, HEADER_SECRET)).toEqual([]);
});

test('the keys of Langfuse are in no file and no line, with a server that refuses and repeats them', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'data'));
  const server = await modelServer((response, request) => {
    const decoded = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
    json(401, { message: `wrong credentials ${decoded} ${String(request.headers.authorization)}`, error: 'x' })(
      response,
      request,
    );
  });
  onTestFinished(() => server.close());
  writeItems(folder);
  const env = {
    LANGFUSE_BASE_URL: server.url,
    LANGFUSE_PUBLIC_KEY: 'pk-lf-public-1',
    LANGFUSE_SECRET_KEY: LANGFUSE_SECRET,
    LANGFUSE_DEBUG: 'true',
  };
  const done = await assay(['run', '--dataset', 'x', '--name', 'told', '--answers', 'items.jsonl'], folder, env);
  expect(done.code).toBe(2);
  expect(server.requests.length).toBeGreaterThan(0);
  const both = Buffer.from(`pk-lf-public-1:${LANGFUSE_SECRET}`).toString('base64');
  expect(leaks(folder, done.printed, LANGFUSE_SECRET)).toEqual([]);
  expect(done.printed).not.toContain(both);
});
