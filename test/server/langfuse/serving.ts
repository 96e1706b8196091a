import { LangfuseClient } from '@langfuse/client';
import { LangfuseSpanProcessor } from '@langfuse/otel';
import { setLangfuseTracerProvider } from '@langfuse/tracing';
import { context, trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { expect, onTestFinished, vi } from 'vitest';

import { type ServerOptions, serveLangfuse } from '../../../src/server/langfuse/langfuse-server.ts';
import { errorAnswer } from '../../../src/langfuse/shapes/endpoint.ts';
import { endpointFor } from '../../../src/langfuse/shapes/endpoints.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { type Recorded, recordingProxy } from './recording-proxy.ts';

export const KEYS = { publicKey: 'pk-lf-of-the-tests', secretKey: 'sk-lf-of-the-tests' };

export interface Serving {
  readonly url: string;
  readonly store: Store;
  readonly log: readonly string[];
  /** The variables by which a client finds it. */
  readonly environment: Readonly<Record<string, string>>;
  /** With the right keys; JSON that it answers is parsed. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown; headers: Headers }>;
}

type Options = Partial<Omit<ServerOptions, 'store' | 'keys' | 'log'>>;

/** A server on a port of its own over a store of its own; both are gone when the test ends. */
export async function serving(options: Options = {}): Promise<Serving> {
  const store = openStore(temporaryFolder());
  onTestFinished(() => store.close());
  const log: string[] = [];
  const server = await serveLangfuse({ port: 0, ...options, store, keys: KEYS, log: (line) => log.push(line) });
  onTestFinished(() => server.close());
  const { publicKey: LANGFUSE_PUBLIC_KEY, secretKey: LANGFUSE_SECRET_KEY } = KEYS;
  return {
    url: server.url,
    store,
    log,
    environment: { LANGFUSE_BASE_URL: server.url, LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY },
    async ask(method, path, body) {
      const answer = await fetch(`${server.url}${path}`, {
        method,
        headers: { authorization: basic(), 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
      return {
        status: answer.status,
        body: text === '' ? undefined : isJson ? JSON.parse(text) : text,
        headers: answer.headers,
      };
    },
  };
}

export function basic(keys: { publicKey: string; secretKey: string } = KEYS): string {
  return `Basic ${Buffer.from(`${keys.publicKey}:${keys.secretKey}`).toString('base64')}`;
}

export type SdkServing = Awaited<ReturnType<typeof sdkServing>>;

/** The official SDK, unmodified. In the end all that it sent and got has to be what the shapes know. */
export async function sdkServing(options: Options = {}) {
  const server = await serving(options);
  const proxy = await recordingProxy(server.url);
  onTestFinished(() => proxy.close());
  onTestFinished(() => expectFitting(proxy.recorded));
  // It tells a terminal what the tests look at themselves.
  for (const level of ['warn', 'error'] as const) {
    const said = vi.spyOn(console, level).mockImplementation(() => undefined);
    onTestFinished(() => said.mockRestore());
  }
  const processor = new LangfuseSpanProcessor({ ...KEYS, baseUrl: proxy.url });
  const provider = new NodeTracerProvider({ spanProcessors: [processor] });
  // Registering brings what carries a context across an await; other tests of this process have providers of their own.
  provider.register();
  trace.disable();
  setLangfuseTracerProvider(provider);
  onTestFinished(async () => {
    setLangfuseTracerProvider(null);
    context.disable();
    await provider.shutdown();
  });
  const client = new LangfuseClient({ ...KEYS, baseUrl: proxy.url });
  return {
    ...server,
    client,
    /** Where the SDK takes the server to be. */
    base: proxy.url,
    recorded: proxy.recorded,
    /** Scores twice, since the first may only wait for a batch under way; then spans. */
    async flush() {
      await client.flush();
      await client.flush();
      await processor.forceFlush();
    },
  };
}

/** Every request, unless it was refused, and every answer is one that the shapes know. */
export function expectFitting(recorded: readonly Recorded[]): void {
  for (const { method, path, query, request, status, answer } of recorded) {
    const endpoint = endpointFor(method, path);
    expect(endpoint, `${method} ${path} is not among the shapes`).not.toBeNull();
    const problems = [
      status === 400 ? undefined : endpoint!.query.safeParse(query).error,
      status === 400 ? undefined : endpoint!.request.safeParse(request).error,
      (status < 400 ? endpoint!.answer : errorAnswer).safeParse(answer).error,
    ];
    expect(
      problems.map((one) => one?.issues ?? []),
      `${method} ${path} ${status}`,
    ).toEqual([[], [], []]);
    if (status < 400) expect(status, `${method} ${path}`).toBe(endpoint!.status);
  }
}
