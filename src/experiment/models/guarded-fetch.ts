import { TargetError } from '../targets/target.ts';

const MOST_BYTES = 16 << 20;

/** `fetch` without redirects, which would hand a key to another server, and for answers of at most 16 MiB. */
export function guardedFetch(mostBytes: number = MOST_BYTES): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await globalThis.fetch(input, { ...init, redirect: 'manual' });
    const { status } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      const where = 'which is not followed: give the address it leads to';
      const message = `the server answers with a redirect (${status}), ${where}`;
      throw new TargetError({ kind: 'request', status, message });
    }
    const message = `the answer is longer than ${mostBytes} bytes and was not read`;
    return boundedResponse(response, mostBytes, () => new TargetError({ kind: 'answer', message }));
  };
}

/** The same answer, of which that many bytes are read; with more its body ends in an error. */
export function boundedResponse(response: Response, mostBytes: number, tooLong: () => Error): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes <= mostBytes) controller.enqueue(chunk);
      else controller.error(tooLong());
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}
