import * as flag from '../flags.ts';
import { openQueueServer, type QueueAccess } from '../../experiment.ts';

/** On a command line, every user of the machine sees a password. */
export const queueFlag = (about: string): flag.Flag<string | undefined> => ({
  ...flag.string('<url>', `${about}: redis://… or postgres://…`),
  environment: 'ASSAY_QUEUE',
});

export const QUEUE_NAME_FLAG = flag.string('<name>', 'name of the queue, if several teams share a server');

/** Flags of commands that hand their calls to workers. */
export const QUEUE_FLAGS = {
  queue: queueFlag('queue whose workers make the calls (see assay worker)'),
  queueName: QUEUE_NAME_FLAG,
  root: flag.string('<folder>', 'with --queue: folder that workers share (default: the current one)'),
};

/** Opens the queue that flags name for as long as the work takes; without one, the work gets null. */
export async function withQueue<T>(
  { queue, queueName: name, root = '.' }: flag.FlagValues<typeof QUEUE_FLAGS>,
  note: (text: string) => void,
  work: (access: QueueAccess | null) => Promise<T>,
): Promise<T> {
  if (queue === undefined) return work(null);
  const server = await openQueueServer(queue, { name, onError: (text) => note(`Warning: ${text}.`) });
  for (const warning of server.warnings) note(`Warning: ${warning}.`);
  try {
    return await work({ server, root });
  } finally {
    await server.close();
  }
}
