import { z } from 'zod';

import type { PlainOptions } from '../../data/read-file.ts';
import { type Audit, SEVERITIES } from '../../audit/finding.ts';
import { auditCheckName } from '../../recipe/audit-section.ts';
import type { RunFigures } from '../../figures/run-figures.ts';
import { damaged } from '../../score/ledger.ts';
import { readRunFile } from '../../score/run-file.ts';
import type { Run } from '../../score/run.ts';

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

const figuresFile = z.looseObject({
  format: z.literal(1),
  signature: z.string(),
  taxonomy: z.array(z.unknown()),
  calibration: z.array(z.unknown()),
  attributes: z.array(z.unknown()),
  ceiling: z.array(z.unknown()),
  noWaterfall: z.string().nullable(),
});

/** audit.json of a run folder; null if it has none, or one of other scores. */
export async function readAudit(run: Run, options: PlainOptions = {}): Promise<Audit | null> {
  const audit = await readRunFile(run, 'audit.json', auditFile, options);
  // Figures can be made again; without its audit a run hides what the audit found.
  if (audit === null && run.manifest.files?.['audit.json'] !== undefined)
    throw damaged(`${run.folder}/audit.json: this file of the run is missing`);
  return ofThisRun(run, audit === null ? null : withCheckNames(audit));
}

/** Checks of older runs had other names. */
function withCheckNames(audit: Audit): Audit {
  const renamed = <T extends { readonly name: string }>(list: readonly T[]): T[] =>
    list.map((entry) => ({ ...entry, name: auditCheckName(entry.name) }));
  return {
    ...audit,
    findings: renamed(audit.findings),
    checks: renamed(audit.checks),
    ...(audit.unused === undefined ? {} : { unused: renamed(audit.unused) }),
  };
}

/** figures.json of a run folder; null if it has none, or one of other scores. */
export async function readFigures(run: Run): Promise<RunFigures | null> {
  return ofThisRun(run, await readRunFile(run, 'figures.json', figuresFile.refine(isFigures)));
}

// Only our own program writes the file, and the signature proves that it belongs to these scores.
function isFigures(value: unknown): value is RunFigures {
  return figuresFile.safeParse(value).success;
}

function ofThisRun<T extends { readonly signature: string }>({ manifest }: Run, part: T | null): T | null {
  return part?.signature === manifest.signature ? part : null;
}
