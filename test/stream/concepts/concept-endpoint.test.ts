import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { describe, expect, it, onTestFinished } from 'vitest';

import { endpointExtractor } from '../../../src/stream/concepts/concept-endpoint.ts';

type Answer = (text: string, response: ServerResponse, asked: number) => void;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** A real server on this machine alone; gone when the test ends. */
async function serve(answer: Answer): Promise<string> {
  let asked = 0;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      asked += 1;
      expect(request.method).toBe('POST');
      answer((JSON.parse(body) as { text: string }).text, response, asked);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/concepts`;
}

const json = (response: ServerResponse, value: unknown): void => void response.end(JSON.stringify(value));

describe('endpointExtractor', () => {
  it('posts the text and takes the concepts, upper case, each once, in order', async () => {
    const url = await serve((text, response) => json(response, { concepts: text === '' ? [] : ['c2', 'C1', 'C2'] }));
    const extractor = await endpointExtractor({ url });
    expect(await extractor.extract('ataxia')).toEqual(['C1', 'C2']);
    expect([extractor.explain, extractor.surfaces]).toEqual([undefined, undefined]);
    expect(extractor.identity).toMatchObject({ name: 'endpoint', version: 'not stated', knowledgeBase: null });
    expect(JSON.stringify(extractor.identity)).not.toContain('127.0.0.1');
  });

  it('applies the original order to mentions with candidates, and names what the server says of itself', async () => {
    const url = await serve((text, response) =>
      json(response, {
        mentions:
          text === ''
            ? []
            : [
                {
                  surface: 'Ataxia',
                  candidates: [
                    ['C1', 0.6],
                    ['C2', 0.9],
                    ['C3', 0.8],
                  ],
                },
              ],
        extractor: { model: 'en_core_sci_lg', scispacy: '0.5.5', spacy: '3.7.5', kb_version: '2023AB' },
      }),
    );
    const extractor = await endpointExtractor({ url, maxK: 1, minEntityLength: 3 });
    expect(await extractor.extract('Ataxia')).toEqual(['C2']);
    expect(await extractor.surfaces?.('Ataxia')).toEqual(['ataxia']);
    expect(extractor.identity).toMatchObject({
      version: '0.5.5',
      settings: { model: 'en_core_sci_lg', spacy: '3.7.5', kb_version: '2023AB', max_k: 1 },
    });
  });

  it('takes stopped concepts away, and refuses stopped surfaces where a server gives concepts only', async () => {
    const url = await serve((_text, response) => json(response, { concepts: ['C1', 'C2'] }));
    const concepts = new Set(['C1']);
    const extractor = await endpointExtractor({ url, stoplist: { concepts, surfaces: new Set() } });
    expect(await extractor.extract('x')).toEqual(['C2']);
    const opening = endpointExtractor({ url, stoplist: { concepts, surfaces: new Set(['patient']) } });
    await expect(opening).rejects.toThrow('a stoplist of surface forms needs mentions');
  });

  it('asks again when the server is busy, and not when it says that the question is wrong', async () => {
    let asked = 0;
    const url = await serve((_text, response, count) => {
      asked = count;
      if (count === 1) response.writeHead(503).end();
      else json(response, { concepts: ['C1'] });
    });
    expect(await (await endpointExtractor({ url })).extract('x')).toEqual(['C1']);
    expect(asked).toBe(3);
    const wrong = await serve((_text, response, count) => {
      asked = count;
      response.writeHead(404).end();
    });
    await expect(endpointExtractor({ url: wrong })).rejects.toThrow('answered with status 404');
    expect(asked).toBe(1);
  });

  it('does not follow a redirect: text goes where the user said', async () => {
    const other = await serve((_text, response) => json(response, { concepts: [] }));
    const url = await serve((_text, response) => void response.writeHead(307, { location: other }).end());
    await expect(endpointExtractor({ url })).rejects.toThrow(/redirect \(307\), which is not followed/);
  });

  it.each([
    ['<html>', /concepts: a bad answer: it is not JSON; found "<html>"/],
    ['{"cuis":[]}', /a bad answer: expected mentions, concepts or an error/],
    ['{"concepts":[1]}', /a bad answer: concepts\.0/],
    ['{"concepts":["C1\\u001b[2J"]}', /a bad answer: concepts\.0: an id has no control or invisible characters/],
    ['{"mentions":[{"surface":"x","candidates":[["C\\u202e1",1]]}]}', /an id has no control or invisible characters/],
    [
      `{"concepts":${JSON.stringify(Array.from({ length: 10_001 }, (_, at) => `C${at}`))}}`,
      /concepts: more than 10000 concepts for one text/,
    ],
    ['{"error":"no model"}', /failed on a text: no model/],
  ])('refuses the answer %s', async (body, message) => {
    const url = await serve((_text, response) => void response.end(body));
    await expect(endpointExtractor({ url })).rejects.toThrow(message);
  });

  it('does not wait for ever', async () => {
    const url = await serve(() => undefined);
    await expect(endpointExtractor({ url, answerSeconds: 0.2 })).rejects.toThrow('no answer within 0.2 s');
  });

  it('refuses what is no address of a server', async () => {
    await expect(endpointExtractor({ url: 'file:///etc/passwd' })).rejects.toThrow('begins with http:// or https://');
  });
});
