import { runInThread } from '../run-in-thread.ts';

/**
 * The overview of a review as JSON, worked out beside the server in a thread that reads the store by itself: agreement with
 * its intervals takes a large review seconds, in which nobody could save. `blind` is for all but the owner.
 */
export async function overviewApart(folder: string, name: string, blind: boolean): Promise<string> {
  const overview = await runInThread<string>('overview-worker', import.meta.url, { folder, name, blind });
  if (overview === null) throw new Error('the overview came to no end');
  return overview;
}
