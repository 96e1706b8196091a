import { z } from 'zod';

import type { PlainOptions } from '../../data/read-file.ts';
import { auditFile } from '../../audit/audit-shape.ts';
import type { Audit } from '../../audit/finding.ts';
import type { RunFigures } from '../../figures/run-figures.ts';
import { damaged } from '../../score/ledger.ts';
import { readRunFile } from '../../score/run-file.ts';
import type { Run } from '../../score/run.ts';

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
  return ofThisRun(run, audit);
}

/** figures.json of a run folder; null if it has none, or one of other scores. */
export async function readFigures(run: Run): Promise<RunFigures | null> {
  return ofThisRun(run, await readRunFile(run, 'figures.json', figuresFile.refine(isFigures)));
}

// Only our own program writes the file, and the signature says that it belongs to these scores.
function isFigures(value: unknown): value is RunFigures {
  return figuresFile.safeParse(value).success;
}

function ofThisRun<T extends { readonly signature: string }>({ manifest }: Run, part: T | null): T | null {
  return part?.signature === manifest.signature ? part : null;
}
