import { AsyncLocalStorage } from 'node:async_hooks';

import { boundedResponse } from '../../experiment/models/guarded-fetch.ts';

const MOST_MIB = 16;
const MOST_REDIRECTS = 5;
const KEEPING_METHOD = new Set([307, 308]);
const REDIRECTS = new Set([301, 302, 303, ...KEEPING_METHOD]);

/** A call under way; `refusal` is why its answer was not taken, which the SDK does not hand on. */
export interface BoundedCall {
  refusal: string | null;
}

const callUnderWay = new AsyncLocalStorage<BoundedCall>();
let isInstalled = false;

/**
 * Makes a call of the SDK, whose `fetch` cannot be given to it: while it lasts, an answer has at most 16 MiB once it is
 * decompressed, and a redirect is followed on the same host only, so that the keys go nowhere else.
 */
export function withBounds<T>(call: BoundedCall, send: () => PromiseLike<T>): PromiseLike<T> {
  install();
  return callUnderWay.run(call, send);
}

/** Whatever else of this process fetches is left alone. */
function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  const plain = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const call = callUnderWay.getStore();
    return call === undefined ? plain(input, init) : boundedFetch(plain, call, new Request(input, init));
  };
}

async function boundedFetch(plain: typeof fetch, call: BoundedCall, first: Request): Promise<Response> {
  const refused = (why: string): Error => {
    call.refusal = why;
    return new Error(why);
  };
  const body = first.body === null ? null : await first.bytes();
  let url = new URL(first.url);
  for (let times = 0; times <= MOST_REDIRECTS; times += 1) {
    const { method, headers, signal } = first;
    const response = await plain(url, { method, headers, signal, body, redirect: 'manual' });
    const location = response.headers.get('location');
    if (!REDIRECTS.has(response.status) || location === null) {
      const tooLong = (): Error => refused(`its answer is longer than ${MOST_MIB} MiB and was not read`);
      return boundedResponse(response, MOST_MIB << 20, tooLong);
    }
    await response.body?.cancel();
    const target = URL.parse(location, url.href);
    if (target === null || !isSameHost(url, target))
      throw refused(`it redirects to ${target?.origin ?? 'no address'}, and the keys are for ${url.origin} alone`);
    if (method !== 'GET' && !KEEPING_METHOD.has(response.status))
      throw refused(`it redirects what is sent to it (HTTP ${response.status}), and the data would be left behind`);
    url = target;
  }
  throw refused(`it redirects more than ${MOST_REDIRECTS} times`);
}

/** The same server, or the same name under https. A port may belong to somebody else, so it has to be the same. */
export function isSameHost(from: URL, to: URL): boolean {
  if (to.username !== '' || to.password !== '') return false;
  if (from.protocol === to.protocol) return from.host === to.host;
  return (
    from.protocol === 'http:' && to.protocol === 'https:' && from.hostname === to.hostname && !from.port && !to.port
  );
}
