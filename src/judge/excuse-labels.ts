import { z } from 'zod';

import { makeRule, type Rule } from '../prepare/rule.ts';
import { changeWhere, type JudgeStep } from './step.ts';

/** A rule that excuses verdicts of one sort by their label. */
function excuseLabels(
  verdict: 'missed' | 'spurious',
  words: { readonly name: string; readonly about: string; readonly because: string },
): Rule<JudgeStep> {
  const params = z.strictObject({
    labels: z.array(z.string()).describe('excused labels'),
    because: z.string().default(words.because).describe('reason, for the ledger'),
  });
  return makeRule<JudgeStep, z.infer<typeof params>>({
    name: words.name,
    about: words.about,
    params,
    step({ labels, because }, rule) {
      const excused = new Set(labels);
      return (verdicts) =>
        changeWhere(verdicts, (v) =>
          v.verdict === verdict && excused.has(v.label) ? { ...v, verdict: 'excused', rule, because } : v,
        );
    },
  });
}

/** Unmatched gold of some labels is excused, not missed. Hits on these labels still count; the report shows them. */
export const excuseMissed = excuseLabels('missed', {
  name: 'excuse-missed',
  about: 'missed gold of these labels is excused',
  because: 'its label is outside what the system was asked for',
});

/** Predictions of some labels that match nothing are excused instead of spurious. */
export const excuseSpurious = excuseLabels('spurious', {
  name: 'excuse-spurious',
  about: 'spurious predictions of these labels are excused',
  because: 'its label is not annotated in the gold',
});
