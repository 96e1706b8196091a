import * as flag from '../flags.ts';
import { openQueueServer, type QueueAccess } from '../../experiment.ts';

/** Flags of commands that hand their calls to workers. */
export const QUEUE_FLAGS = {
  queue: flag.string('<url>', 'queue whose workers make the calls: redis://… or postgres://… (see assay worker)'),
  root: flag.string('<folder>', 'with --queue: folder that workers share (default: the current one)'),
};

/** Opens the queue that flags name for as long as the work takes; without one, the work gets null. */
export async function withQueue<T>(
  { queue, root = '.' }: flag.FlagValues<typeof QUEUE_FLAGS>,
  note: (text: string) => void,
  work: (access: QueueAccess | null) => Promise<T>,
): Promise<T> {
  if (queue === undefined) return work(null);
  const server = await openQueueServer(queue, (text) => note(`Warning: ${text}.`));
  for (const warning of server.warnings) note(`Warning: ${warning}.`);
  try {
    return await work({ server, root });
  } finally {
    await server.close();
  }
}
