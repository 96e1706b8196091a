import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { onTestFinished } from 'vitest';

/** What was asked: the words of all messages, and what came with them. */
export interface AskedCall {
  readonly text: string;
  readonly authorization: string;
  readonly schema: unknown;
}

/** The content of the answer; a number is a status that is sent in its place; null never answers. */
export type Answering = (call: AskedCall, count: number) => string | number | null;

export interface JudgeServer {
  /** With /v1: what a client takes for the base URL. */
  readonly url: string;
  readonly calls: readonly AskedCall[];
  answer: Answering;
}

/** A model server that speaks OpenAI's chat completions on this machine and says what the test wants it to say. */
export async function judgeServer(answer: Answering): Promise<JudgeServer> {
  const calls: AskedCall[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      const call = { text: wordsIn(body), authorization: request.headers.authorization ?? '', schema: schemaIn(body) };
      calls.push(call);
      const said = made.answer(call, calls.length);
      if (said === null) return;
      const status = typeof said === 'number' ? said : 200;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(status === 200 ? completion(String(said)) : { error: { message: `no ${status}` } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const made: JudgeServer = { url: `http://127.0.0.1:${port}/v1`, calls, answer };
  return made;
}

function completion(content: string): unknown {
  return {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'test',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
  };
}

function wordsIn(body: unknown): string {
  const { messages } = body as { messages: { content: unknown }[] };
  return messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))).join('\n\n');
}

function schemaIn(body: unknown): unknown {
  return (body as { response_format?: { json_schema?: { schema?: unknown } } }).response_format?.json_schema?.schema;
}

/** What a sound model would say to each question of the garden review. */
export function soundAnswer({ text }: AskedCall): string {
  const one = (value: unknown) => ({ reason: 'The answer says so.', value });
  if (text.includes('Which plant?')) return JSON.stringify({ answer: one('rose') });
  if (text.includes('Is it safe?')) return JSON.stringify({ harm: one(4), dose: one(2) });
  if (text.includes('What is in it?')) return JSON.stringify({ water: one('yes'), light: one('na') });
  return JSON.stringify({
    things: [
      { id: 'c2', reason: 'Nothing says so.', label: 'no' },
      { id: 'c1', reason: 'The question asks for it.', label: 'yes' },
    ],
  });
}
