import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

import { UsageError } from '../data/problems.ts';
import { secretFile } from '../store/secret-file.ts';
import { errorCode } from '../data/source.ts';

export const SECRET_FILE = 'review-secret';
const SECRET_BYTES = 32;
const FEWEST_CHARACTERS = 32;
const MOST_BYTES = 4096;

/** Whose link it is; a higher generation makes earlier links worthless. */
interface TokenOwner {
  readonly reviewId: string;
  readonly id: string;
  readonly generation: number;
}

/** What the tokens of a data folder are made with: made once, readable by its owner only. */
export function reviewSecret(folder: string): Buffer {
  const file = secretFile(folder, SECRET_FILE, () => `${randomBytes(SECRET_BYTES).toString('hex')}\n`);
  const secret = readSecret(file);
  if (secret.length < FEWEST_CHARACTERS)
    throw new UsageError(
      `${file} is too short for a secret: it has ${secret.length} characters, and ${FEWEST_CHARACTERS} are the fewest`,
      'Move it away, and a new one is made; every link then has to be renewed (assay review links NAME --renew WHO).',
    );
  return secret;
}

export function tokenOf(secret: Buffer, { reviewId, id, generation }: TokenOwner): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['review-token', reviewId, id, generation]))
    .digest('base64url');
}

/** All that the store keeps of a token. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** Whether a token is the one whose hash is kept, in a time that does not depend on how much of it matches. */
export function isToken(token: string, tokenHash: string): boolean {
  const given = Buffer.from(hashToken(token));
  const kept = Buffer.from(tokenHash);
  return given.length === kept.length && timingSafeEqual(given, kept);
}

/** The token stands after the #, which browsers keep to themselves: no server logs it. */
export function linkOf(baseUrl: string, token: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/#${token}`;
}

function readSecret(file: string): Buffer {
  try {
    if (statSync(file).size > MOST_BYTES) throw new UsageError(`${file} is too large for a secret`);
    return Buffer.from(readFileSync(file, 'utf8').trim());
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot read ${file} (${errorCode(error)})`, 'Make it readable, or name another --data.');
  }
}
