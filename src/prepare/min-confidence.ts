import { z } from 'zod';

import { defineRule } from './rule.ts';
import { type PrepareStep, setAsideWhere } from './step.ts';

const params = z.strictObject({
  field: z.string().default('confidence'),
  min: z.number().default(0.5),
  /** What happens to a prediction that gives no such number. */
  missing: z.enum(['keep', 'drop']).default('keep'),
});

/** Predictions the system itself was not sure of leave before pairing. */
export const minConfidence = defineRule<PrepareStep, z.infer<typeof params>>({
  name: 'min-confidence',
  about: 'predictions whose confidence is below the minimum leave before pairing (excused in the ledger)',
  params,
  step:
    ({ field, min, missing }, rule) =>
    (given) =>
      setAsideWhere(given, 'predicted', rule, (item) => {
        const value = item.fields[field];
        if (typeof value !== 'number' || Number.isNaN(value)) return missing === 'drop' ? `it gives no ${field}` : null;
        return value < min ? `${field} ${value} < ${min}` : null;
      }),
});
