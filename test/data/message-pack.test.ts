import { describe, expect, it } from 'vitest';

import { decodeMessagePack } from '../../src/data/message-pack.ts';

/** Bytes as the specification writes them. */
const decode = (hex: string): unknown => decodeMessagePack(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

describe('MessagePack', () => {
  it.each([
    ['00', 0],
    ['7f', 127],
    ['ff', -1],
    ['e0', -32],
    ['cc ff', 255],
    ['cd 0100', 256],
    ['ce 00010000', 65536],
    ['d0 80', -128],
    ['d1 ff7f', -129],
    ['d2 ffff7fff', -32769],
    ['c0', null],
    ['c2', false],
    ['c3', true],
    ['ca 3fc00000', 1.5],
    ['cb 3ff8000000000000', 1.5],
    ['a3 416e6e', 'Ann'],
    ['d9 04 f09f9880', '😀'],
    ['93 01 02 03', [1, 2, 3]],
    ['82 a1 61 01 a1 62 90', { a: 1, b: [] }],
    ['dc 0002 01 02', [1, 2]],
    ['de 0001 a1 61 c3', { a: true }],
  ])('%s is %j', (hex, value) => {
    expect(decode(hex)).toEqual(value);
  });

  it('holds bytes as they are', () => {
    expect(decode('c4 03 00ff10')).toEqual(Buffer.from([0, 255, 16]));
  });

  it.each([
    ['a list of four billion', 'dd ffffffff'],
    ['a map of four billion', 'df ffffffff'],
    ['bytes of four billion', 'c6 ffffffff'],
    ['a text of four billion', 'db ffffffff'],
    ['a list in a list in a list, each as long as can be', 'dd ffffffff dd ffffffff'],
    ['a number that is cut off', 'cb 3ff8'],
    ['nothing', ''],
    ['a hundred thousand levels', '91'.repeat(100_000)],
    ['a list of empty lists, which take much more memory than bytes', `dd 00100000${'90'.repeat(1 << 20)}`],
    ['lists in lists, each as long as all bytes after it', `${'dd 00f42400'.repeat(60)}${'00'.repeat(16_000_000)}`],
    ['a map whose key is a list', '81 91 01 01'],
  ])('%s is refused at once', (_, hex) => {
    expect(() => decode(hex)).toThrow(RangeError);
  });

  it('gives no object another prototype', () => {
    const value = decode('81 a9 5f5f70726f746f5f5f 81 a1 78 01');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value).toEqual({});
  });
});
