import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/**
 * Runs a module of ours in a thread, to its end, and gives the last of what it posts, null if it posts nothing. The end
 * of this process does not wait for it. `name` is that of the module beside `from`, an import.meta.url: the sources are
 * run as they are, and compiled under the same name.
 */
export async function runInThread<News>(
  name: string,
  from: string,
  order: unknown,
  hear: (news: News) => void = () => undefined,
): Promise<News | null> {
  const execArgv = process.execArgv.filter((flag) => flag.startsWith('--conditions='));
  const worker = new Worker(new URL(`./${name}${extname(from)}`, from), { workerData: order, execArgv });
  let last: News | null = null;
  worker.on('message', (news: News) => hear((last = news))).unref();
  await once(worker, 'exit');
  return last;
}
