import { describe, expect, it, vi } from 'vitest';

import { expectedOf } from '../../experiment/backend-contract.ts';
import { itemTrace, runOver } from './item-trace.ts';
import { quickBackend, server } from './quick-backend.ts';
import type { Behaviour, Rule } from './recording-langfuse.ts';

const SPANS = /^POST \/otel\/v1\/traces$/;
const SCORES = /^POST \/ingestion$/;
const LINKS = /^POST \/dataset-run-items$/;

async function published(behaviour: Behaviour, ...traces: readonly ReturnType<typeof itemTrace>[]) {
  const langfuse = await server(behaviour);
  const backend = await quickBackend(langfuse);
  const run = await runOver(backend, 3);
  await run.publish(traces);
  const spanOf = (id: string) => [...langfuse.kept.spans.values()].find(({ spanId }) => spanId === id)!;
  return { langfuse, backend, run, spanOf };
}

function rule(on: RegExp, times: number, misdeed: Rule['misdeed']): Behaviour {
  return { rules: [{ on, times, misdeed }] };
}

describe('publishing traces', () => {
  it('sends the root with what was asked and answered, under the ids and times that are given', async () => {
    const trace = itemTrace(1);
    const { spanOf } = await published({ generation: 4 }, trace);
    const root = spanOf(trace.rootId);
    expect(root).toMatchObject({
      traceId: trace.traceId,
      name: 'graph-extractor',
      // 2026-01-02T03:04:05.006Z and a second and a half later, in nanoseconds.
      startTimeUnixNano: '1767323045006000000',
      endTimeUnixNano: '1767323046506000000',
      scope: { name: 'langfuse-sdk' },
    });
    expect(root.parentSpanId).toBeUndefined();
    expect(root.attributes).toMatchObject({
      'langfuse.trace.name': 'graph-extractor',
      'langfuse.environment': 'sdk-experiment',
      'langfuse.observation.type': 'span',
      'langfuse.observation.input': '{"text":"text 1"}',
      'langfuse.observation.output': '{"entities":["Ann","Bob"]}',
      'langfuse.observation.metadata.repeat': '1',
      'langfuse.internal.is_app_root': true,
    });
  });

  it('sends the call as a generation with model, prompt, usage and cost', async () => {
    const trace = itemTrace(1);
    const { spanOf } = await published({ generation: 4 }, trace);
    const call = spanOf(trace.callId);
    expect(call.parentSpanId).toBe(trace.rootId);
    expect(call.attributes).toMatchObject({
      'langfuse.environment': 'sdk-experiment',
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'gemini-x',
      'langfuse.observation.model.parameters': '{"temperature":0}',
      'langfuse.observation.usage_details': '{"input":11,"output":7,"total":18}',
      'langfuse.observation.cost_details': '{"total":0.002}',
      'langfuse.observation.prompt.name': 'extract',
      'langfuse.observation.prompt.version': 3,
    });
    expect(call.attributes).not.toHaveProperty('langfuse.observation.level');
  });

  it('says on every span of which item of which experiment it is', async () => {
    const trace = itemTrace(1);
    const { spanOf, langfuse } = await published({ generation: 4 }, trace);
    const link = {
      'langfuse.experiment.name': 'baseline',
      'langfuse.experiment.description': 'first try',
      'langfuse.experiment.metadata': '{"model":"gemini-x","temperature":0}',
      'langfuse.experiment.dataset.id': 'dataset-1',
      'langfuse.experiment.item.id': 'item-1',
      'langfuse.experiment.item.expected_output': '{"entities":["Ann"]}',
      'langfuse.experiment.item.metadata': '{"source":"hand"}',
      'langfuse.experiment.item.root_observation_id': trace.rootId,
    };
    const [root, call] = [spanOf(trace.rootId), spanOf(trace.callId)];
    expect(root.attributes).toMatchObject(link);
    expect(call.attributes).toMatchObject(link);
    expect(root.attributes['langfuse.experiment.id']).toMatch(/^[0-9a-f]{16}$/);
    expect(call.attributes['langfuse.experiment.id']).toBe(root.attributes['langfuse.experiment.id']);
    expect(langfuse.count(LINKS)).toBe(0);
  });

  it('says what went wrong on both spans, and what is no model is a generation without one', async () => {
    const passages = [{ id: 'a.txt#1', text: 'Ann met Bob.', score: 2.5, source: 'a.txt' }];
    const error = { kind: 'schema', message: 'no entities' };
    const trace = itemTrace(1, { model: null, prompt: null, usage: null, output: null, passages, error });
    const { spanOf } = await published({ generation: 4 }, trace);
    const failed = {
      'langfuse.observation.level': 'ERROR',
      'langfuse.observation.status_message': 'schema: no entities',
    };
    for (const id of [trace.rootId, trace.callId]) {
      expect(spanOf(id).attributes).toMatchObject(failed);
      expect(spanOf(id).status).toEqual({ code: 2 });
      expect(spanOf(id).attributes).not.toHaveProperty('langfuse.observation.output');
    }
    const { attributes } = spanOf(trace.callId);
    expect(attributes['langfuse.observation.metadata.passages']).toBe(JSON.stringify(passages));
    expect(attributes).toMatchObject({ 'langfuse.observation.type': 'generation' });
    expect(attributes).not.toHaveProperty('langfuse.observation.model.name');
  });

  it('sends what the model was sent, the attempts that failed before, and that an answer cost nothing', async () => {
    const tries = [
      {
        kind: 'rate',
        message: 'HTTP 429',
        startedAt: '2026-01-02T03:03:05.000Z',
        endedAt: '2026-01-02T03:03:05.010Z',
      },
    ] as const;
    const usage = { inputTokens: 0, outputTokens: 0, cost: 0 };
    const trace = itemTrace(1, { tries, isRetried: true, isCached: true, usage });
    const { spanOf, langfuse } = await published({ generation: 4 }, trace);
    expect(langfuse.kept.spans.size).toBe(3);
    const event = [...langfuse.kept.spans.values()].find(({ name }) => name === 'attempt 1')!;
    expect(event).toMatchObject({
      parentSpanId: trace.rootId,
      startTimeUnixNano: spanOf(trace.rootId).startTimeUnixNano,
      endTimeUnixNano: spanOf(trace.rootId).startTimeUnixNano,
      status: { code: 0 },
    });
    expect(event.attributes).toMatchObject({
      'langfuse.observation.type': 'event',
      'langfuse.observation.level': 'WARNING',
      'langfuse.observation.status_message': 'rate: HTTP 429',
      'langfuse.observation.metadata.started_at': '2026-01-02T03:03:05.000Z',
      'langfuse.experiment.item.root_observation_id': trace.rootId,
    });
    expect(spanOf(trace.callId).attributes).toMatchObject({
      'langfuse.observation.input': '[{"role":"user","content":"text 1"}]',
      'langfuse.observation.cost_details': '{"total":0}',
      'langfuse.observation.usage_details': '{"input":0,"output":0,"total":0}',
      'langfuse.observation.metadata.cached': 'true',
      'langfuse.observation.level': 'DEFAULT',
      'langfuse.observation.status_message': 'answered on a later try',
    });
  });

  it('sends all of it: long texts, many fields of metadata, images, whatever the environment says', async () => {
    const text = 'ü'.repeat(300_000);
    const image = `data:image/png;base64,${'A'.repeat(4000)}`;
    const metadata = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`key${index}`, `value${index}`]));
    const trace = itemTrace(1, { output: { text, image }, metadata });
    for (const [name, value] of [
      ['OTEL_TRACES_SAMPLER', 'always_off'],
      ['OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT', '10'],
      ['OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT', '4'],
      ['LANGFUSE_TRACING_ENVIRONMENT', 'elsewhere'],
    ] as const)
      vi.stubEnv(name, value);
    const { spanOf } = await published({ generation: 4 }, trace);
    vi.unstubAllEnvs();
    const { attributes } = spanOf(trace.rootId);
    expect(attributes['langfuse.observation.output']).toBe(JSON.stringify({ text, image }));
    expect(attributes['langfuse.observation.metadata.key299']).toBe('value299');
    expect(attributes['langfuse.environment']).toBe('sdk-experiment');
  });

  it('sends scores on root and trace, under their ids, at the time of sending', async () => {
    const trace = itemTrace(1);
    const began = new Date().toISOString();
    const { langfuse } = await published({ generation: 4 }, trace);
    expect([...langfuse.kept.scores.values()]).toEqual([
      expect.objectContaining({
        id: 'item-1-precision',
        name: 'entity_precision',
        value: 0.5,
        dataType: 'NUMERIC',
        environment: 'sdk-experiment',
        traceId: trace.traceId,
        observationId: trace.rootId,
      }),
      expect.objectContaining({ id: 'item-1-recall', name: 'entity_recall', value: 1, comment: 'all found' }),
    ]);
    for (const { timestamp } of langfuse.kept.scores.values()) expect(String(timestamp) >= began).toBe(true);
  });

  it('links each trace to its item where there are dataset runs, under the id of the run', async () => {
    const traces = [itemTrace(1), itemTrace(2), itemTrace(3)];
    const { langfuse, spanOf, run } = await published({ generation: 3 }, ...traces);
    expect(langfuse.kept.runItems).toHaveLength(3);
    expect(langfuse.kept.runItems[0]).toMatchObject({
      runName: 'baseline',
      runDescription: 'first try',
      metadata: { model: 'gemini-x', temperature: 0 },
      datasetItemId: 'item-1',
      traceId: traces[0]!.traceId,
      observationId: traces[0]!.rootId,
    });
    expect(spanOf(traces[1]!.callId).attributes['langfuse.experiment.id']).toBe('run of baseline');
    expect(await run.url()).toBe(`${langfuse.url}/project/project-1/datasets/dataset-1/runs/run%20of%20baseline`);
  });

  it.each([3, 4, 'both'] as const)('makes nothing new when it is done again (generation %s)', async (generation) => {
    const traces = [itemTrace(1), itemTrace(2), itemTrace(3)];
    const { langfuse, backend, run } = await published({ generation }, ...traces);
    const before = [...langfuse.kept.spans.values()].map(({ at: _, ...span }) => span);
    await run.publish(traces);
    const [dataset] = await backend.datasets();
    const again = await backend.openRun({
      dataset: dataset!,
      name: 'baseline',
      description: 'first try',
      metadata: { model: 'gemini-x', temperature: 0 },
    });
    await again.publish(traces);
    expect([...langfuse.kept.spans.values()].map(({ at: _, ...span }) => span)).toEqual(before);
    expect(langfuse.kept.scores.size).toBe(6);
    expect(langfuse.kept.runItems).toHaveLength(generation === 4 ? 0 : 3);
    expect(await again.counts(traces.map(expectedOf))).toMatchObject({ traces: 3, scores: 6 });
  });

  it('takes several batches at once, also of several runs', async () => {
    for (const generation of [3, 4] as const) {
      const langfuse = await server({ generation });
      const backend = await quickBackend(langfuse);
      const one = await runOver(backend, 4, 'one');
      const two = await runOver(backend, 4, 'two');
      await Promise.all([
        one.publish([itemTrace(1)]),
        two.publish([itemTrace(2)]),
        one.publish([itemTrace(3)]),
        two.publish([itemTrace(4)]),
      ]);
      expect(langfuse.kept.spans.size).toBe(8);
      expect(await one.counts([1, 2, 3, 4].map((number) => expectedOf(itemTrace(number))))).toMatchObject({
        traces: 2,
        scores: 4,
        short: [itemTrace(2).traceId, itemTrace(4).traceId],
      });
    }
  });

  it('uses only the generation that it is told', async () => {
    const langfuse = await server({ generation: 'both' });
    const backend = await quickBackend(langfuse, { generation: 4 });
    const run = await runOver(backend, 1);
    await run.publish([itemTrace(1)]);
    expect(await run.counts([expectedOf(itemTrace(1))])).toMatchObject({ traces: 1, scores: 2 });
    expect(langfuse.count(/dataset-run-items|\/runs|GET \/traces/)).toBe(0);
    const old = await quickBackend(langfuse, { generation: 3 });
    const oldRun = await runOver(old, 1, 'older');
    await oldRun.publish([itemTrace(1)]);
    const before = langfuse.count(/experiment|observations/);
    expect(await oldRun.counts([expectedOf(itemTrace(1))])).toMatchObject({ traces: 1, scores: 2 });
    expect(langfuse.count(/experiment|observations/)).toBe(before);
  });

  it('refuses scores that are no numbers before anything is sent', async () => {
    const langfuse = await server();
    const run = await runOver(await quickBackend(langfuse), 1);
    const before = langfuse.requests.length;
    for (const value of [Number.NaN, Infinity]) {
      const bad = itemTrace(1, { scores: [{ id: 's', name: 'f1', value, comment: null }] });
      await expect(run.publish([itemTrace(2), bad])).rejects.toThrow(`the score "f1" ("s") is ${value}`);
      await expect(run.scoreRun(bad.scores)).rejects.toThrow(`is ${value}`);
    }
    expect(langfuse.requests).toHaveLength(before);
  });

  it('puts scores of the whole run on the run', async () => {
    for (const generation of [3, 4] as const) {
      const { run, langfuse, spanOf } = await published({ generation }, itemTrace(1));
      await run.scoreRun([{ id: 'run-f1', name: 'f1', value: 0.75, comment: null }]);
      const id = spanOf(itemTrace(1).rootId).attributes['langfuse.experiment.id'];
      expect(langfuse.kept.scores.get('run-f1')).toMatchObject({ name: 'f1', value: 0.75, datasetRunId: id });
      expect(langfuse.kept.scores.get('run-f1')).not.toHaveProperty('traceId');
    }
    const empty = await runOver(await quickBackend(await server({ generation: 3 })), 1);
    await expect(empty.scoreRun([{ id: 's', name: 'f1', value: 1, comment: null }])).rejects.toThrow(
      'the run "baseline" is not in Langfuse',
    );
  });
});

describe('a server that misbehaves', () => {
  it('gets spans again that it answered with 500 or dropped', async () => {
    for (const misdeed of [{ do: 'answer', status: 500 }, { do: 'drop' }, { do: 'drop-after' }] as const) {
      const { langfuse } = await published(rule(SPANS, 2, misdeed), itemTrace(1), itemTrace(2));
      expect(langfuse.kept.spans.size).toBe(4);
      expect(langfuse.count(SPANS)).toBe(3);
    }
  });

  it('makes publishing fail when it never takes the spans, and it is said how many are missing', async () => {
    const langfuse = await server(rule(SPANS, 99, { do: 'answer', status: 500 }));
    const run = await runOver(await quickBackend(langfuse), 3);
    await expect(run.publish([itemTrace(1), itemTrace(2), itemTrace(3)])).rejects.toThrow(
      `3 of 3 traces not delivered: cannot send traces: Langfuse at ${langfuse.url} answers with HTTP 500 after 3 attempts`,
    );
    expect(langfuse.kept.scores.size).toBe(0);
  });

  it('makes publishing fail when it takes only a part of the spans', async () => {
    const body = { partialSuccess: { rejectedSpans: '1', errorMessage: 'too long' } };
    const langfuse = await server(rule(SPANS, 99, { do: 'answer', status: 200, body }));
    const run = await runOver(await quickBackend(langfuse), 1);
    await expect(run.publish([itemTrace(1)])).rejects.toThrow(
      'took a batch of traces without 1 of its spans: too long',
    );
  });

  it('makes publishing fail when a page of HTML answers for it', async () => {
    const langfuse = await server(rule(SPANS, 99, { do: 'answer', status: 200, body: '<html></html>' }));
    const run = await runOver(await quickBackend(langfuse), 1);
    await expect(run.publish([itemTrace(1)])).rejects.toThrow('is not what Langfuse sends');
  });

  it('gets scores again that it did not take for now', async () => {
    // Its answer names none of them: neither taken nor refused.
    const { langfuse } = await published(
      rule(SCORES, 1, { do: 'answer', status: 207, body: { successes: [], errors: [] } }),
      itemTrace(1),
    );
    expect(langfuse.kept.scores.size).toBe(2);
    expect(langfuse.count(SCORES)).toBe(2);
  });

  it('makes publishing fail when it refuses scores, with its reason', async () => {
    const errors = [{ id: 'x', status: 400, message: 'Invalid request data', error: 'name is too long' }];
    const langfuse = await server(rule(SCORES, 99, { do: 'answer', status: 207, body: { successes: [], errors } }));
    const run = await runOver(await quickBackend(langfuse), 1);
    await expect(run.publish([itemTrace(1)])).rejects.toThrow(
      `1 of 1 trace not delivered: Langfuse at ${langfuse.url} did not take 2 of 2 scores: HTTP 400 Invalid request data: name is too long`,
    );
    expect(langfuse.count(SCORES)).toBe(1);
  });

  it('gets scores one by one when it takes no batches', async () => {
    const { langfuse } = await published(rule(SCORES, 99, { do: 'answer', status: 404 }), itemTrace(1));
    expect([...langfuse.kept.scores.keys()].sort()).toEqual(['item-1-precision', 'item-1-recall']);
  });

  it('makes publishing fail when an item is no longer there to be linked', async () => {
    const langfuse = await server({ generation: 3 });
    const run = await runOver(await quickBackend(langfuse), 1);
    await expect(run.publish([itemTrace(2)])).rejects.toThrow(
      'cannot link a trace to the item "item-2": Langfuse at ' +
        `${langfuse.url} refuses with HTTP 404: Dataset item not found`,
    );
  });
});
