import { z } from 'zod';

import { SEVERITIES } from './finding.ts';

// Apart from the types: pages take those, and a page that may not evaluate code cannot have zod in it.
const text = z.string();
const texts = z.array(text);
const total = z.int().min(0);
const side = z.enum(['gold', 'predicted']).nullable();
const item = z.looseObject({ case: text.nullable(), side, label: text.nullable(), text, note: text.nullable() });

/** audit.json of a run folder. */
export const auditFile = z.looseObject({
  format: z.literal(1),
  signature: text,
  checks: z.array(z.looseObject({ name: text, about: text, skipped: text.nullable() })),
  findings: z.array(
    z.looseObject({
      name: text,
      severity: z.enum(SEVERITIES),
      title: text,
      why: text,
      todo: text,
      subjects: texts,
      cases: z.looseObject({ total, shown: texts }),
      items: z.looseObject({ total, shown: z.array(item) }),
      accepted: text.nullable(),
    }),
  ),
  unused: z.array(z.looseObject({ name: text, subjects: texts, because: text })).optional(),
});
