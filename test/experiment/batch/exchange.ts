import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

import type { BatchAccess } from '../../../src/experiment/batch/batch-protocol.ts';

export interface SeenExchange {
  /** `POST /v1/batches`. */
  readonly line: string;
  readonly authorization: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** A server that answers each request with the next text, under status 200 unless a pair gives another. */
export async function exchanges(...answers: readonly (string | object | readonly [number, object])[]) {
  const seen: SeenExchange[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { authorization, 'content-type': contentType } = request.headers;
      const body = Buffer.concat(chunks).toString();
      seen.push({ line: `${request.method ?? ''} ${request.url ?? ''}`, authorization, contentType, body });
      const answer = answers[Math.min(seen.length, answers.length) - 1]!;
      const [status, content] = Array.isArray(answer) ? (answer as [number, object]) : [200, answer];
      response.writeHead(status).end(typeof content === 'string' ? content : JSON.stringify(content));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const access = (path: string): BatchAccess => ({
    baseUrl: `${origin}${path}`,
    headers: { authorization: 'Bearer key-0123456789', 'content-type': 'application/json', 'x-own': 'yes' },
    key: 'key-0123456789',
    signal: new AbortController().signal,
  });
  return { seen, origin, access };
}

export const INTENT = { name: 'assay-1', ids: ['a', 'b'], at: Date.parse('2026-01-02T03:04:05Z') };
export const REQUESTS = [
  { id: 'a', body: { model: 'm', n: 1 } },
  { id: 'b', body: { model: 'm', n: 2 } },
];

export const jsonLines = (...lines: readonly (object | string)[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
