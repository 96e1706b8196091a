import { expect, it } from 'vitest';

import { compareAddress, runAddress } from '../../../src/server/runs/run-address.ts';
import { agoText } from '../../../web/src/home/ago-text.ts';
import { servedPaths } from '../../../web/src/report/served-path.ts';

it('says how long ago the folder was looked at', () => {
  expect([0, 999, 1000, 3200, 59_999, 60_000, 150_000].map(agoText)).toEqual([
    'just now',
    'just now',
    '1 s ago',
    '3 s ago',
    '59 s ago',
    '1 min ago',
    '2 min ago',
  ]);
});

it('addresses of runs lead back to their paths, whatever is in their names', () => {
  for (const path of ['a', 'may/first try', '100 %/a?b#c', 'ठीक/ü', '__proto__'])
    expect(servedPaths(new URL(runAddress(path), 'http://x'))).toEqual([path]);
  expect(runAddress('.')).toBe('/run/');
  expect(servedPaths(new URL('http://x/run/'))).toEqual(['.']);
  expect(servedPaths(new URL(compareAddress(['b', 'a/c d'], true), 'http://x'))).toEqual(['b', 'a/c d']);
  expect(servedPaths(new URL('file:///tmp/run/report.html'))).toEqual([]);
});

it('a comparison names its runs in their order', () => {
  expect(compareAddress(['b', 'a/c d'])).toBe('/compare/?run=b&run=a%2Fc+d');
  expect(compareAddress(['b', 'a'], true)).toBe('/compare/?run=b&run=a&force=1');
});
