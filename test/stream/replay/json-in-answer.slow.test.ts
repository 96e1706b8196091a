import { describe, expect, it } from 'vitest';

import { jsonInAnswer } from '../../../src/stream/replay/prompted-model.ts';
import { processorTime } from '../../processor-time.ts';

describe('jsonInAnswer', () => {
  it('is quick on what was made to be slow', () => {
    const start = processorTime();
    expect(jsonInAnswer('{'.repeat(900_000)).error).toBe('not JSON');
    expect(jsonInAnswer('{"'.repeat(400_000)).error).toBe('not JSON');
    expect(jsonInAnswer(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`).error).toBeUndefined();
    expect(jsonInAnswer('x'.repeat(2_000_000)).error).toBe('not JSON: the answer has 2000000 characters');
    expect(processorTime() - start).toBeLessThan(3000);
  });
});
