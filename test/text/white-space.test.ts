import { describe, expect, it } from 'vitest';
import { isWhiteSpace } from '../../src/text/white-space.ts';

describe('isWhiteSpace', () => {
  it("knows the 29 characters at which Python's str.split() splits, and no other", () => {
    const found = Array.from({ length: 0x10000 }, (_, unit) => unit).filter((unit) => isWhiteSpace(unit));
    expect(found).toEqual([
      0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003,
      0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
    ]);
  });
});
