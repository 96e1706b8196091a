import { type FolderLock, LOCK_TIMES, lockFolder } from '../../src/data/folder-lock.ts';

/** Told a folder, tries to take it and says whether it did; told `null`, gives back what it has. */
LOCK_TIMES.patience = 0;
let lock: FolderLock | null = null;
const tell = async (folder: string | null): Promise<void> => {
  if (folder === null) {
    lock?.release();
    lock = null;
    process.send?.('released');
    return;
  }
  try {
    lock = await lockFolder(folder, '--out');
    process.send?.('taken');
  } catch (error) {
    process.send?.(error instanceof Error ? error.message : String(error));
  }
};
process.on('message', (folder: string | null) => void tell(folder));
process.send?.('ready');
