import { z } from 'zod';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Of the API: 3 has dataset runs and traces, 4 has experiments and observations. A server may have both. */
export type ApiGeneration = 3 | 4;
export type ServedGeneration = ApiGeneration | 'both';

/** Of endpoints without query parameters. */
const noQuery = z.object({});

/** Of requests and answers without a body. */
export const noBody = z.undefined();

/** One thing that Langfuse's public API can be asked. */
export interface Endpoint<
  Answer extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Request extends z.ZodType = z.ZodType,
> {
  readonly method: Method;
  /** `:name` stands for one part, percent-encoded. */
  readonly path: string;
  readonly generation: ServedGeneration;
  /** Parsed from the texts of the query string; what repeats is a list. */
  readonly query: Query;
  readonly request: Request;
  /** The body of an answer with `status`: exactly these fields. */
  readonly answer: Answer;
  readonly status: 200 | 201 | 202 | 204 | 207;
  /** Upper limit for the body of a request, in MiB. */
  readonly mostMiB: number;
  /** True if the request goes into a queue, which takes texts that the database does not: lone surrogates. */
  readonly isQueued: boolean;
}

/** Langfuse answers 413 to larger requests. */
export const MOST_REQUEST_MIB = 4.5;

/** An endpoint with the types of its schemas kept: of both generations and answered with 200, unless it is set otherwise. */
export function endpoint<
  Answer extends z.ZodType,
  Query extends z.ZodType = typeof noQuery,
  Request extends z.ZodType = typeof noBody,
>(
  method: Method,
  path: string,
  described: Pick<Endpoint<Answer>, 'answer'> & Partial<Omit<Endpoint<Answer, Query, Request>, 'method' | 'path'>>,
): Endpoint<Answer, Query, Request>;
export function endpoint(
  method: Method,
  path: string,
  described: Partial<Endpoint> & Pick<Endpoint, 'answer'>,
): Endpoint {
  const defaults = { generation: 'both', status: 200, query: noQuery, request: noBody } as const;
  return { method, path, ...defaults, mostMiB: MOST_REQUEST_MIB, isQueued: false, ...described };
}

const issue = z.looseObject({
  code: z.string(),
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
});

/** What every refusal looks like: with the name of the error, or with what is wrong with each field. */
export const errorAnswer = z.strictObject({ message: z.string(), error: z.union([z.string(), z.array(issue)]) });

export const messageAnswer = z.strictObject({ message: z.string() });
