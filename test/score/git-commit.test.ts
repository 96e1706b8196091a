import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { gitCommit } from '../../src/score/git-commit.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

/** Whatever the user of this machine has set. */
const PLAIN = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
};

function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', env: PLAIN }).trim();
}

/** A repository with one commit of one file. Every folder is asked about once: an answer holds for a while. */
function repository(): string {
  const folder = temporaryFolder();
  git(folder, 'init', '--quiet');
  writeFileSync(join(folder, 'data.txt'), 'one\n');
  mkdirSync(join(folder, 'inner'));
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', 'first');
  return folder;
}

/** A program that leaves a file behind if anybody starts it. */
function trap(folder: string, name: string): { readonly program: string; readonly mark: string } {
  const [program, mark] = [join(folder, name), join(folder, `${name}.ran`)];
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\ncat\n`);
  chmodSync(program, 0o755);
  return { program, mark };
}

describe('the commit of a folder', () => {
  it('is shortened, and clean until a tracked file changes', async () => {
    const folder = repository();
    const hash = git(folder, 'rev-parse', 'HEAD').slice(0, 12);
    writeFileSync(join(folder, 'untracked.txt'), 'new\n');
    expect(await gitCommit(folder)).toEqual({ hash, dirty: false });
    writeFileSync(join(folder, 'data.txt'), 'two\n');
    expect(await gitCommit(join(folder, 'inner'))).toEqual({ hash, dirty: true });
  });

  it('is asked for once in a while only', async () => {
    const folder = repository();
    const before = await gitCommit(folder);
    writeFileSync(join(folder, 'data.txt'), 'two\n');
    expect(await gitCommit(folder)).toEqual(before);
  });

  it('is null outside of a repository, before the first commit and without a folder', async () => {
    const empty = temporaryFolder();
    git(empty, 'init', '--quiet');
    expect(await gitCommit(empty)).toBeNull();
    expect(await gitCommit(temporaryFolder())).toBeNull();
    expect(await gitCommit(join(empty, 'nowhere'))).toBeNull();
  });

  it('starts neither hooks nor monitors nor filters that the repository brings', async () => {
    const folder = repository();
    const traps = temporaryFolder();
    const [monitor, hook, filter] = ['monitor', 'post-index-change', 'filter'].map((name) => trap(traps, name)) as [
      ReturnType<typeof trap>,
      ReturnType<typeof trap>,
      ReturnType<typeof trap>,
    ];
    git(folder, 'config', 'core.fsmonitor', monitor.program);
    git(folder, 'config', 'core.hooksPath', traps);
    writeFileSync(join(folder, 'data.txt'), 'two\n');
    expect(await gitCommit(folder)).toMatchObject({ dirty: true });
    expect([monitor.mark, hook.mark].filter((mark) => existsSync(mark))).toEqual([]);

    git(folder, 'config', 'filter.evil.clean', filter.program);
    writeFileSync(join(folder, '.gitattributes'), '*.txt filter=evil\n');
    // Whether the files have changed is then not known: only the filter could tell.
    expect(await gitCommit(join(folder, 'inner'))).toMatchObject({ dirty: null });
    expect(existsSync(filter.mark)).toBe(false);
    // The trap works.
    git(folder, '-c', 'core.fsmonitor=false', 'status');
    expect(existsSync(filter.mark)).toBe(true);
  });
});
