import { gunzip } from 'node:zlib';

import type { z } from 'zod';

import { schemaProblems } from '../prepare/schema-problems.ts';
import { isDeeper } from '../store/cells.ts';
import { Refusal } from './refusal.ts';

/** The headers of a request and its body. */
export interface Sent {
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
}

/** Far more than data has, far less than what exhausts the stack of functions that walk through it. */
export const DEEPEST_BODY = 200;
const PROBLEMS_SHOWN = 10;

/** The JSON of a request, never more than `limit` bytes of it: neither as sent nor decompressed. */
export async function readJson(sent: Sent, limit: number): Promise<unknown> {
  if (contentType(sent) !== 'application/json')
    throw new Refusal(415, 'The body has to be JSON: send it with content-type application/json.');
  const bytes = await readBody(sent, limit);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (isDeeper(text, DEEPEST_BODY)) throw tooDeep();
    return JSON.parse(text);
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, 'The body is not JSON in UTF-8.');
  }
}

export function contentType({ headers }: Sent): string {
  return (headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
}

/** The bytes of a request, decompressed; `limit` holds for both. */
export async function readBody(sent: Sent, limit: number): Promise<Uint8Array> {
  const encoding = (sent.headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip')
    throw new Refusal(415, 'The body has an encoding that is not known here; send it plain or with gzip.');
  if (Number(sent.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    // Leaving the loop early gives up the rest of the body.
    for await (const part of sent.body ?? []) {
      length += part.length;
      if (length > limit) throw tooLarge(limit);
      parts.push(part);
    }
  } catch (error) {
    // The sender went away, or was too slow and was sent away.
    throw error instanceof Refusal ? error : new Refusal(400, 'The body did not come to its end.');
  }
  const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts, length);
  return encoding === 'gzip' ? decompressed(bytes, limit) : bytes;
}

/** Stops as soon as more comes out than may: a small body can decompress to a thousand times its size. */
function decompressed(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: limit }, (error, result) => {
      if (error === null) resolve(result);
      else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') reject(tooLarge(limit));
      else reject(new Refusal(400, 'The body claims to be compressed with gzip, and is not.'));
    });
  });
}

function tooLarge(limit: number): Refusal {
  const message = `The body is larger than ${limit} bytes; send it in parts.`;
  // The rest of the body is not waited for.
  return new Refusal(413, message, { headers: { connection: 'close' } });
}

export function tooDeep(): Refusal {
  return new Refusal(400, `The body is nested deeper than ${DEEPEST_BODY} levels.`);
}

/** A part of a request as its schema gives it, or a refusal that lists everything that is wrong with it. */
export function parsedBody<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Refusal(400, `The ${what} is not as expected: ${problemsOf(schema, value, result.error)}`, {
    next: 'Load the page again: the app and the server may be of different versions.',
    // The message may repeat what was sent.
    reason: `the ${what} is not as expected`,
  });
}

export function problemsOf(schema: z.ZodType, value: unknown, error: z.ZodError): string {
  const problems = schemaProblems(schema, value, error, []);
  const shown = problems
    .slice(0, PROBLEMS_SHOWN)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  const more = problems.length - shown.length;
  return `${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
