import { describe, expect, it } from 'vitest';

import { withoutKey } from '../../../src/experiment/models/secrets.ts';
import { processorTime } from '../../processor-time.ts';

describe('withoutKey', () => {
  it('is not held up by a text of nothing but backslashes', () => {
    const text = '\\'.repeat(1_000_000);
    const start = processorTime();
    expect(withoutKey(text, '"\\secret-of-ours')).toBe(text);
    expect(processorTime() - start).toBeLessThan(5000);
  });
});
