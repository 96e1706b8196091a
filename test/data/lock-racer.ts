import { lockFolder } from '../../src/data/folder-lock.ts';

/** Told a folder, tries to take it and says whether it did; told `null`, gives back what it has. */
let unlock: (() => void) | null = null;
process.on('message', (folder: string | null) => {
  if (folder === null) {
    unlock?.();
    unlock = null;
    process.send?.('released');
    return;
  }
  try {
    unlock = lockFolder(folder, '--out');
    process.send?.('taken');
  } catch (error) {
    process.send?.(error instanceof Error ? error.message : String(error));
  }
});
process.send?.('ready');
