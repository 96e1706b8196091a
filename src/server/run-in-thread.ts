import { once } from 'node:events';

import { startThread } from '../data/thread.ts';

/** Runs a module of ours in a thread, to its end, and gives the last of what it posts, null if it posts nothing. */
export async function runInThread<News>(
  name: string,
  from: string,
  order: unknown,
  hear: (news: News) => void = () => undefined,
): Promise<News | null> {
  const worker = startThread(name, from, order);
  let last: News | null = null;
  worker.on('message', (news: News) => hear((last = news))).unref();
  await once(worker, 'exit');
  return last;
}
