import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** For what is nobody's secret: as open as the user's umask lets new folders be. */
export const SHARED = 0o777;

/**
 * Makes a folder and those above it. Node's own `recursive` never comes back where the system says that a folder which
 * is there is not, as Linux does under /proc. What is put into it may be anyone's private texts, so only its owner can
 * look unless `mode` says otherwise; a folder that is there stays as it is.
 */
export function makeFolders(folder: string, mode = 0o700): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolders(above, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have been quicker: then there is nothing left to do.
    if (!existsSync(folder)) throw error;
  }
}
