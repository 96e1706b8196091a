import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a system refuses, each for a reason of its own. */
export const KINDS = [
  'ELOOP',
  'ELOOP above',
  'ENOTDIR',
  'ENAMETOOLONG',
  'ENAMETOOLONG above',
  'EISDIR',
  'nobody’s place',
  'a line break',
] as const;

/** Such a path in a folder, made anew: a program that writes whole files puts one in place of a link. */
export function badPath(folder: string, kind: (typeof KINDS)[number]): string {
  const bad = join(folder, 'bad');
  rmSync(bad, { recursive: true, force: true });
  mkdirSync(join(bad, 'folder'), { recursive: true });
  writeFileSync(join(bad, 'file'), '{}\n');
  symlinkSync('loop', join(bad, 'loop'));
  const long = 'n'.repeat(300);
  return {
    ELOOP: join(bad, 'loop'),
    'ELOOP above': join(bad, 'loop', 'x.json'),
    ENOTDIR: join(bad, 'file', 'x.json'),
    ENAMETOOLONG: join(bad, `${long}.json`),
    'ENAMETOOLONG above': join(bad, long, 'x.json'),
    EISDIR: join(bad, 'folder'),
    // Not even root makes a file there.
    'nobody’s place': '/proc/1/none/x.json',
    'a line break': join(bad, 'loop', 'a\nb\u001b[2J.json'),
  }[kind];
}
