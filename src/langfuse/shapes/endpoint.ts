import { z } from 'zod';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Which Langfuse has it: 3, 4 or both. */
export type Generation = 'both' | 3 | 4;

/** Of endpoints without query parameters. */
export const noQuery = z.object({});

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
  readonly generation: Generation;
  /** Parsed from the texts of the query string; what repeats is a list. */
  readonly query: Query;
  readonly request: Request;
  /** The body of an answer with `status`: exactly these fields. */
  readonly answer: Answer;
  readonly status: 200 | 201 | 202 | 204 | 207;
}

type Described<Answer extends z.ZodType> = Pick<Endpoint<Answer>, 'answer'> &
  Partial<Pick<Endpoint, 'generation' | 'status'>>;

/** An endpoint with the types of its schemas kept: of both generations and answered with 200, unless said otherwise. */
export function endpoint<Answer extends z.ZodType, Query extends z.ZodType>(
  method: Method,
  path: string,
  described: Described<Answer> & { readonly query: Query },
): Endpoint<Answer, Query, typeof noBody>;
export function endpoint<Answer extends z.ZodType, Request extends z.ZodType>(
  method: Method,
  path: string,
  described: Described<Answer> & { readonly request: Request },
): Endpoint<Answer, typeof noQuery, Request>;
export function endpoint<Answer extends z.ZodType>(
  method: Method,
  path: string,
  described: Described<Answer>,
): Endpoint<Answer, typeof noQuery, typeof noBody>;
export function endpoint(method: Method, path: string, described: Described<z.ZodType>): Endpoint {
  return { method, path, generation: 'both', status: 200, query: noQuery, request: noBody, ...described };
}

const issue = z.looseObject({
  code: z.string(),
  path: z.array(z.union([z.string(), z.number()])),
  message: z.string(),
});

/** What every refusal looks like: with the name of the error, or with what is wrong with each field. */
export const errorAnswer = z.strictObject({ message: z.string(), error: z.union([z.string(), z.array(issue)]) });

export const messageAnswer = z.strictObject({ message: z.string() });
