import { extname } from 'node:path';
import { type ResourceLimits, Worker } from 'node:worker_threads';

/** What is made for one case is gone by the next: more room would only be filled before it is cleared. */
const YOUNG_MB = 6;

/**
 * Runs a module of ours in a thread. The end of this process does not wait for it. `name` is that of the module beside
 * `from`, an import.meta.url: the sources are run as they are, and compiled under the same name.
 */
export function startThread(name: string, from: string, order: unknown, limits: ResourceLimits = {}): Worker {
  const execArgv = process.execArgv.filter((flag) => flag.startsWith('--conditions='));
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB, ...limits };
  const { href } = new URL(`./${name}${extname(from)}`, from);
  // A thread has to ask for the cache of compiled modules itself, before it loads any.
  const start = `require('node:module').enableCompileCache?.(); import(${JSON.stringify(href)});`;
  const worker = new Worker(start, { eval: true, workerData: order, execArgv, resourceLimits });
  worker.unref();
  return worker;
}
