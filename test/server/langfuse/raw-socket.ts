import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Sends bytes as they are, which a client would make tidy first; what comes back until the connection ends. */
export function rawBytes(url: string, parts: readonly (string | Uint8Array)[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part);
    });
    socket.on('data', (data: Buffer) => received.push(data));
    socket.on('close', () => resolve(Buffer.concat(received).toString()));
    // A server that has had enough may end the connection while we still send.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (received.length > 0) resolve(Buffer.concat(received).toString());
      else reject(error);
    });
  });
}

export async function rawRequest(
  url: string,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body: string | Uint8Array = '',
): Promise<RawAnswer> {
  const all = { host: new URL(url).host, connection: 'close', ...headers };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return parseAnswer(await rawBytes(url, [`${method} ${target} HTTP/1.1\r\n${head.join('')}\r\n`, body]));
}

export function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: new Map(lines.map((line) => [line.split(': ')[0]!.toLowerCase(), line.slice(line.indexOf(': ') + 2)])),
    body: rest.join('\r\n\r\n'),
  };
}
