import { describe, expect, it } from 'vitest';

import { itemTrace, runOver } from './item-trace.ts';
import { quickBackend, server } from './quick-backend.ts';

const OBSERVATIONS = /^GET \/v2\/observations$/;

describe('a trace of Langfuse', () => {
  it.each([3, 4, 'both'] as const)('is found in generation %s, with its place', async (generation) => {
    const langfuse = await server({ generation });
    const backend = await quickBackend(langfuse);
    const run = await runOver(backend, 1);
    const trace = itemTrace(1);
    await run.publish([trace]);
    expect(await backend.trace(trace.traceId)).toEqual({
      id: trace.traceId,
      observationId: null,
      name: 'graph-extractor',
      input: { text: 'text 1' },
      output: { entities: ['Ann', 'Bob'] },
      corrected: null,
      metadata: {},
      url: `${langfuse.url}/project/project-1/traces/${trace.traceId}`,
    });
    expect(await backend.trace('f'.repeat(32))).toBeNull();
    for (const climbing of ['', '.', '..']) expect(await backend.trace(climbing)).toBeNull();
  });

  it('is its root, and its metadata is asked for again where it was cut', async () => {
    const long = 'x'.repeat(500);
    const page = (note: string) => ({
      data: [
        { id: 'b', traceId: 't', parentObservationId: 'a', input: '"child"' },
        { id: 'a', traceId: 't', parentObservationId: null, name: 'root', output: 'plain text', metadata: { note } },
      ],
      meta: {},
    });
    const langfuse = await server({
      rules: [
        { on: OBSERVATIONS, times: 1, misdeed: { do: 'answer', status: 200, body: page(long.slice(0, 200)) } },
        { on: OBSERVATIONS, times: 1, misdeed: { do: 'answer', status: 200, body: page(long) } },
      ],
    });
    const backend = await quickBackend(langfuse);
    expect(await backend.trace('t')).toMatchObject({
      name: 'root',
      input: null,
      output: 'plain text',
      metadata: { note: long },
    });
    expect(
      langfuse.requests.findLast(({ path }) => path.endsWith('/v2/observations'))!.query.get('expandMetadata'),
    ).toBe('note');
  });

  it('does not keep us for ever where a server repeats its page', async () => {
    const body = { data: [], meta: { cursor: 'again' } };
    const langfuse = await server({
      rules: [{ on: OBSERVATIONS, times: 99, misdeed: { do: 'answer', status: 200, body } }],
    });
    await expect((await quickBackend(langfuse)).trace('t')).rejects.toThrow('the same page over and over');
    expect(langfuse.count(OBSERVATIONS)).toBe(2);
  });
});
