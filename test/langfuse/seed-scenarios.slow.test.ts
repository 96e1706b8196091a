import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LangfuseClient } from '@langfuse/client';
import { LangfuseSpanProcessor } from '@langfuse/otel';
import { setLangfuseTracerProvider, startObservation } from '@langfuse/tracing';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { BIN, type Finished } from '../cli/run-assay.ts';
import { completion, json, type ModelServer, modelServer, refusal } from '../experiment/models/model-server.ts';
import { recordingProxy } from '../server/langfuse/recording-proxy.ts';
import { expectFitting } from '../server/langfuse/serving.ts';

/**
 * Every scenario of the graph seed that Langfuse is part of: the official SDK, the embedded server and the real program,
 * each a process apart. Those of matching are in test/reference/graph-scenarios.test.ts.
 */

interface Served {
  readonly url: string;
  readonly publicKey: string;
  readonly secretKey: string;
}

const folder = mkdtempSync(join(tmpdir(), 'assay-scenarios-'));
const processors: LangfuseSpanProcessor[] = [];
let served: Served;
let stopServer: () => void;
let client: LangfuseClient;
let proxy: Awaited<ReturnType<typeof recordingProxy>>;
let model: ModelServer;

beforeAll(async () => {
  const server = spawn(process.execPath, [BIN, 'serve', '--port', '0', '--data', join(folder, 'served'), '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stopServer = () => void server.kill();
  served = await new Promise<Served>((resolve) => {
    server.stdout.once('data', (line: Buffer) => resolve(JSON.parse(line.toString()) as Served));
  });
  // Everything that the SDK and the program say to the server goes through here, and is looked at in the end.
  proxy = await recordingProxy(served.url);
  served = { ...served, url: proxy.url };
  client = new LangfuseClient({ ...served, baseUrl: served.url });
  const processor = new LangfuseSpanProcessor({ ...served, baseUrl: served.url });
  processors.push(processor);
  setLangfuseTracerProvider(new NodeTracerProvider({ spanProcessors: [processor] }));
  const answer = JSON.stringify(EXTRACTED);
  model = await modelServer((response, request) => {
    const candidate = { content: { role: 'model', parts: [{ text: answer }] }, finishReason: 'STOP' };
    const usageMetadata = { promptTokenCount: 20, candidatesTokenCount: 10, totalTokenCount: 30 };
    const respond = JSON.stringify(request.body).includes('[breaks]')
      ? refusal(400, 'cannot do that')
      : request.path.includes(':generateContent')
        ? json(200, { candidates: [candidate], usageMetadata })
        : completion(answer);
    respond(response, request);
  });
});

afterAll(async () => {
  await Promise.all(processors.map((processor) => processor.shutdown()));
  await proxy.close();
  stopServer();
  await model.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Ann, Bo and Zed are extracted where Ann, Bo and Cy are expected; Bo has the wrong type. */
const EXTRACTED = {
  entities: [
    { temp_id: 'e1', name: 'Ann', type: 'Person' },
    { temp_id: 'e2', name: 'Bo', type: 'Company' },
    { temp_id: 'e3', name: 'Zed', type: 'Person' },
  ],
  relationships: [
    { source_ref: 'e1', target_ref: 'e2', type: 'parent_of' },
    { source_ref: 'e1', target_ref: 'e3', type: 'knows' },
  ],
};

const INPUT = {
  document_text: 'Ann is the mother of Bo. Cy was not there.',
  object_schemas: { Person: {}, Company: {} },
  relationship_schemas: { parent_of: {}, knows: {} },
};
const EXPECTED = {
  entities: [
    { name: 'Ann', type: 'Person' },
    { name: 'Bo', type: 'Person' },
    { name: 'Cy', type: 'Person' },
  ],
  relationships: [{ source_name: 'Ann', target_name: 'Bo', relationship_type: 'parent_of' }],
};

/** The real program, with Langfuse's variables set to the embedded server. */
function assay(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      cwd: folder,
      env: {
        ...process.env,
        NO_COLOR: '1',
        LANGFUSE_BASE_URL: served.url,
        LANGFUSE_PUBLIC_KEY: served.publicKey,
        LANGFUSE_SECRET_KEY: served.secretKey,
        OPENAI_API_KEY: 'sk-scenario-key-123456',
        ...env,
      },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

async function dataset(
  name: string,
  items: readonly { id: string; input: unknown; expectedOutput: unknown }[],
): Promise<void> {
  await client.api.datasets.create({ name });
  for (const item of items) await client.api.datasetItems.create({ datasetName: name, ...item });
}

/** The run as the SDK reads it: its metadata, and of each item the scores on its trace, with what they say. */
async function readRun(name: string, run: string): Promise<ReadRun> {
  const { id: datasetId } = await client.api.datasets.get(name);
  const fromStartTime = '2020-01-01T00:00:00Z';
  const experiments = await client.api.experiments.list({
    fromStartTime,
    name: run,
    datasetId,
    fields: 'core,metadata',
  });
  expect(experiments.data).toHaveLength(1);
  const scores = new Map<string, Map<string, number>>();
  const comments = new Map<string, string>();
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page = await client.api.experiments.listItems({
      fromStartTime,
      experimentId: experiments.data[0]!.id,
      fields: 'core,dataset,scores',
      ...(cursor === '' ? {} : { cursor }),
    });
    for (const item of page.data) {
      scores.set(item.experimentItemId, new Map(item.scores?.map((score) => [score.name, Number(score.value)])));
      for (const score of item.scores ?? [])
        if (score.comment !== null && score.comment !== undefined) comments.set(item.experimentItemId, score.comment);
    }
    ({ cursor } = page.meta);
  }
  return { metadata: experiments.data[0]!.metadata ?? {}, scores, comments };
}

interface ReadRun {
  readonly metadata: Record<string, unknown>;
  /** By item and name. */
  readonly scores: Map<string, Map<string, number>>;
  readonly comments: Map<string, string>;
}

/** Arguments of a command line, at each space. */
function words(parts: TemplateStringsArray, ...values: readonly string[]): string[] {
  return String.raw(parts, ...values).split(' ');
}

describe('Extraction Evaluation Datasets', () => {
  test('Create extraction evaluation dataset: stored with its structure, retrievable through the SDK', async () => {
    await dataset('created', [{ id: 'created-1', input: INPUT, expectedOutput: EXPECTED }]);
    const { items } = await client.dataset.get('created');
    expect(items.map(({ id, input, expectedOutput }) => ({ id, input, expectedOutput }))).toEqual([
      { id: 'created-1', input: INPUT, expectedOutput: EXPECTED },
    ]);
  });

  test('Seed dataset from production traces: an item with input and validated output, linked back', async () => {
    const span = startObservation('extract');
    span.update({ input: INPUT, output: EXTRACTED });
    span.end();
    await processors[0]!.forceFlush();
    writeFileSync(join(folder, 'validated.json'), JSON.stringify(EXPECTED));
    const done = await assay([
      'dataset',
      'seed',
      'seeded',
      '--from-trace',
      span.traceId,
      '--validated',
      'validated.json',
    ]);
    expect(done).toMatchObject({ code: 0 });
    const { items } = await client.dataset.get('seeded');
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ input: INPUT, expectedOutput: EXPECTED, sourceTraceId: span.traceId });
  });
});

describe('Extraction Experiment Execution', () => {
  test('Run extraction experiment: every item, a linked trace each, scores on each trace', async () => {
    const ids = ['run-1', 'run-2', 'run-3'];
    await dataset(
      'run',
      ids.map((id) => ({ id, input: INPUT, expectedOutput: EXPECTED })),
    );
    const done = await assay(
      words`run --dataset run --name first --model openai-compatible/test --base-url ${model.url}/v1`,
    );
    expect(done.stderr).not.toContain('assay:');
    expect(done.code).toBe(0);
    const { scores } = await readRun('run', 'first');
    expect([...scores.keys()].toSorted()).toEqual(ids);
    for (const own of scores.values()) expect(own.has('entity_f1')).toBe(true);
  });

  test('Parameterized experiment configuration: used for all items, recorded in the metadata', async () => {
    await dataset('parameters', [
      { id: 'parameters-1', input: INPUT, expectedOutput: EXPECTED },
      { id: 'parameters-2', input: { ...INPUT, document_text: 'Ann and Bo.' }, expectedOutput: EXPECTED },
    ]);
    await client.prompt.create({
      name: 'graph-extraction',
      type: 'text',
      prompt: 'SCENARIO PROMPT {{ document_text }}',
      labels: ['staging'],
    });
    const before = model.requests.length;
    const done = await assay(
      words`run --dataset parameters --name warm --model openai-compatible/test --prompt-label staging --temperature 0.7 --base-url ${model.url}/v1`,
    );
    expect(done).toMatchObject({ code: 0 });
    const asked = model.requests.slice(before).map(({ body }) => body);
    expect(asked.map((body) => body['temperature'])).toEqual([0.7, 0.7]);
    expect(asked.every((body) => JSON.stringify(body).includes('SCENARIO PROMPT'))).toBe(true);
    const { metadata } = await readRun('parameters', 'warm');
    expect(metadata).toMatchObject({
      model: 'openai-compatible/test',
      prompt: 'graph-extraction',
      prompt_label: 'staging',
      // Texts always, as Langfuse 4 has them.
      prompt_version: '1',
      temperature: '0.7',
    });
    expect(metadata['signature']).toContain('graph/openspec');
  });

  test('Experiment error handling: an error score on the trace, the others go on, the summary counts it', async () => {
    await dataset('errors', [
      { id: 'errors-1', input: INPUT, expectedOutput: EXPECTED },
      { id: 'errors-2', input: { ...INPUT, document_text: '[breaks]' }, expectedOutput: EXPECTED },
      { id: 'errors-3', input: { ...INPUT, document_text: 'Bo.' }, expectedOutput: EXPECTED },
    ]);
    const done = await assay(
      words`run --dataset errors --name bumpy --model openai-compatible/test --json --base-url ${model.url}/v1`,
    );
    expect(done.code).toBe(0);
    const { scores, comments } = await readRun('errors', 'bumpy');
    expect([...(scores.get('errors-2') ?? [])]).toEqual([['error', 1]]);
    expect(scores.get('errors-1')?.has('error')).toBe(false);
    expect(scores.get('errors-3')?.get('entity_recall')).toBeCloseTo(2 / 3, 12);
    expect(comments.get('errors-2')).toMatch(/^request: HTTP 400/);
    const summary = JSON.parse(done.stdout) as { answered: number; failed: number; failures: { kind: string }[] };
    expect([summary.answered, summary.failed]).toEqual([2, 1]);
    expect(summary.failures).toMatchObject([{ kind: 'request', count: 1 }]);
  });
});

describe('Extraction Quality Metrics', () => {
  test('precision, recall, F1, relationship accuracy and type accuracy are on the trace under these names', async () => {
    const { scores } = await readRun('run', 'first');
    const own = scores.get('run-1')!;
    // Ann and Bo of three extracted and of three expected; Bo has the wrong type; one of two relationships is right.
    expect(own.get('entity_precision')).toBeCloseTo(2 / 3, 12);
    expect(own.get('entity_recall')).toBeCloseTo(2 / 3, 12);
    expect(own.get('entity_f1')).toBeCloseTo(2 / 3, 12);
    expect(own.get('relationship_accuracy')).toBe(1 / 2);
    expect(own.get('type_accuracy')).toBe(1 / 2);
  });
});

describe('Experiment CLI', () => {
  test('Run experiment via CLI: runs on the dataset, shows progress, ends with average scores', async () => {
    await dataset('extraction-eval', [
      { id: 'cli-1', input: INPUT, expectedOutput: EXPECTED },
      { id: 'cli-2', input: { ...INPUT, document_text: 'Ann and Bo again.' }, expectedOutput: EXPECTED },
    ]);
    const target = { use: 'graph-extractor', model: 'openai-compatible/test', baseUrl: `${model.url}/v1` };
    writeFileSync(join(folder, 'experiment.yaml'), JSON.stringify({ name: 'x', dataset: 'extraction-eval', target }));
    const done = await assay(words`run --dataset extraction-eval --name baseline-v1`);
    expect(done.stderr).toContain('Using experiment.yaml: graph-extractor, openai-compatible/test');
    expect(done.code).toBe(0);
    expect(done.stderr).toContain('2 of 2 done');
    expect(done.stdout).toContain('entity_f1');
    expect(done.stdout).toContain('0.667');
    expect(done.stdout).toContain(`${served.url}/project/`);
  });

  test('Specify model and prompt via CLI: that model is asked, with the prompt of that label', async () => {
    await dataset('gemini', [{ id: 'gemini-1', input: INPUT, expectedOutput: EXPECTED }]);
    const before = model.requests.length;
    const done = await assay(
      words`run --dataset gemini --name pro --model gemini-1.5-pro --prompt-label staging --base-url ${model.url}/v1beta`,
      { GOOGLE_API_KEY: 'google-scenario-key-123456' },
    );
    expect(done.stderr).not.toContain('assay:');
    expect(done.code).toBe(0);
    const [asked, ...others] = model.requests.slice(before);
    expect(others).toEqual([]);
    expect(asked?.path).toContain('gemini-1.5-pro:generateContent');
    expect(JSON.stringify(asked?.body)).toContain('SCENARIO PROMPT');
  });
});

test('every request and every answer of these scenarios is one that the published API knows', () => {
  expect(proxy.recorded.length).toBeGreaterThan(50);
  expectFitting(proxy.recorded);
});
