/**
 * The batch server as a process of its own, its options as JSON in the first argument: prints one line `{"url": …}` when
 * it is ready, and ends when its standard input does.
 */
import { type BatchServerOptions, startBatchServer } from './batch-server.ts';

const server = await startBatchServer(JSON.parse(process.argv[2] ?? '{}') as BatchServerOptions);
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
process.stdin.resume().once('end', () => {
  void server.close();
});
