import { readFileSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from 'vitest';

const LOCKFILE = path.resolve(import.meta.dirname, '../../package-lock.json');

interface Entry {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(readFileSync(LOCKFILE, 'utf8')) as { packages: Readonly<Record<string, Entry>> };

test('every package of the lockfile has its integrity, those of other platforms too', () => {
  const installed = Object.entries(packages).filter(
    ([name, entry]) => /(?:^|\/)node_modules\//.test(name) && !entry.link,
  );
  expect(installed.length).toBeGreaterThan(100);
  const without = installed.filter(([, entry]) => !/^sha512-[A-Za-z\d+/]{86}==$/.test(entry.integrity ?? ''));
  expect(without.map(([name]) => name)).toEqual([]);
});

test('every platform package that a package may want is in the lockfile', () => {
  const wanted = Object.entries(packages).flatMap(([name, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).map((wish) => [name, wish] as const),
  );
  expect(
    wanted.filter(
      ([name, wish]) => !(`node_modules/${wish}` in packages || `${name}/node_modules/${wish}` in packages),
    ),
  ).toEqual([]);
});
