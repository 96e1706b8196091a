import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { fileSystemProblem } from '../../src/cli/file-system-problem.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

/** An error as Node makes it, for what a test cannot bring about (root may read anything). */
function systemError(code: string, more: Readonly<Record<string, string>>): Error {
  return Object.assign(new Error(`${code}: as the system says it`), { errno: -1, code, syscall: 'open', ...more });
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

describe('fileSystemProblem', () => {
  it('has the path and a reason in words, for what the system really says', async () => {
    const folder = temporaryFolder();
    const [file, loop] = [join(folder, 'file'), join(folder, 'loop')];
    writeFileSync(file, '');
    symlinkSync('loop', loop);
    mkdirSync(join(folder, 'full'));
    writeFileSync(join(folder, 'full', 'x'), '');
    const long = join(folder, 'n'.repeat(300));
    for (const [act, message] of [
      [() => readFileSync(loop), `${loop}: its links lead round in a circle (ELOOP)`],
      [
        () => readFileSync(join(file, 'x')),
        `${join(file, 'x')}: a part of the path is a file, expected a folder (ENOTDIR)`,
      ],
      [() => readFileSync(long), `${long}: the name is too long (ENAMETOOLONG)`],
      [() => writeFileSync(folder, ''), `${folder}: it is a folder, expected a file (EISDIR)`],
      [
        () => renameSync(file, join(folder, 'full')),
        `${file} (to ${join(folder, 'full')}): it is a folder, expected a file (EISDIR)`,
      ],
    ] as const)
      expect(fileSystemProblem(thrownBy(act))?.message).toBe(message);
    const asked: unknown = await readFile(loop).catch((error: unknown) => error);
    expect(fileSystemProblem(asked)?.message).toContain(`${loop}: `);
    // A folder can be opened: what fails is the reading, which has no path.
    expect(fileSystemProblem(thrownBy(() => readFileSync(folder)))?.message).toContain(
      'it is a folder, expected a file',
    );
  });

  it.each(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EMFILE', 'ENFILE', 'EIO', 'EBUSY', 'ENOENT'])('%s', (code) => {
    const problem = fileSystemProblem(systemError(code, { path: 'a/b' }));
    expect(problem?.message).toMatch(new RegExp(`^a/b: .+ \\(${code}\\)$`));
  });

  it('a fault that Node gives no code for, as when a folder is removed with too many files open', () => {
    const error = systemError('', { path: 'a', syscall: 'rm' });
    error.message = ", Unknown error: Too many open files 'a'";
    expect(fileSystemProblem(error)?.message).toBe('a: it cannot be removed (Too many open files)');
  });

  it('shows what a terminal would act on, and stays on one line', () => {
    const problem = fileSystemProblem(systemError('EACCES', { path: 'a\nassay: passed\u001b[2J' }));
    expect(problem?.message).toBe('a\\u000aassay: passed\\u001b[2J: permission denied (EACCES)');
  });

  it('leaves alone what is not of the file system', async () => {
    for (const error of [new Error('EACCES'), systemError('ECONNREFUSED', {}), 'EACCES', null, new TypeError('x')])
      expect(fileSystemProblem(error)).toBeNull();
    // A code without a call is somebody else's.
    expect(fileSystemProblem(Object.assign(new Error('x'), { code: 'EACCES' }))).toBeNull();
    const [refused] = (await once(createConnection(1, '127.0.0.1'), 'error').catch((error: unknown) => [error])) as [
      unknown,
    ];
    expect(fileSystemProblem(refused)).toBeNull();
  });
});
