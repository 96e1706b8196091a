import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON that was sent. */
  readonly body: Readonly<Record<string, unknown>>;
}

export type Respond = (response: ServerResponse, request: SeenRequest) => void;

export interface ModelServer {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

/** A real server on the loopback that gives each request the next response; the last one is for all that follow. */
export async function modelServer(...responses: readonly Respond[]): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const sent = Buffer.concat(chunks).toString();
      const seen = {
        path: request.url ?? '',
        headers: request.headers,
        body: (sent === '' ? {} : JSON.parse(sent)) as SeenRequest['body'],
      };
      requests.push(seen);
      responses[Math.min(requests.length, responses.length) - 1]!(response, seen);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What OpenAI's chat completions answer. */
export function completion(text: string, finish = 'stop'): Respond {
  return json(200, {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'test-model',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finish }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  });
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Respond {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

export function refusal(status: number, message: string, headers: Readonly<Record<string, string>> = {}): Respond {
  return json(status, { error: { message, type: 'error', code: null } }, headers);
}

/** The connection ends without a word. */
export const dropped: Respond = (response) => {
  response.socket?.destroy();
};

/** Nothing comes, and the connection stays. */
export const silent: Respond = () => undefined;

/** What OpenAI's chat completions stream: a server-sent event for each piece, so many milliseconds apart. */
export function streamed(
  pieces: readonly string[],
  { gapMs = 0, finish = 'stop', breaksOff = false }: { gapMs?: number; finish?: string; breaksOff?: boolean } = {},
): Respond {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (fields: object): void => {
      const event = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_700_000_000, model: 'test-model' };
      response.write(`data: ${JSON.stringify({ ...event, ...fields })}\n\n`);
    };
    const choice = (delta: object, reason: string | null): object => ({
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    const next = (at: number): void => {
      const piece = pieces[at];
      if (piece !== undefined) {
        send(choice({ content: piece }, null));
        setTimeout(() => next(at + 1), gapMs);
      } else if (breaksOff) response.socket?.destroy();
      else {
        send(choice({}, finish));
        send({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } });
        response.end('data: [DONE]\n\n');
      }
    };
    next(0);
  };
}
