import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it. Node's own `recursive` never comes back where the system says that a folder which
 * is there is not, as Linux does under /proc.
 */
export function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolders(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have been quicker: then there is nothing left to do.
    if (!existsSync(folder)) throw error;
  }
}
