import { endianness } from 'node:os';

import { z } from 'zod';

import { UsageError } from '../../../../data/problems.ts';

/**
 * An index file: eight bytes of mark, the version, the length of the header (both 32 bits), the header as JSON, then the
 * sections, each beginning at a multiple of eight bytes, and the sha256 of all of it. Numbers have their lowest byte first.
 */
export const MARK = 'ASSAYIDX';
export const INDEX_VERSION = 1;
export const PREFIX_BYTES = 16;
export const DIGEST_BYTES = 32;
/** More than the header of any knowledge base. */
export const MOST_HEADER_BYTES = 1 << 26;

const count = z
  .int()
  .min(0)
  .max(2 ** 32 - 1);
const positive = count.min(1);

export const headerSchema = z.object({
  minDf: positive,
  aliasCount: positive,
  indexedCount: positive,
  conceptCount: positive,
  trigramCount: positive,
  knowledgeBase: z.object({
    sha256: z.string(),
    files: z.array(z.object({ name: z.string(), sha256: z.string() })),
    language: z.string().nullable(),
    suppressed: z.boolean().nullable(),
  }),
  typeNames: z.array(z.array(z.string())).min(1),
  bands: z.array(
    z.object({ first: count, count: positive, minNorm: z.number().positive(), maxNorm: z.number(), maxTf: positive }),
  ),
  /** Bytes of each section, in the order in which they stand. */
  sections: z.array(z.int().min(0)),
});

export type IndexHeader = z.infer<typeof headerSchema>;

/** Numbers are read into arrays as they stand, which asks for a machine that has its lowest byte first, too. */
export function refuseBigEndian(): void {
  if (endianness() === 'BE') throw new UsageError('index files cannot be used on a big-endian machine');
}

/** How many bytes of nothing follow so many bytes. */
export function padding(bytes: number): number {
  return (8 - (bytes % 8)) % 8;
}
