import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

import { z } from 'zod';

export const commitShape = z.looseObject({
  hash: z.string().regex(/^[0-9a-f]{7,64}$/),
  dirty: z.boolean().nullable().meta({ description: 'whether tracked files had changes; null: not known' }),
});

/** A commit of Git's, shortened, and whether the files that it tracks had changes. */
export type GitCommit = z.infer<typeof commitShape>;

const SHORT = 12;
const PATIENCE_MS = 2000;
/** How long an answer holds: a hundred runs in a row ask once. */
const FRESH_MS = 5000;

const known = new Map<string, { readonly at: number; readonly commit: Promise<GitCommit | null> }>();

/** The commit that a folder is at; null outside of a repository, without Git, or if Git takes too long. */
export function gitCommit(folder = process.cwd()): Promise<GitCommit | null> {
  const before = known.get(folder);
  if (before !== undefined && performance.now() - before.at < FRESH_MS) return before.commit;
  const commit = commitOf(folder);
  known.set(folder, { at: performance.now(), commit });
  return commit;
}

async function commitOf(folder: string): Promise<GitCommit | null> {
  const [head, filters] = await Promise.all([
    git(folder, ['rev-parse', '--verify', 'HEAD']),
    git(folder, ['config', '--show-scope', '--name-only', '--get-regexp', '^filter\\.'], NO_MATCH),
  ]);
  const hash = head?.trim().slice(0, SHORT);
  if (hash === undefined || !commitShape.shape.hash.safeParse(hash).success) return null;
  // Filters of the repository itself are programs that a status may start: an archive from elsewhere could bring its own.
  const isSafe = filters !== null && !/^(?:local|worktree)\s/m.test(filters);
  const changes = isSafe ? await git(folder, STATUS) : null;
  return { hash, dirty: changes === null ? null : changes !== '' };
}

/** The exit code of `git config` for a setting that is not there. */
const NO_MATCH = 1;

const STATUS = ['status', '--porcelain', '--untracked-files=no', '--ignore-submodules=all'];
/** No monitor, no hook, no index that is written. */
const QUIETLY = ['--no-pager', '--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

/** Standard output of Git; empty with the exit code `nothing`; null if it is not there, refuses, or takes too long. */
async function git(folder: string, args: readonly string[], nothing = 0): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('git', [...QUIETLY, '-C', folder, ...args], {
      // A program called git in the folder of the data is not Git.
      cwd: dirname(process.execPath),
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
      maxBuffer: 1 << 24,
      windowsHide: true,
      // Objects that a partial clone lacks are not fetched.
      env: {
        ...process.env,
        GIT_TERMINAL_PROMPT: '0',
        GIT_ALLOW_PROTOCOL: 'none',
        GIT_NO_LAZY_FETCH: '1',
        LC_ALL: 'C',
      },
    });
    return stdout;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    return code === nothing ? '' : null;
  }
}
