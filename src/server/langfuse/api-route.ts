import type { Context } from 'hono';
import type { z } from 'zod';

import { noBody, type Endpoint } from '../../langfuse/shapes/endpoint.ts';
import { contentType, parsedBody, readBody, readJson } from '../request-body.ts';
import { Refusal } from '../refusal.ts';
import { JSON_TYPE } from '../server-app.ts';
import type { MediaMethod, MediaUrl, MediaUrls } from './keys.ts';

/** There is one project, and everything is in it. */
export const PROJECT_ID = 'assay';

/** A request whose query and body fit their schemas. */
export interface ApiRequest<Query, Body> {
  readonly query: Query;
  readonly body: Body;
  /** A part of the path, decoded. */
  readonly part: (name: string) => string;
  /** Where a content can be read or written without the keys. */
  readonly mediaUrl: (method: MediaMethod, id: string) => MediaUrl;
  readonly bodyLimit: number;
}

/** An encoding of the body besides JSON; the answer then has the same. Refusals are always JSON. */
export interface Wire<Answer> {
  readonly type: string;
  readonly read: (bytes: Uint8Array) => unknown;
  readonly write: (answer: Answer) => Uint8Array<ArrayBuffer>;
}

export interface ApiRoute {
  readonly endpoint: Pick<Endpoint, 'method' | 'path' | 'generation'>;
  readonly answer: (context: Context, bodyLimit: number, media: MediaUrls) => Promise<Response>;
}

/** An endpoint with what answers it; whatever that throws is answered too. */
export function apiRoute<Answer extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  endpoint: Endpoint<Answer, Query, Body>,
  answer: (request: ApiRequest<z.output<Query>, z.output<Body>>) => z.input<Answer>,
  wire?: Wire<z.input<Answer>>,
): ApiRoute {
  const { query, request, status, mostMiB, isQueued } = endpoint;
  const hasBody = !Object.is(request, noBody);
  return {
    endpoint,
    async answer(context, bodyLimit, media) {
      const sent = context.req.raw;
      const isWired = wire !== undefined && contentType(sent) === wire.type;
      const limit = Math.min(bodyLimit, mostMiB * 2 ** 20);
      const read = async () => {
        const value = await readSent(sent, limit, isWired ? wire : null);
        if (!isQueued && hasBrokenText(value)) throw new Refusal(500, 'Internal Server Error', { reason: BROKEN_TEXT });
        return value;
      };
      const body = answer({
        query: parsedBody(query, queryOf(context), 'query'),
        body: parsedBody(request, hasBody ? await read() : undefined, 'body'),
        part: (name) => context.req.param(name) ?? '',
        // As the client knows this server; the Host header was checked before.
        mediaUrl: (method, id) => media.url(new URL(context.req.url).origin, method, id),
        bodyLimit,
      });
      if (status === 204) return context.body(null, status);
      if (isWired) return context.body(wire.write(body), status, { 'content-type': wire.type });
      return context.body(JSON.stringify(body), status, JSON_TYPE);
    },
  };
}

async function readSent(sent: Request, limit: number, wire: Pick<Wire<never>, 'read'> | null): Promise<unknown> {
  try {
    return wire === null ? await readJson(sent, limit) : wire.read(await readBody(sent, limit));
  } catch (error) {
    throw error instanceof Refusal && error.status === 413 ? tooLarge(limit) : error;
  }
}

/** As Langfuse answers it: not as JSON, and the connection is closed. */
function tooLarge(limit: number): Refusal {
  const text = `Body exceeded ${limit / 2 ** 20}mb limit`;
  const headers = { connection: 'close', 'content-type': 'text/plain; charset=utf-8' };
  return new Refusal(413, text, { text, headers });
}

const BROKEN_TEXT = 'a text has a lone surrogate, or a key has U+0000; the database of Langfuse takes neither';

function hasBrokenText(value: unknown): boolean {
  if (typeof value === 'string') return !value.isWellFormed();
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, inner]) => !key.isWellFormed() || key.includes('\0') || hasBrokenText(inner),
  );
}

/** A parameter that repeats is a list. */
function queryOf(context: Context): Record<string, string | string[]> {
  const { searchParams } = new URL(context.req.url);
  const names = new Set(searchParams.keys());
  return Object.fromEntries(
    [...names].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? values[0]! : values];
    }),
  );
}
