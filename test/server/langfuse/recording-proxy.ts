import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Recorded {
  readonly method: string;
  /** Names as they were sent. */
  readonly path: string;
  readonly query: Readonly<Record<string, string | string[]>>;
  readonly request: unknown;
  readonly status: number;
  readonly answer: unknown;
}

export interface RecordingProxy {
  readonly url: string;
  readonly recorded: readonly Recorded[];
  close(): Promise<void>;
}

/** Stands before a server and keeps what goes either way, whoever sends it and through which library. */
export async function recordingProxy(target: string): Promise<RecordingProxy> {
  const recorded: Recorded[] = [];
  const { hostname, port, host } = new URL(target);
  const proxy = createServer((incoming, outgoing) => {
    void buffer(incoming).then((sent) => {
      const { url: path, method = 'GET' } = incoming;
      const onward = ask({ hostname, port, path, method, headers: { ...incoming.headers, host } }, (answered) => {
        void buffer(answered).then((body) => {
          const url = new URL(path ?? '', target);
          recorded.push({
            method,
            path: url.pathname,
            query: queryOf(url),
            request: jsonOf(sent),
            status: answered.statusCode ?? 0,
            answer: jsonOf(body),
          });
          outgoing.writeHead(answered.statusCode ?? 500, answered.headers).end(body);
        });
      });
      onward.end(sent);
    });
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    recorded,
    close: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}

function jsonOf(bytes: Buffer): unknown {
  return bytes.length === 0 ? undefined : JSON.parse(bytes.toString());
}

function queryOf(url: URL): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(url.searchParams.keys())].map((name) => {
      const all = url.searchParams.getAll(name);
      return [name, all.length === 1 ? all[0]! : all];
    }),
  );
}
