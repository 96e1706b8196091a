import { TargetError } from '../targets/target.ts';

const MOST_BYTES = 16 << 20;

/**
 * `fetch` for calls that carry a key: it follows no redirect, which would hand the key to another server, and reads at
 * most 16 MiB of an answer, after unpacking.
 */
export function guardedFetch(mostBytes: number = MOST_BYTES): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await globalThis.fetch(input, { ...init, redirect: 'manual' });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new TargetError({
        kind: 'request',
        status: response.status,
        message: `the server answers with a redirect (${response.status}), which is not followed: give the address it leads to`,
      });
    }
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const counted = countedBytes(
      mostBytes,
      () =>
        new TargetError({ kind: 'answer', message: `the answer is longer than ${mostBytes} bytes and was not read` }),
    );
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  };
}

/** Passes on that many bytes; with more the stream ends in an error, and nothing further is read. */
export function countedBytes(mostBytes: number, tooLong: () => Error): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= mostBytes) controller.enqueue(chunk);
      else controller.error(tooLong());
    },
  });
}
