import { gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { guardedFetch } from '../../../src/experiment/models/guarded-fetch.ts';
import { modelServer } from './model-server.ts';

describe('guardedFetch', () => {
  it('hands on an answer that is not too long, with its status and headers', async () => {
    const server = await modelServer((response) => void response.writeHead(418, { 'x-a': 'b' }).end('x'.repeat(100)));
    const answer = await guardedFetch(100)(server.url);
    expect([answer.status, answer.headers.get('x-a'), await answer.text()]).toEqual([418, 'b', 'x'.repeat(100)]);
    await server.close();
  });

  it('stops reading an answer that is, also when it was packed small', async () => {
    const packed = gzipSync('x'.repeat(1_000_000));
    const server = await modelServer((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
    });
    const answer = await guardedFetch(10_000)(server.url);
    await expect(answer.text()).rejects.toThrow('the answer is longer than 10000 bytes and was not read');
    await server.close();
  });
});
