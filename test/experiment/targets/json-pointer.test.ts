import { expect, it } from 'vitest';

import { atPointer } from '../../../src/experiment/targets/json-pointer.ts';

// The examples of RFC 6901, section 5.
const DOCUMENT = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
};

it.each([
  ['', DOCUMENT],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/c%d', 2],
  ['/e^f', 3],
  ['/g|h', 4],
  ['/i\\j', 5],
  ['/k"l', 6],
  ['/ ', 7],
  ['/m~0n', 8],
])('the pointer %j leads where the standard says', (pointer, value) => {
  expect(atPointer(DOCUMENT, pointer)).toEqual({ value });
});

it.each(['/bar', '/foo/2', '/foo/-', '/foo/00', '/foo/length', '/foo/0/x', '/toString', '/__proto__'])(
  'the pointer %j leads nowhere',
  (pointer) => {
    expect(atPointer(DOCUMENT, pointer)).toBeNull();
  },
);
