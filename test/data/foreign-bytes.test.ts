import { describe, expect, it } from 'vitest';

import { refuseForeign } from '../../src/data/foreign-bytes.ts';

describe('refuseForeign', () => {
  it.each([
    ['UTF-16 with its mark, little end first', Buffer.from('\ufeff{}', 'utf16le'), /UTF-16.*iconv -f UTF-16/],
    ['UTF-16 with its mark, big end first', Buffer.from([0xfe, 0xff, 0, 0x7b]), /UTF-16.*iconv -f UTF-16/],
    ['UTF-16 without a mark', Buffer.from('{}', 'utf16le'), /NUL bytes.*UTF-16/],
    ['UTF-16 without a mark, big end first', Buffer.from([0, 0x7b, 0, 0x22]), /NUL bytes.*UTF-16/],
    ['UTF-32, big end first', Buffer.from([0, 0, 0xfe, 0xff]), /NUL bytes/],
    ['an Excel workbook', Buffer.from('PK\u0003\u0004'), /Excel workbook.*CSV UTF-8/],
    ['zstd', Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), /zstd -d/],
    ['bzip2', Buffer.from('BZh9'), /bunzip2/],
    ['xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), /unxz/],
    ['Parquet', Buffer.from('PAR1'), /Parquet.*JSONL/],
  ])('knows %s', (_, bytes, message) => {
    expect(() => {
      refuseForeign(bytes, 'f');
    }).toThrow(message);
  });

  it.each(['{"id":1}', '\ufeff{}', 'PK,text', 'B O', 'é'])('lets %j pass', (text) => {
    expect(() => {
      refuseForeign(Buffer.from(text), 'f');
    }).not.toThrow();
  });
});
