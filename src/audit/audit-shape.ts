import { z } from 'zod';

import { SEVERITIES } from './finding.ts';

// Apart from the types: pages take those, and a page that may not evaluate code cannot have zod in it.
const total = z.int().min(0);

/** audit.json of a run folder. */
export const auditFile = z.looseObject({
  format: z.literal(1),
  signature: z.string(),
  checks: z.array(z.looseObject({ name: z.string(), about: z.string(), skipped: z.string().nullable() })),
  findings: z.array(
    z.looseObject({
      name: z.string(),
      severity: z.enum(SEVERITIES),
      title: z.string(),
      why: z.string(),
      todo: z.string(),
      subjects: z.array(z.string()),
      cases: z.looseObject({ total, shown: z.array(z.string()) }),
      items: z.looseObject({
        total,
        shown: z.array(
          z.looseObject({
            case: z.string().nullable(),
            side: z.enum(['gold', 'predicted']).nullable(),
            label: z.string().nullable(),
            text: z.string(),
            note: z.string().nullable(),
          }),
        ),
      }),
      accepted: z.string().nullable(),
    }),
  ),
  unused: z.array(z.looseObject({ name: z.string(), subjects: z.array(z.string()), because: z.string() })).optional(),
});
