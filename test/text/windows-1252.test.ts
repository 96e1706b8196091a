import { describe, expect, it } from 'vitest';
import { windows1252Byte } from '../../src/text/windows-1252.ts';

describe('windows1252Byte', () => {
  it('turns round the WHATWG decoder, byte for byte', () => {
    const decoder = new TextDecoder('windows-1252');
    for (let byte = 0; byte <= 0xff; byte += 1) {
      expect(windows1252Byte(decoder.decode(Uint8Array.of(byte)).charCodeAt(0))).toBe(byte);
    }
  });

  it('turns round Latin-1, which has control characters at 80 to 9F', () => {
    expect(windows1252Byte(0x80)).toBe(0x80);
    expect(windows1252Byte(0x99)).toBe(0x99);
  });

  it('is -1 for what neither has', () => {
    expect(windows1252Byte('Ł'.charCodeAt(0))).toBe(-1);
    expect(windows1252Byte('क'.charCodeAt(0))).toBe(-1);
    expect(windows1252Byte(0xd83d)).toBe(-1);
  });
});
