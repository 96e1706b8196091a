import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';
import { z } from 'zod';

import { errorAnswer } from '../../../src/langfuse/shapes/endpoint.ts';
import { endpointFor } from '../../../src/langfuse/shapes/endpoints.ts';
import { basic, type Serving, serving } from '../../server/langfuse/serving.ts';
import { type Exchange, SERVER, TRAFFIC_FILE } from './traffic.ts';

const exchanges = readFileSync(TRAFFIC_FILE, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Exchange);
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const named = (name: string): string => (UUID.test(name) ? 'ID' : name);

interface Replayed {
  readonly exchange: Exchange;
  readonly status: number;
  readonly answer: unknown;
}

/**
 * Sends again what the Python SDK sent. Ids and addresses that the server made up then are replaced by those that it makes
 * up now, in the bytes of spans too: both have the same length.
 */
async function replay(server: Serving): Promise<Replayed[]> {
  const renamed = new Map<string, string>([[SERVER, server.url]]);
  const replayed: Replayed[] = [];
  for (const exchange of exchanges) {
    const { method, path, headers, text, base64 } = exchange;
    const sent = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
    const target = renameAll(SERVER + path, renamed);
    const body = Buffer.from(renameAll(sent.toString('latin1'), renamed), 'latin1');
    const answered = await fetch(target, {
      method,
      headers: { ...headers, ...(path.includes('signature=') ? {} : { authorization: basic() }) },
      ...(body.length === 0 ? {} : { body }),
    });
    const bytes = Buffer.from(await answered.arrayBuffer());
    const isJson = answered.headers.get('content-type')?.startsWith('application/json') === true;
    const answer: unknown = isJson ? JSON.parse(bytes.toString()) : bytes.toString('base64');
    learn(exchange.answer, answer, renamed);
    replayed.push({ exchange, status: answered.status, answer });
  }
  return replayed;
}

/** The latest first: signed addresses hold that of the server, and those that were recorded have expired. */
function renameAll(text: string, renamed: ReadonlyMap<string, string>): string {
  let made = text;
  for (const [before, now] of [...renamed].toReversed()) made = made.replaceAll(before, now);
  return made;
}

/** Where both answers have an id or a signed address at the same place, one stands for the other. */
function learn(before: unknown, now: unknown, renamed: Map<string, string>): void {
  if (typeof before === 'string' && typeof now === 'string') {
    const isMade = UUID.test(before) || before.includes('signature=');
    if (isMade && before !== now) renamed.set(before, now);
  } else if (isObject(before) && isObject(now)) {
    for (const [name, value] of Object.entries(before)) learn(value, now[name], renamed);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Every field with the kinds of its values; what is null says nothing about it. */
function shapeOf(value: unknown, path = '$'): string[] {
  if (Array.isArray(value)) return [`${path} list`, ...value.flatMap((one) => shapeOf(one, `${path}[]`))];
  if (!isObject(value)) return value === null || value === undefined ? [] : [`${path} ${typeof value}`];
  return [`${path} object`, ...Object.entries(value).flatMap(([name, one]) => shapeOf(one, `${path}.${named(name)}`))];
}

function answersOf(replayed: readonly Replayed[], start: string): unknown[] {
  return replayed.flatMap(({ exchange, answer }) =>
    `${exchange.method} ${exchange.path}`.startsWith(start) ? [answer] : [],
  );
}

it('the Python SDK finds in every answer what it found when it was recorded', async () => {
  const replayed = await replay(await serving());
  expect(replayed.length).toBeGreaterThan(40);
  for (const { exchange, status, answer } of replayed) {
    const what = `${exchange.method} ${exchange.path}`;
    expect(status, what).toBe(exchange.status);
    expect(shapeOf(answer), what).toEqual(expect.arrayContaining(shapeOf(exchange.answer)));
    const endpoint = endpointFor(exchange.method, exchange.path.split('?')[0]!);
    const isBytes = exchange.path.includes('/content?') || exchange.path.endsWith('/otel/v1/traces');
    const schema = isBytes ? z.string() : status < 400 ? endpoint?.answer : errorAnswer;
    expect(schema?.safeParse(answer).success, what).toBe(true);
  }
});

it('what the Python SDK sends is kept: prompts, items, spans in protobuf, scores, media', async () => {
  const server = await serving();
  const replayed = await replay(server);
  const { store } = server;
  const page = { page: 1, limit: 100 };

  expect(answersOf(replayed, 'GET /api/public/v2/prompts/capital?')).toMatchObject([
    { prompt: 'Answer in one word. What is the capital of {{country}}?', isActive: true, createdBy: 'API' },
  ]);
  expect([...store.datasets.items('capitals/small', { archived: true })].map(({ id }) => id).toSorted()).toEqual([
    'item-Chad',
    'item-Kenya',
    'item-Peru',
    'item-picture',
  ]);

  const [question] = store.traces.list({ tags: ['geography'] }, page).rows;
  expect(question).toMatchObject({ name: 'question', userId: 'u-1', sessionId: 's-1', output: { a: 'Lima' } });
  const call = store.traces.observationsOf(question!.id).find(({ type }) => type === 'GENERATION');
  expect(call).toMatchObject({
    name: 'call',
    model: 'm-1',
    modelParameters: { temperature: 0 },
    usageDetails: { input: 12, output: 3 },
    costDetails: { input: 0.012, output: 0.006 },
    promptName: 'capital',
    promptVersion: 1,
    version: 'v-1',
    metadata: { tenant: 'acme' },
    output: 'Lima',
  });
  const byName = (a: readonly unknown[], b: readonly unknown[]): number => (String(a[0]) < String(b[0]) ? -1 : 1);
  const scores = store.scores
    .ofTrace(question!.id)
    .map((one) => [one.name, one.dataType, one.stringValue ?? one.value]);
  expect(scores.toSorted(byName)).toEqual([
    ['helpful', 'NUMERIC', 0.75],
    ['note', 'TEXT', 'a remark'],
    ['sure', 'BOOLEAN', 'True'],
    ['tone', 'CATEGORICAL', 'dry'],
  ]);

  // The experiment as Langfuse 3 and 4 have it: the same run, three items, of which one failed.
  const run = store.runs.get('capitals/small', 'from memory, first try');
  const [experiment] = store.runs.experiments({}, page).rows;
  expect(experiment).toMatchObject({ id: run?.id, items: 3, description: 'how much is known' });
  expect(store.runs.items(run!.id)).toHaveLength(3);
  const items = store.runs.experimentItems({ experimentIds: [run!.id] }, page).rows;
  const outcomes = items.map(({ experiment: link, level, output, traceId }) => [
    link?.itemId,
    level,
    output,
    store.scores.ofTrace(traceId).map(({ value }) => value),
  ]);
  expect(outcomes.toSorted(byName)).toEqual([
    ['item-Chad', 'ERROR', "Error: 'Chad'", []],
    ['item-Kenya', 'DEFAULT', 'Mombasa', [0]],
    ['item-Peru', 'DEFAULT', 'Lima', [1]],
  ]);
  expect(store.scores.list({ datasetRunIds: [run!.id] }, page).rows).toMatchObject([
    { name: 'mean_exact', value: 0.5 },
  ]);
  expect(answersOf(replayed, 'GET /api/public/experiments?')).toMatchObject([
    { data: [{ itemCount: 3, metadata: { model: 'm-1', 'settings.temperature': '0' } }] },
  ]);

  const [picture] = answersOf(replayed, 'GET /api/public/media/0kHqQn1zko-SJ2s5WJyLn3/content');
  const sent = exchanges.find(({ method, path }) => method === 'PUT' && path.includes('0kHqQn1zko-SJ2s5WJyLn3'));
  expect(picture).toBe(sent?.base64);
  expect(store.comments.list({ objectType: 'TRACE', objectId: question!.id }, page).rows).toMatchObject([
    { content: 'Looks right.' },
  ]);
});
