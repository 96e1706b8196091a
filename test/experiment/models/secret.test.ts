import { describe, expect, it } from 'vitest';

import { withoutKey } from '../../../src/experiment/models/secret.ts';

describe('withoutKey', () => {
  it('takes out a key in every form in which it may come back', () => {
    const key = 'sk+abc/123=456';
    const base64 = 'c2srYWJjLzEyMz00NTY=';
    expect(withoutKey(`${key} ${key} sk%2Babc%2F123%3D456 ${base64}`, key)).toBe('[key] [key] [key] [key]');
  });

  it('leaves words alone where the key is one, as local servers take it', () => {
    expect(withoutKey('none of them', 'none')).toBe('none of them');
    expect(withoutKey('none of them', null)).toBe('none of them');
  });
});
