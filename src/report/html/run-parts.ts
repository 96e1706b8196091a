import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { z } from 'zod';

import { errorCode } from '../../data/source.ts';
import { auditFile } from '../../runs/audit/audit-shape.ts';
import type { Audit } from '../../runs/audit/finding.ts';
import type { RunFigures } from '../../runs/figures/run-figures.ts';
import { damaged, parsed } from '../../runs/read-ledger.ts';
import type { Run } from '../../runs/run.ts';

const figuresFile = z.looseObject({
  format: z.literal(1),
  signature: z.string(),
  taxonomy: z.array(z.unknown()),
  calibration: z.array(z.unknown()),
  attributes: z.array(z.unknown()),
  ceiling: z.array(z.unknown()),
  noWaterfall: z.string().nullable(),
});

/** audit.json of a run folder; null where it has none, or one of other scores. */
export async function readAudit(run: Run): Promise<Audit | null> {
  return ofThisRun(run, await readPart(run, 'audit.json', auditFile));
}

/** figures.json of a run folder; null where it has none, or one of other scores. */
export async function readFigures(run: Run): Promise<RunFigures | null> {
  return ofThisRun(run, await readPart(run, 'figures.json', figuresFile.refine(isFigures)));
}

// Only our own program writes the file, and the signature says that it belongs to these scores.
function isFigures(value: unknown): value is RunFigures {
  return figuresFile.safeParse(value).success;
}

function ofThisRun<T extends { readonly signature: string }>({ manifest }: Run, part: T | null): T | null {
  return part?.signature === manifest.signature ? part : null;
}

async function readPart<T>({ folder }: Run, file: string, schema: z.ZodType<T>): Promise<T | null> {
  const place = join(folder, file);
  const text = await readFile(place, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw damaged(`${place}: ${errorCode(error)}`);
  });
  return text === null ? null : parsed(text, place, schema);
}
