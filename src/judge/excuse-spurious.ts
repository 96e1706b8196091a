import { z } from 'zod';

import { defineRule } from '../prepare/rule.ts';
import { changeWhere, type JudgeStep } from './step.ts';

const params = z.strictObject({
  labels: z.array(z.string()),
  because: z.string().default('its label is not annotated in the gold'),
});

/** Predictions of some labels that match nothing are excused instead of spurious. */
export const excuseSpurious = defineRule<JudgeStep, z.infer<typeof params>>({
  name: 'excuse-spurious',
  about: 'spurious predictions of these labels are excused, not spurious',
  params,
  step({ labels, because }, rule) {
    const excused = new Set(labels);
    return (verdicts) =>
      changeWhere(verdicts, (v) =>
        v.verdict === 'spurious' && excused.has(v.label) ? { ...v, verdict: 'excused', rule, because } : v,
      );
  },
});
