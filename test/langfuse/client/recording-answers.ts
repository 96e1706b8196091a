import { randomUUID } from 'node:crypto';

import type { Behaviour, SeenRequest } from './recording-langfuse.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface KeptSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: unknown;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly scope: unknown;
  readonly at: number;
}

/** What the events of a score came to, and what is shown of it until the latest one is seen. */
interface KeptScore extends Fields {
  readonly at: number;
  readonly event: { readonly id: string; readonly timestamp: string };
  readonly earlier: KeptScore | undefined;
}

export interface Kept {
  readonly datasets: Map<string, Fields>;
  readonly items: Fields[];
  readonly runItems: Fields[];
  readonly spans: Map<string, KeptSpan>;
  readonly scores: Map<string, KeptScore>;
  readonly prompts: Fields[];
  clock: number;
  /** When the last score that was taken is shown. */
  lastShown: number;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const NOT_FOUND: Answer = { status: 404, body: { message: 'not found', error: 'LangfuseNotFoundError' } };
const OLD = [
  /^GET \/traces/,
  /^GET \/datasets\/[^/]+\/runs/,
  /^(?:GET|POST) \/dataset-run-items$/,
  /^GET \/v2\/scores$/,
];
const NEW = [/^GET \/experiment-items$/, /^GET \/experiments$/, /^GET \/v2\/observations$/];

export function answerOf(request: SeenRequest, kept: Kept, behaviour: Behaviour, isLost: boolean): Answer {
  const { generation = 'both', scoresV3 = true } = behaviour;
  const asked = `${request.method} ${request.path}`;
  if (generation === 4 && OLD.some((path) => path.test(asked))) return NOT_FOUND;
  if (generation === 3 && NEW.some((path) => path.test(asked))) return NOT_FOUND;
  if (!scoresV3 && asked === 'GET /v3/scores') return NOT_FOUND;
  if (Number(request.query.get('limit') ?? 0) > 100) return { status: 400, body: { message: 'limit above 100' } };
  return (
    datasets(asked, request, kept) ??
    prompts(asked, request, kept) ??
    taken(asked, request, kept, isLost, behaviour) ??
    shown(asked, request, kept, behaviour) ??
    NOT_FOUND
  );
}

function datasets(asked: string, { path, query, body }: SeenRequest, kept: Kept): Answer | null {
  const at = new Date(Date.UTC(2026, 0, 1) + kept.clock).toISOString();
  const times = { createdAt: at, updatedAt: at };
  switch (asked) {
    case 'GET /projects':
      return ok({ data: [{ id: 'project-1', name: 'a project', metadata: {} }] });
    case 'GET /v2/datasets':
      return ok(page([...kept.datasets.values()], query));
    case 'POST /v2/datasets': {
      const id = `dataset-${kept.datasets.size + 1}`;
      const fresh = { id, description: null, inputSchema: null, expectedOutputSchema: null, projectId: 'p', ...times };
      // Null removes a schema and changes nothing else.
      const isKept = ([name, value]: [string, unknown]): boolean => value !== null || name.endsWith('Schema');
      const changes = Object.fromEntries(Object.entries(body).filter(isKept));
      const dataset = { ...(kept.datasets.get(String(body['name'])) ?? fresh), ...changes };
      kept.datasets.set(String(body['name']), dataset);
      return ok(dataset);
    }
    case 'GET /dataset-items': {
      if (!kept.datasets.has(query.get('datasetName') ?? '')) return NOT_FOUND;
      const own = kept.items.filter(
        (item) => item['datasetName'] === query.get('datasetName') && item['status'] === 'ACTIVE',
      );
      return ok(page(own.toReversed(), query));
    }
    case 'POST /dataset-items': {
      const dataset = kept.datasets.get(String(body['datasetName']));
      if (dataset === undefined) return NOT_FOUND;
      kept.clock += 1;
      const fresh = {
        status: 'ACTIVE',
        sourceTraceId: null,
        sourceObservationId: null,
        datasetId: dataset['id'],
        ...times,
      };
      const index = kept.items.findIndex((item) => item['id'] === body['id']);
      const item = { ...(kept.items[index] ?? fresh), ...body, mediaReferences: [] };
      if (index === -1) kept.items.push(item);
      else kept.items[index] = item;
      return ok(item);
    }
    default: {
      const name = /^GET \/v2\/datasets\/([^/]*)$/.exec(asked)?.[1];
      if (name !== undefined) return found(kept.datasets.get(decodeURIComponent(name)));
      const runs = /^\/datasets\/([^/]*)\/runs(?:\/([^/]*))?$/.exec(path);
      if (runs === null) return null;
      if (!kept.datasets.has(decodeURIComponent(runs[1]!))) return NOT_FOUND;
      if (runs[2] === undefined) return ok(page([], query));
      const item = kept.runItems.find((one) => one['datasetRunName'] === decodeURIComponent(runs[2]!));
      const { datasetRunId: id, metadata } = item ?? {};
      return found(item === undefined ? undefined : { id, name: item['datasetRunName'], metadata });
    }
  }
}

function prompts(asked: string, { path, query, body }: SeenRequest, kept: Kept): Answer | null {
  if (asked === 'POST /v2/prompts') {
    const versions = kept.prompts.filter((one) => one['name'] === body['name']).length;
    const prompt = { tags: [], config: {}, ...body, version: versions + 1 };
    kept.prompts.push(prompt);
    return { status: 201, body: prompt };
  }
  const name = /^GET \/v2\/prompts\/([^/]+)$/.exec(asked)?.[1];
  if (name === undefined || !path.startsWith('/v2/prompts/')) return null;
  const own = kept.prompts.filter((one) => one['name'] === decodeURIComponent(name));
  const label = query.get('label');
  return found(label === 'latest' ? own.at(-1) : own.find((one) => (one['labels'] as string[]).includes(label ?? '')));
}

function taken(asked: string, { body }: SeenRequest, kept: Kept, isLost: boolean, behaviour: Behaviour): Answer | null {
  const at = nowOf(behaviour);
  const { scoresPerSecond } = behaviour;
  const keepScore = (score: Fields, event: KeptScore['event']): void => {
    kept.lastShown = scoresPerSecond === undefined ? at : Math.max(at, kept.lastShown) + 1000 / scoresPerSecond;
    const isLostScore = isLost || behaviour.losesScore?.(String(score['id']), score['name']) === true;
    if (isLostScore) return;
    const earlier = kept.scores.get(String(score['id']));
    const order = (one: KeptScore['event']): number => Date.parse(one.timestamp);
    // Langfuse merges events by their time, and those of one time by their ids backwards.
    const isLater =
      earlier === undefined ||
      order(event) > order(earlier.event) ||
      (order(event) === order(earlier.event) && event.id < earlier.event.id);
    const { timestamp } = earlier ?? event;
    if (isLater) kept.scores.set(String(score['id']), { ...score, timestamp, at: kept.lastShown, event, earlier });
  };
  switch (asked) {
    case 'POST /otel/v1/traces':
      if (!isLost)
        for (const span of spansOf(body, at)) {
          // Langfuse 4 keeps rows by start time too: the same span at another time is a second row.
          const key = behaviour.keysByStart === true ? `/${span.startTimeUnixNano}` : '';
          kept.spans.set(`${span.traceId}/${span.spanId}${key}`, span);
        }
      return ok({});
    case 'POST /ingestion': {
      const batch = body['batch'] as { id: string; timestamp: string; body: Fields }[];
      for (const { body: score, id, timestamp } of batch) keepScore(score, { id, timestamp });
      return { status: 207, body: { successes: batch.map(({ id }) => ({ id, status: 201 })), errors: [] } };
    }
    case 'POST /scores':
      keepScore(body, { id: randomUUID(), timestamp: new Date(at).toISOString() });
      return ok({ id: body['id'] });
    case 'POST /dataset-run-items': {
      const item = kept.items.find((one) => one['id'] === body['datasetItemId']);
      if (item === undefined) return { status: 404, body: { message: 'Dataset item not found' } };
      const runName = String(body['runName']);
      const linked = { ...body, datasetRunId: `run of ${runName}`, datasetRunName: runName };
      kept.runItems.push({ ...linked, id: `link-${kept.runItems.length}` });
      return ok(kept.runItems.at(-1));
    }
    default:
      return null;
  }
}

function shown(asked: string, { path, query }: SeenRequest, kept: Kept, behaviour: Behaviour): Answer | null {
  const now = nowOf(behaviour);
  const before = now - (behaviour.showAfterMs ?? 0);
  const { mergesAfterMs = 0 } = behaviour;
  const rowsOf = <T extends { readonly at: number }>(all: Iterable<T>): T[] =>
    [...all].filter(({ at }) => at <= before).flatMap((one) => (one.at + mergesAfterMs > now ? [one, one] : [one]));
  const spans = rowsOf(kept.spans.values());
  const seen = (score: KeptScore): KeptScore =>
    score.at > before && score.earlier !== undefined ? seen(score.earlier) : score;
  const scores = rowsOf([...kept.scores.values()].map(seen));
  const byTrace = Map.groupBy(scores, ({ traceId }) => String(traceId));
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  switch (asked) {
    case 'GET /dataset-run-items': {
      const own = kept.runItems.filter((one) => one['datasetRunName'] === query.get('runName'));
      return own.length === 0 ? NOT_FOUND : ok(page(own, query));
    }
    case 'GET /traces':
      return ok(
        page(
          roots.map(({ traceId }) => ({
            id: traceId,
            ...(behaviour.scoresV3 === false
              ? {}
              : { scores: asksForScores(query) ? (byTrace.get(traceId) ?? []).map(({ id }) => id) : [] }),
          })),
          query,
        ),
      );
    case 'GET /v2/scores':
      return ok(page(scores, query));
    case 'GET /v3/scores': {
      const ids = (query.get('traceId') ?? '').split(',');
      const run = query.get('experimentId');
      const own = scores.filter(({ traceId, datasetRunId }) =>
        run === null ? ids.includes(String(traceId)) : datasetRunId === run,
      );
      const subject = (one: Fields) => ({ kind: 'observation', id: one['observationId'], traceId: one['traceId'] });
      return ok(
        cursorPage(
          own.map((one) => ({ ...one, subject: subject(one) })),
          query,
        ),
      );
    }
    case 'GET /experiment-items':
      return ok(
        cursorPage(
          spans
            .filter((one) => one.attributes['langfuse.experiment.id'] === query.get('experimentId'))
            .filter((one) => one.attributes['langfuse.experiment.item.root_observation_id'] === one.spanId)
            .filter((one) => isAmong(one.attributes['langfuse.experiment.item.id'], query.get('experimentItemId')))
            .map((one) => ({
              traceId: one.traceId,
              experimentId: query.get('experimentId'),
              level: one.attributes['langfuse.observation.level'] ?? 'DEFAULT',
              ...(asksForScores(query)
                ? { scores: (byTrace.get(one.traceId) ?? []).slice(0, Number(query.get('scoreLimit'))) }
                : {}),
            })),
          query,
        ),
      );
    case 'GET /v2/observations':
      return ok(cursorPage(spans.filter(({ traceId }) => traceId === query.get('traceId')).map(observation), query));
    default: {
      const id = /^\/traces\/([^/]+)$/.exec(path)?.[1];
      const root = roots.find(({ traceId }) => traceId === id);
      return id === undefined ? null : found(root === undefined ? undefined : traceOf(root));
    }
  }
}

function nowOf({ clock }: Behaviour): number {
  return clock?.now() ?? Date.now();
}

function asksForScores(query: URLSearchParams): boolean {
  return (query.get('fields') ?? '').split(',').includes('scores');
}

function isAmong(id: unknown, list: string | null): boolean {
  return list === null || list.split(',').includes(String(id));
}

function spansOf(body: Fields, at: number): KeptSpan[] {
  const resources = body['resourceSpans'] as { scopeSpans: { scope: unknown; spans: KeptSpan[] }[] }[];
  return resources.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => ({ ...span, scope, attributes: attributesOf(span.attributes), at })),
    ),
  );
}

function attributesOf(list: unknown): Record<string, unknown> {
  return Object.fromEntries(
    (list as { key: string; value: Fields }[]).map(({ key, value }) => [key, Object.values(value)[0]]),
  );
}

function observation({ traceId, spanId, parentSpanId, name, attributes }: KeptSpan): Fields {
  return {
    id: spanId,
    traceId,
    parentObservationId: parentSpanId ?? null,
    name,
    traceName: attributes['langfuse.trace.name'] ?? null,
    input: attributes['langfuse.observation.input'],
    output: attributes['langfuse.observation.output'],
    metadata: {},
  };
}

function traceOf(root: KeptSpan): Fields {
  const { input, output, metadata } = observation(root);
  const json = (text: unknown): unknown => (typeof text === 'string' ? JSON.parse(text) : null);
  return { id: root.traceId, name: root.name, input: json(input), output: json(output), metadata };
}

function page(all: readonly unknown[], query: URLSearchParams): Fields {
  const limit = Number(query.get('limit') ?? 50);
  const number = Number(query.get('page') ?? 1);
  const meta = { page: number, limit, totalItems: all.length, totalPages: Math.ceil(all.length / limit) };
  return { data: all.slice((number - 1) * limit, number * limit), meta };
}

function cursorPage(all: readonly unknown[], query: URLSearchParams): Fields {
  const limit = Number(query.get('limit') ?? 50);
  const from = Number(query.get('cursor') ?? 0);
  const cursor = from + limit < all.length ? { cursor: String(from + limit) } : {};
  return { data: all.slice(from, from + limit), meta: { limit, ...cursor } };
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

function found(body: unknown): Answer {
  return body === undefined ? NOT_FOUND : ok(body);
}
