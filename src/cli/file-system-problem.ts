import { harmless, UsageError } from '../plugin.ts';

/** What the system may say of a path, in words. Each is about the machine or the call, and none is a bug of ours. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EBUSY: 'it is in use',
  EDQUOT: 'the quota of the disk is used up',
  EEXIST: 'it exists already',
  EFBIG: 'the file is too large',
  EIO: 'the disk cannot be read or written',
  EISDIR: 'it is a folder, expected a file',
  ELOOP: 'its links lead round in a circle',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENAMETOOLONG: 'the name is too long',
  ENFILE: 'too many files are open on this machine',
  ENODEV: 'there is no such device',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file, expected a folder',
  ENOTEMPTY: 'the folder is not empty',
  ENXIO: 'there is no such device',
  EPERM: 'the system does not allow it',
  EROFS: 'the disk is read-only',
  ESTALE: 'the network disk has lost it',
  ETXTBSY: 'it is being run',
  EXDEV: 'it is on another disk',
};

/**
 * A fault of the file system as the user's problem, with the path; null for any other error. Network faults have other
 * codes and are not among these.
 */
export function fileSystemProblem(error: unknown): UsageError | null {
  if (!(error instanceof Error)) return null;
  const { code, path, dest, syscall } = fieldsOf(error);
  // Node removes folders with a library that gives no code for some faults, too many open files among them.
  const reason = code === '' && syscall === 'rm' ? 'it cannot be removed' : REASONS[code ?? ''];
  if (code === null || reason === undefined || syscall === null) return null;
  const place = path === null ? `a file (${syscall})` : dest === null ? path : `${path} (to ${dest})`;
  return new UsageError(
    `${harmless(place)}: ${reason} (${code === '' ? error.message.replace(/^.*?error: | '.*$/gs, '') : code})`,
    'check the path and who may use it',
  );
}

function fieldsOf(error: Error): Record<'code' | 'path' | 'dest' | 'syscall', string | null> {
  const field = (name: string): string | null => {
    const value: unknown = Reflect.get(error, name);
    return typeof value === 'string' ? value : null;
  };
  return { code: field('code'), path: field('path'), dest: field('dest'), syscall: field('syscall') };
}
