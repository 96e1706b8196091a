import { UsageError } from '../data/problems.ts';
import { StoreConflict } from './store-conflict.ts';

const OTHER_FOLDER = 'name another folder with --data';

/** Primary result codes of SQLite, https://sqlite.org/rescode.html */
const [PERM, BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, TOOBIG, NOTADB] = [
  3, 5, 6, 8, 10, 11, 13, 14, 18, 26,
];

/** The user's side of what SQLite could not do; any other error as it is. */
export function sqliteProblem(error: unknown, file: string): unknown {
  switch (resultCode(error)) {
    case BUSY:
    case LOCKED:
      return new UsageError(`${file} is held by another process`, `wait until it is done, or ${OTHER_FOLDER}`);
    case PERM:
    case READONLY:
      return new UsageError(`cannot write to ${file}`, `make it and its folder writable, or ${OTHER_FOLDER}`);
    case IOERR:
      return new UsageError(
        `${file} cannot be read or written: the disk refuses`,
        `look at its space and at limits on the size of files (ulimit -f), or ${OTHER_FOLDER}`,
      );
    case CORRUPT:
      return new UsageError(`${file} is damaged`, `put back a copy of it, or ${OTHER_FOLDER}`);
    case FULL:
      return new UsageError(`cannot write to ${file}: the disk is full`, `make room, or ${OTHER_FOLDER}`);
    case CANTOPEN:
      return new UsageError(`cannot open ${file}`, `look at the rights of its folder, or ${OTHER_FOLDER}`);
    case NOTADB:
      return new UsageError(`${file} is no database of Assay`, `move it away, or ${OTHER_FOLDER}`);
    case TOOBIG:
      return new StoreConflict('a text or a JSON of more than 1 GB is not kept');
    default:
      return error;
  }
}

export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code === BUSY || code === LOCKED;
}

export function resultCode(error: unknown): number {
  // The higher bits say more closely what it was.
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0;
}
