import { createHash, createHmac } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { hashToken, isToken, linkOf, reviewSecret, SECRET_FILE, tokenOf } from '../../src/review/review-access.ts';
import { temporaryFolder } from '../cli/run-assay.ts';

describe('the secret of a data folder', () => {
  it('is made once, readable by its owner only, and kept out of git', () => {
    const folder = join(temporaryFolder(), 'data');
    const first = reviewSecret(folder);
    expect(reviewSecret(folder).equals(first)).toBe(true);
    expect(first.length).toBe(64);
    expect(statSync(join(folder, SECRET_FILE)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('review-secret\n');
  });

  it('joins what git is told already', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.gitignore'), 'keys.json');
    reviewSecret(folder);
    expect(readFileSync(join(folder, '.gitignore'), 'utf8')).toBe('keys.json\nreview-secret\n');
  });

  it('is not the same in two folders', () => {
    expect(reviewSecret(temporaryFolder()).equals(reviewSecret(temporaryFolder()))).toBe(false);
  });

  it('is refused where it is too short or too large, and is not shown', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, SECRET_FILE), 'hunter2\n');
    expect(() => reviewSecret(folder)).toThrow(/too short for a secret: it has 7 characters, and 32 are the fewest/);
    expect(() => reviewSecret(folder)).not.toThrow(/hunter2/);
    writeFileSync(join(folder, SECRET_FILE), 'x'.repeat(5000));
    expect(() => reviewSecret(folder)).toThrow(/too large/);
  });

  it('cannot be written where a file stands in the place of the folder', () => {
    const folder = join(temporaryFolder(), 'file');
    writeFileSync(folder, '');
    expect(() => reviewSecret(folder)).toThrow(/cannot (?:read|write)/);
    expect(existsSync(join(folder, SECRET_FILE))).toBe(false);
  });
});

describe('a token', () => {
  const secret = Buffer.from('0123456789abcdef0123456789abcdef');
  const owner = { reviewId: 'r1', id: 'p1', generation: 1 };

  it('is an HMAC of review, person and generation', () => {
    const expected = createHmac('sha256', secret).update('["review-token","r1","p1",1]').digest('base64url');
    expect(tokenOf(secret, owner)).toBe(expected);
    expect(expected).toMatch(/^[\w-]{43}$/);
  });

  it('differs with each of them, and with the secret', () => {
    const tokens = [
      tokenOf(secret, owner),
      tokenOf(secret, { ...owner, reviewId: 'r2' }),
      tokenOf(secret, { ...owner, id: 'p2' }),
      tokenOf(secret, { ...owner, generation: 2 }),
      tokenOf(Buffer.from('another secret of thirty-two chars'), owner),
    ];
    expect(new Set(tokens).size).toBe(5);
  });

  it('is kept as its sha256 and known by it', () => {
    const token = tokenOf(secret, owner);
    const kept = createHash('sha256').update(token).digest('hex');
    expect(hashToken(token)).toBe(kept);
    expect(isToken(token, kept)).toBe(true);
    expect(isToken(`${token}x`, kept)).toBe(false);
    expect(isToken(token, 'short')).toBe(false);
  });

  it('stands after the # of a link', () => {
    expect(linkOf('http://127.0.0.1:4319', 'abc')).toBe('http://127.0.0.1:4319/#abc');
    expect(linkOf('https://example.org/review//', 'abc')).toBe('https://example.org/review/#abc');
  });
});
