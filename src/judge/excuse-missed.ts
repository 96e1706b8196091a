import { z } from 'zod';

import { defineRule } from '../prepare/rule.ts';
import { changeWhere, type JudgeStep } from './step.ts';

const params = z.strictObject({
  labels: z.array(z.string()),
  because: z.string().default('its label is outside what the system was asked for'),
});

/** Gold of some labels that nothing matched is excused instead of missed. Hits on these labels still count: the report says how many. */
export const excuseMissed = defineRule<JudgeStep, z.infer<typeof params>>({
  name: 'excuse-missed',
  about: 'missed gold of these labels is excused, not missed',
  params,
  step({ labels, because }, rule) {
    const excused = new Set(labels);
    return (verdicts) =>
      changeWhere(verdicts, (v) =>
        v.verdict === 'missed' && excused.has(v.label) ? { ...v, verdict: 'excused', rule, because } : v,
      );
  },
});
