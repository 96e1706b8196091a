/**
 * Runs scenario.py with the official Python SDK against the embedded server and keeps what goes over the wire in
 * traffic.jsonl, which python-sdk.test.ts replays. Needs a Python that has the package langfuse:
 *
 *     node tools/runtime/run.js test/langfuse/python/record.ts [PYTHON]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { serveLangfuse } from '../../../src/server/langfuse/langfuse-server.ts';
import { openStore } from '../../../src/store/store.ts';
import { type Exchange, KEYS, SERVER, TRAFFIC_FILE } from './traffic.ts';

const KEPT_HEADERS = /^(?:content-type|content-encoding|x-langfuse-sdk-.*)$/;

const folder = mkdtempSync(join(tmpdir(), 'assay-python-'));
const store = openStore(folder);
const server = await serveLangfuse({ port: 0, store, keys: KEYS, log: (line) => console.error(line) });
const exchanges: Exchange[] = [];
const proxy = createServer((incoming, outgoing) => {
  const at = exchanges.length;
  // In the order in which they were asked: what depends on an answer was asked after it.
  exchanges.push({ method: '', path: '', headers: {}, status: 0 });
  void buffer(incoming).then((sent) => {
    const { hostname, port } = new URL(server.url);
    const { url: path = '', method = '', headers } = incoming;
    const onward = ask({ hostname, port, path, method, headers }, (answered) => {
      void buffer(answered).then((body) => {
        exchanges[at] = exchangeOf(incoming, sent, answered.statusCode ?? 0, body);
        outgoing.writeHead(answered.statusCode ?? 500, answered.headers).end(body);
      });
    });
    onward.end(sent);
  });
});
await new Promise<void>((resolve) => {
  proxy.listen(0, '127.0.0.1', resolve);
});
const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

const python = spawn(process.argv[2] ?? 'python3', ['-'], {
  stdio: ['pipe', 'inherit', 'inherit'],
  env: {
    ...process.env,
    LANGFUSE_BASE_URL: url,
    LANGFUSE_PUBLIC_KEY: KEYS.publicKey,
    LANGFUSE_SECRET_KEY: KEYS.secretKey,
    // The stack of a task that failed would name the folders of this machine.
    OTEL_EVENT_ATTRIBUTE_COUNT_LIMIT: '1',
  },
});
python.stdin.end(readFileSync(join(import.meta.dirname, 'scenario.py')));
const code = await new Promise<number | null>((resolve) => {
  python.on('close', resolve);
});
proxy.closeAllConnections();
proxy.close();
await server.close();
store.close();
rmSync(folder, { recursive: true });
// A request to a line, so that another recording can be compared with this one.
const lines = exchanges.map((one) => JSON.stringify(one)).join('\n');
if (code === 0) writeFileSync(TRAFFIC_FILE, `${lines.replaceAll(url, SERVER)}\n`);
else process.exitCode = 1;
console.log(`${exchanges.length} requests${code === 0 ? `, kept in ${TRAFFIC_FILE}` : '; the scenario failed'}`);

function exchangeOf(incoming: IncomingMessage, sent: Buffer, status: number, answer: Buffer): Exchange {
  const headers = Object.entries(incoming.headers).filter(([name]) => KEPT_HEADERS.test(name));
  const isJson = incoming.headers['content-type'] === 'application/json';
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    ...(sent.length === 0 ? {} : isJson ? { text: sent.toString() } : { base64: sent.toString('base64') }),
    status,
    ...(answer.length === 0 ? {} : { answer: answerOf(answer) }),
  };
}

function answerOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return bytes.toString('base64');
  }
}
