import { z } from 'zod';

import EARLIER_NAMES from './earlier-check-names.json' with { type: 'json' };

/** What `assay audit` looks for, by the names that a recipe accepts findings by; src/audit/checks has the checks. */
export const AUDIT_CHECKS = [
  'no-values',
  'zero-matches',
  'copied-gold',
  'repeated-answers',
  'empty-answers',
  'refused-answers',
  'whole-text-predictions',
  'placeholder-answers',
  'excused-hits',
  'excused-false-positives',
  'rule-made-hits',
  'inverted-direction',
  'hidden-undefined-values',
  'dropped-data',
  'unannotated-cases',
  'unreadable-confidence',
  'labels-never-predicted',
  'labels-never-in-gold',
  'swapped-labels',
  'duplicate-cases',
  'training-data-in-test',
  'gold-in-text',
  'span-text-mismatch',
  'spans-within-words',
  'shifted-spans',
  'untrimmed-spans',
  'repeated-items',
  'cut-off-predictions',
  'ungrounded-quotes',
  'unresolved-relationships',
  'misplaced-fields',
  'split-words',
  'fallback-timestamps',
  'threshold-sensitivity',
  'single-case-dependence',
  'single-annotator-dependence',
  'incomplete-ratings',
  'duplicate-raters',
  'reported-values',
  'too-few-cases',
  'missing-intervals',
  'gate-cannot-fail',
  'different-signatures',
] as const;
export type AuditCheckName = (typeof AUDIT_CHECKS)[number];

/** The name that a check has now: recipes and the audits of older runs may have the one before. */
export function auditCheckName(name: string): string {
  return new Map(Object.entries(EARLIER_NAMES)).get(name) ?? name;
}

const reason = z.string().regex(/\S/, 'an acceptance needs a reason that others can read');

const acceptance = z
  .union([
    reason,
    z.strictObject({
      because: reason,
      subjects: z
        .array(z.string())
        .min(1)
        .optional()
        .meta({ description: 'only findings about these labels, measures, rules or files; without it about any' }),
    }),
  ])
  .meta({ description: 'why the finding may stand: the report shows it' });

const NAMES = [...AUDIT_CHECKS, ...Object.keys(EARLIER_NAMES)];

/**
 * What the audit of a run need not warn of. It changes no number, so it is no part of the signature; and no check can be
 * switched off, since what is accepted stays in the report with its reason.
 */
export const auditSection = z.strictObject({
  accept: z
    .object(Object.fromEntries(NAMES.map((name) => [name, acceptance.optional()])))
    // The plan knows the names of custom checks.
    .catchall(acceptance)
    .default({})
    .meta({ description: 'findings that may stand, by the name of the check' }),
});
export type AuditSection = z.infer<typeof auditSection>;
export type Acceptance = z.infer<typeof acceptance>;
