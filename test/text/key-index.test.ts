import fc from 'fast-check';
import { expect, test } from 'vitest';

import { KeyIndex } from '../../src/text/key-index.ts';

test('numbers keys as a map does that is asked for its size', () => {
  // Few different last bits, so that many keys meet at one place.
  const key = fc.tuple(fc.nat(0x1fffff), fc.nat(3)).map(([high, low]) => high * 0x100000000 + low);
  fc.assert(
    fc.property(fc.array(key, { maxLength: 300 }), fc.array(key, { maxLength: 20 }), (keys, others) => {
      const [index, known] = [new KeyIndex(), new Map<number, number>()];
      for (const one of keys) {
        if (!known.has(one)) known.set(one, known.size);
        expect(index.add(one)).toBe(known.get(one));
        expect(index.size).toBe(known.size);
      }
      for (const one of [...keys, ...others]) expect(index.find(one)).toBe(known.get(one) ?? -1);
    }),
  );
});
