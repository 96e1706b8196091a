import { gunzip } from 'node:zlib';

import { parseJson } from './parse-json.ts';
import { Refusal } from './refusal.ts';

/** What a request says of its body, and the body. */
export interface Sent {
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
}

/** The JSON of a request, never more than `limit` bytes of it: neither as sent nor unpacked. */
export async function readJson(sent: Sent, limit: number): Promise<unknown> {
  if (contentType(sent) !== 'application/json') {
    throw new Refusal(415, 'The body has to be JSON: send it with content-type application/json.');
  }
  return parseJson(await readBody(sent, limit));
}

export function contentType({ headers }: Sent): string {
  return (headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
}

/** The bytes of a request, unpacked; `limit` holds for both. */
export async function readBody(sent: Sent, limit: number): Promise<Uint8Array> {
  const encoding = (sent.headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new Refusal(415, 'The body is packed in a way that is not known here; send it plain or with gzip.');
  }
  const bytes = await readBytes(sent, limit);
  return encoding === 'gzip' ? unpacked(bytes, limit) : bytes;
}

async function readBytes(sent: Sent, limit: number): Promise<Uint8Array> {
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
    // Whoever sent it went away, or was too slow and was sent away.
    throw error instanceof Refusal ? error : new Refusal(400, 'The body did not come to its end.');
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts, length);
}

/** Stops as soon as more comes out than may: a small body can unpack to a thousand times its size. */
function unpacked(bytes: Uint8Array, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: limit }, (error, result) => {
      if (error === null) resolve(result);
      else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') reject(tooLarge(limit));
      else reject(new Refusal(400, 'The body says it is packed with gzip, and it is not.'));
    });
  });
}

function tooLarge(limit: number): Refusal {
  return new Refusal(413, `The body is larger than ${limit} bytes; send it in parts.`);
}
