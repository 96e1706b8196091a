import type { Context, Hono } from 'hono';
import type { z } from 'zod';

import { visible } from '../../data/visible.ts';
import { schemaProblems } from '../../prepare/schema-problems.ts';
import { type Endpoint, type Generation, noBody } from '../../langfuse/shapes/endpoint.ts';
import type { MediaMethod, MediaUrl, MediaUrls } from './media-urls.ts';
import { Refusal } from '../refusal.ts';
import { contentType, readBody, readJson } from '../request-body.ts';

const PROBLEMS_SAID = 10;

/** A request whose parts fit their schemas. */
export interface Asked<Query, Body> {
  readonly query: Query;
  readonly body: Body;
  /** A part of the path, decoded. */
  readonly part: (name: string) => string;
  /** Where a content can be read or written without the keys. */
  readonly mediaUrl: (method: MediaMethod, id: string) => MediaUrl;
  /** The most bytes that a body may have. */
  readonly bodyLimit: number;
}

/** A way besides JSON in which a body may come; it is then answered in the same way. Refusals are JSON always. */
export interface Wire<Answer> {
  readonly type: string;
  readonly read: (bytes: Uint8Array) => unknown;
  readonly write: (answer: Answer) => Uint8Array<ArrayBuffer>;
}

/** Answers an endpoint; what it throws is answered too. */
export type Serve = <Answer extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType>(
  endpoint: Endpoint<Answer, Query, Body>,
  answer: (asked: Asked<z.output<Query>, z.output<Body>>) => z.input<Answer>,
  wire?: Wire<z.input<Answer>>,
) => void;

/** The way in which endpoints become routes of an app, where its generation has them. */
export function routesOf(app: Hono, generation: Generation, bodyLimit: number, media: MediaUrls): Serve {
  return (endpoint, answer, wire) => {
    if (!isOf(endpoint.generation, generation)) return;
    app.on(endpoint.method, endpoint.path, async (context) => {
      const { query, request, status } = endpoint;
      const sent = context.req.raw;
      const isWired = wire !== undefined && contentType(sent) === wire.type;
      const read = async () => (isWired ? wire.read(await readBody(sent, bodyLimit)) : readJson(sent, bodyLimit));
      const asked = {
        query: parsed(query, queryOf(context), 'query'),
        body: parsed(request, hasBody(endpoint) ? await read() : undefined, 'body'),
        part: (name: string) => partOf(context, name),
        mediaUrl: (method: MediaMethod, id: string) => media.url(originOf(context), method, id),
        bodyLimit,
      };
      const body = answer(asked);
      if (status === 204) return context.body(null, status);
      if (isWired) return context.body(wire.write(body), status, { 'content-type': wire.type });
      return context.body(JSON.stringify(body), status, { 'content-type': 'application/json; charset=utf-8' });
    });
  };
}

function hasBody(endpoint: Endpoint): boolean {
  return endpoint.request !== noBody;
}

export function isOf(endpoint: Generation, served: Generation): boolean {
  return endpoint === 'both' || served === 'both' || endpoint === served;
}

/** The value, or a refusal that says all that is wrong with it. */
export function parsed<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Refusal(400, `The ${what} is not as expected: ${problemsOf(schema, value, result.error)}`);
}

export function problemsOf(schema: z.ZodType, value: unknown, error: z.ZodError): string {
  const problems = schemaProblems(schema, value, error, []);
  const said = problems
    .slice(0, PROBLEMS_SAID)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  const more = problems.length - said.length;
  return `${said.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** What repeats is a list. */
function queryOf(context: Context): Record<string, string | string[]> {
  const given = new Map<string, string[]>();
  for (const [name, value] of new URL(context.req.url).searchParams) {
    given.set(name, [...(given.get(name) ?? []), value]);
  }
  return Object.fromEntries([...given].map(([name, values]) => [name, values.length === 1 ? values[0]! : values]));
}

/** As the client knows it; the Host header was looked at before. */
function originOf(context: Context): string {
  return `http://${context.req.header('host') ?? new URL(context.req.url).host}`;
}

function partOf(context: Context, name: string): string {
  const part = context.req.param(name);
  if (part === undefined) throw new Error(`the path has no part ${visible(name)}`);
  return part;
}
