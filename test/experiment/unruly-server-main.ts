/**
 * The unruly server as a process of its own, its options as JSON in the first argument: prints one line `{"url": …}`
 * when it is ready, and ends when its standard input does (so whoever starts it gives it a pipe).
 */
import { startUnrulyServer, type UnrulyOptions } from './unruly-server.ts';

const server = await startUnrulyServer(JSON.parse(process.argv[2] ?? '{}') as UnrulyOptions);
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
process.stdin.resume().once('end', () => {
  void server.close();
});
