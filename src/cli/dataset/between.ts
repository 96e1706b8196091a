import type { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import type { Backend } from '../../experiment/backend.ts';
import { hasLangfuse } from '../../langfuse/client/has-langfuse.ts';
import { backendOf, hasLocalStore, localFolder } from '../backend-of.ts';

/** Flags of commands that copy between the local store and Langfuse. */
export interface BetweenFlags {
  readonly data?: string;
}

export function betweenOptions(command: Command): Command {
  return command.option('--data <folder>', 'of the local store (default: ASSAY_DATA, or .assay)');
}

/** Work from one place to the other; a push needs something in the local store, and both need Langfuse's keys. */
export async function withBoth<T>(
  way: 'push' | 'pull',
  flags: BetweenFlags,
  [what, begin]: readonly [string, string],
  work: (from: Backend, to: Backend) => Promise<T>,
): Promise<T> {
  if (!hasLangfuse(process.env))
    throw new UsageError(
      `to ${way} is between the local store and Langfuse, and there are no keys for Langfuse`,
      'set LANGFUSE_PUBLIC_KEY and LANGFUSE_SECRET_KEY (and LANGFUSE_BASE_URL); assay serve prints those of a server of its own',
    );
  if (way === 'push' && !hasLocalStore(flags))
    throw new UsageError(`there is no ${what} in ${localFolder(flags)}: nothing has been kept there yet`, begin);
  const local = await backendOf({ ...flags, local: true });
  try {
    const langfuse = await backendOf({ langfuse: true });
    try {
      return await (way === 'push' ? work(local, langfuse) : work(langfuse, local));
    } finally {
      await langfuse.close();
    }
  } finally {
    await local.close();
  }
}
