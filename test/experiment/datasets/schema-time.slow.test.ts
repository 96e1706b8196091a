import { describe, expect, it } from 'vitest';

import { makeItemValidator } from '../../../src/experiment/datasets/validate-item.ts';
import { processorTime } from '../../processor-time.ts';

describe('a schema that would take for ever', () => {
  /** Two ways at each step: 2^29 at its end. */
  const steps = Array.from({ length: 30 }, (_, at) => [
    `d${at}`,
    at === 0 ? { type: 'string' } : { anyOf: [{ $ref: `#/$defs/d${at - 1}` }, { $ref: `#/$defs/d${at - 1}` }] },
  ]);
  let nested = {};
  for (let level = 0; level < 60; level += 1) nested = { a: nested };

  it.each<[string, unknown, unknown]>([
    ['in the names of fields', { patternProperties: { '^(a|a)*$': true } }, { [`${'a'.repeat(50)}!`]: 1 }],
    ['in references', { $defs: Object.fromEntries(steps), $ref: '#/$defs/d29' }, null],
    [
      'in references to itself',
      { required: ['b'], properties: { a: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } } },
      nested,
    ],
  ])('%s is stopped after a second, and said to be the reason', (_, input, value) => {
    const validate = makeItemValidator({ input });
    const began = processorTime();
    expect(() => validate({ input: value })).toThrow(
      /^the input schema cannot be used: checking by it takes longer than 1 s/,
    );
    expect(processorTime() - began).toBeLessThan(5000);
  });
});
