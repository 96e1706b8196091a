import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { z } from 'zod';

import { UsageError } from '../data/problems.ts';
import { harmless, visible } from '../data/visible.ts';
import type { ReviewSnapshot } from './snapshot.ts';

/** What `review create` records of where the items come from. */
const originShape = z.looseObject({
  recipe: z.string(),
  set: z.array(z.string()).default([]),
  files: z.array(z.looseObject({ role: z.string(), name: z.string(), path: z.string().nullish(), sha256: z.string() })),
});
export type ReviewOrigin = z.infer<typeof originShape>;
export type OriginFile = ReviewOrigin['files'][number];

export function originOf({ review }: ReviewSnapshot): ReviewOrigin | null {
  return originShape.safeParse(review.origin).data ?? null;
}

/** The path of the file now; refused if it is gone, or no longer what reviewers saw. Its flag names another file. */
export function originalFile({ name, path, sha256 }: OriginFile, flag: string, example: string): string {
  const place = [path ?? name, name].find(isFile);
  if (place === undefined)
    throw new UsageError(
      `${visible(name)}, of which the review was made, is not in ${harmless(resolve('.'))}`,
      `run it where the file is, or name it with ${flag} ${example}`,
    );
  const now = hashOf(place);
  if (now === sha256) return place;
  throw new UsageError(
    `${harmless(place)} has changed since the review was made of it (sha256 ${sha256.slice(0, 12)}… then, ${now.slice(0, 12)}… now): reviewers judged other answers`,
    `restore the file, or confirm that you want this one with ${flag}`,
  );
}

/** Whether a path holds what reviewers saw, as far as that can be known without reading a stream. */
export function isOriginal(path: string, { sha256 }: OriginFile): boolean {
  return path === '-' || !isFile(path) || hashOf(path) === sha256;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
