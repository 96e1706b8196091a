import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';

import { onTestFinished } from 'vitest';

import { startAssay, temporaryFolder } from '../../cli/run-assay.ts';
import { makeConsultations, type TestReview } from './consultations.ts';

export interface KillableServer extends TestReview {
  /** Starts it on the same port each time, and gives the link of a person. */
  start(name: string): Promise<string>;
  /** As a power cut would. */
  kill(): Promise<void>;
}

/** `assay review serve` in a process of its own. */
export async function killableServer(): Promise<KillableServer> {
  const review = makeConsultations(temporaryFolder());
  onTestFinished(() => review.store.close());
  const port = await freePort();
  let child: ChildProcess | null = null;
  const kill = async (): Promise<void> => {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  return {
    ...review,
    async start(name) {
      child = startAssay(['review', 'serve', '--data', review.folder, '--port', String(port), '--json']);
      const { url } = JSON.parse(await firstLine(child)) as { readonly url: string };
      return review.link(name, url);
    },
    kill,
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  let [text, problems] = ['', ''];
  child.stderr?.on('data', (chunk: Buffer) => (problems += chunk.toString()));
  for await (const chunk of child.stdout!.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'));
  }
  throw new Error(`the server did not start:\n${problems}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
