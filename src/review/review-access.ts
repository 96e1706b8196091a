import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';
import { visible } from '../data/visible.ts';
import { suggestion } from '../prepare/setting-error.ts';
import type { ReviewPerson, ReviewRole } from '../store/review-records.ts';
import { secretFile } from '../store/secret-file.ts';
import type { Store } from '../store/store.ts';

export const USUAL_DAYS = 90;
const MOST_DAYS = 3660;
const DAY_MS = 86_400_000;

export interface PersonLink {
  readonly name: string;
  readonly role: ReviewRole;
  readonly groups: readonly string[];
  readonly link: string | null;
  readonly closed: string | null;
  readonly expiresAt: string;
}

/** The token of a link is not kept: it is made again, and is the same. */
export function personLink(person: ReviewPerson, secret: Buffer, baseUrl: string, now: Date): PersonLink {
  const { name, role, groups, expiresAt, revokedAt, tokenHash } = person;
  const token = tokenOf(secret, person);
  const closed =
    revokedAt !== null
      ? `revoked on ${revokedAt.slice(0, 10)}`
      : Date.parse(expiresAt) <= now.getTime()
        ? `expired on ${expiresAt.slice(0, 10)}`
        : isToken(token, tokenHash)
          ? null
          : 'made with another secret than the one in the data folder';
  return { name, role, groups, link: closed === null ? linkOf(baseUrl, token) : null, closed, expiresAt };
}

/** A new link; all earlier ones of this person are worth nothing from now on. */
export function renewLink(store: Store, person: ReviewPerson, secret: Buffer, expiresAt: string): void {
  const generation = person.generation + 1;
  const tokenHash = hashToken(tokenOf(secret, { ...person, generation }));
  store.reviews.renew(person.id, { tokenHash, generation, expiresAt });
}

/** One of a review's people by name; with `role`, one of that role. */
export function personNamed(people: readonly ReviewPerson[], name: string, role?: ReviewRole): ReviewPerson {
  const known = role === undefined ? people : people.filter((person) => person.role === role);
  const found = known.find((person) => person.name === name);
  if (found !== undefined) return found;
  const names = known.map((person) => person.name);
  throw new UsageError(
    `there is no ${role ?? 'person'} ${visible(name)} in this review`,
    known.length === 0
      ? `it has no ${role ?? 'person'} yet: assay review links NAME --add WHO`
      : suggestion(name, names, role ?? 'people'),
  );
}

const UNITS: ReadonlyMap<string | undefined, number> = new Map([
  ['w', 7 * DAY_MS],
  ['d', DAY_MS],
  ['h', DAY_MS / 24],
  ['m', DAY_MS / 1440],
]);

/**
 * When links end: so many weeks, days, hours or minutes from now.
 *
 * @example expiryOf('90d', new Date('2026-01-01T00:00:00Z')) // '2026-04-01T00:00:00.000Z'
 */
export function expiryOf(given: string, now: Date): string {
  const [, number, unit] = /^(\d{1,6})([wdhm])$/.exec(given.trim()) ?? [];
  const length = Number(number) * (UNITS.get(unit) ?? 0);
  if (number === undefined || length <= 0 || length > MOST_DAYS * DAY_MS)
    throw new UsageError(
      `--expires ${visible(given)}: expected a number of days or weeks, hours or minutes, up to ${MOST_DAYS} days`,
      'for example --expires 90d, 12w, 12h or 30m',
    );
  return new Date(now.getTime() + length).toISOString();
}

/** An address at which people reach the review app, as it was given; a UsageError reports what is wrong with it. */
export function baseUrlOf(given: string): string {
  const url = URL.parse(given.trim());
  const isPlain = url !== null && url.hash === '' && url.search === '' && url.username === '' && url.password === '';
  if (url === null || !isPlain || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(
      `--base-url ${visible(given)}: expected an http or https address without ?, # and names`,
      'for example --base-url https://review.example.org',
    );
  return url.href;
}

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
