import { z } from 'zod';

/** What `assay audit` looks for, by the names that a recipe accepts findings by; src/audit/checks has the checks. */
export const AUDIT_CHECKS = [
  'nothing-to-compare',
  'nothing-right',
  'copied-gold',
  'one-template',
  'empty-answers',
  'whole-text',
  'stand-ins',
  'excused-hits',
  'excused-predictions',
  'rule-made-hits',
  'turned-direction',
  'hidden-undefined',
  'dropped',
  'never-predicted',
  'never-gold',
  'duplicate-cases',
  'train-in-test',
  'span-text',
  'ungrounded',
  'unresolved',
  'stray-fields',
  'shredded-words',
  'fallback-timestamps',
  'threshold-cliff',
  'decisive-case',
  'decisive-annotator',
  'few-ratings',
  'same-raters',
  'too-few',
  'no-intervals',
  'gate-cannot-fail',
  'other-signatures',
] as const;
export type AuditCheckName = (typeof AUDIT_CHECKS)[number];

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

/**
 * What the audit of a run need not warn of. It changes no number, so it is no part of the signature; and no check can be
 * switched off, since what is accepted stays in the report with its reason.
 */
export const auditSection = z.strictObject({
  accept: z
    .strictObject(byName(AUDIT_CHECKS))
    .default({})
    .meta({ description: 'findings that may stand, by the name of the check' }),
});
export type AuditSection = z.infer<typeof auditSection>;
export type Acceptance = z.infer<typeof acceptance>;

function byName<Name extends string>(names: readonly Name[]): Record<Name, z.ZodOptional<typeof acceptance>>;
function byName(names: readonly string[]): Record<string, z.ZodOptional<typeof acceptance>> {
  return Object.fromEntries(names.map((name) => [name, acceptance.optional()]));
}
