import { createHash, createHmac } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { reviewSection } from '../../src/recipe/review-section.ts';
import { createReview } from '../../src/review/create-review.ts';
import { addPeople, parsePerson, type PersonInit } from '../../src/review/people.ts';
import {
  expiryOf,
  hashToken,
  isToken,
  linkOf,
  personLink,
  personNamed,
  renewLink,
  reviewSecret,
  SECRET_FILE,
  tokenOf,
} from '../../src/review/review-access.ts';
import { temporaryFolder } from '../cli/run-assay.ts';
import { scratchStore } from '../store/scratch-store.ts';

const SECRET = Buffer.from('a secret of more than thirty-two characters');
const FORM = reviewSection.parse({
  people: { expert: { title: 'experts', raters: 2 } },
  show: [{ field: 'response', title: 'The answer' }],
  fields: { good: { type: 'scale', title: 'Good?', by: ['expert'] } },
});

function pilot(...people: PersonInit[]) {
  const store = scratchStore();
  const review = createReview(store, {
    name: 'pilot',
    form: FORM,
    task: 'consult',
    seed: 1,
    sources: ['1', '2', '3'].map((caseId) => ({
      caseId,
      system: 's',
      language: null,
      texts: { response: `Answer ${caseId}` },
      predicted: [],
      passages: [],
      hidden: {},
    })),
    people,
    origin: null,
    secret: SECRET,
    expiresAt: '2031-01-01T00:00:00.000Z',
  });
  const person = (name: string) => personNamed(store.reviews.people(review.id), name);
  const add = (...more: PersonInit[]) =>
    addPeople({ store, review, form: FORM, people: more, secret: SECRET, expiresAt: '2031-01-01T00:00:00.000Z' });
  const queue = (name: string): number => store.reviews.queue(person(name).id).length;
  return { store, review, person, add, queue };
}

const expert = (name: string): PersonInit => ({ name, role: 'reviewer', groups: ['expert'] });
const NOW = new Date('2030-01-01T00:00:00Z');

describe('a link', () => {
  it('leads in until it is renewed; then the new one does', () => {
    const { store, person } = pilot(expert('Asha'));
    const tokenIn = (link: string | null): string => link!.split('#')[1]!;
    const first = personLink(person('Asha'), SECRET, 'http://x', NOW);
    expect(first).toMatchObject({ closed: null, link: expect.stringMatching(/^http:\/\/x\/#[\w-]{43}$/) });
    renewLink(store, person('Asha'), SECRET, '2031-05-05T00:00:00.000Z');
    const second = personLink(person('Asha'), SECRET, 'http://x', NOW);
    expect(second.link).not.toBe(first.link);
    expect(store.reviews.personByToken(hashToken(tokenIn(first.link)))).toBeNull();
    expect(store.reviews.personByToken(hashToken(tokenIn(second.link)))?.name).toBe('Asha');
  });

  it('is closed where it was revoked, has expired, or was made with another secret', () => {
    const { store, person } = pilot(expert('Asha'));
    const closed = (now: Date, secret = SECRET) => personLink(person('Asha'), secret, 'http://x', now);
    expect(closed(new Date('2031-01-01T00:00:00Z'))).toMatchObject({ link: null, closed: 'expired on 2031-01-01' });
    expect(closed(NOW, Buffer.from('x'.repeat(40)))).toMatchObject({
      link: null,
      closed: expect.stringMatching(/secret/),
    });
    store.reviews.revoke(person('Asha').id);
    expect(closed(NOW)).toMatchObject({ link: null, closed: expect.stringMatching(/^revoked on \d{4}-\d\d-\d\d$/) });
  });

  it.each([
    ['90d', '2030-04-01T00:00:00.000Z'],
    ['2w', '2030-01-15T00:00:00.000Z'],
    ['12h', '2030-01-01T12:00:00.000Z'],
    ['30m', '2030-01-01T00:30:00.000Z'],
  ])('of %s ends at %s', (given, expected) => {
    expect(expiryOf(given, NOW)).toBe(expected);
  });

  it.each(['0d', '0m', '90', 'x', '9999w', '999999h', '-1d', '5s', ''])('of %j is refused', (given) => {
    expect(() => expiryOf(given, NOW)).toThrow(/expected a number of days or weeks/);
  });
});

describe('a person who comes later', () => {
  it('gets the items that have too few raters', () => {
    const { add, queue } = pilot(expert('Asha'));
    expect(add(expert('Ravi'))).toEqual([]);
    expect(queue('Ravi')).toBe(3);
  });

  it('gets all of their groups’ items where none has too few', () => {
    const { add, queue } = pilot(expert('Asha'), expert('Ravi'));
    add(expert('Meera'));
    expect(queue('Meera')).toBe(3);
  });

  it('takes over from somebody who was shut out what they have not committed', () => {
    const { store, review, person, add, queue } = pilot(expert('Asha'), expert('Ravi'));
    const [first] = store.reviews.queue(person('Ravi').id);
    const event = { itemId: first!.itemId, personId: person('Ravi').id, origin: 'library', part: null } as const;
    store.reviews.append([
      { ...event, id: 'e1', field: 'good', value: 4 },
      { ...event, id: 'e2', field: '#commit', value: true },
    ]);
    store.reviews.revoke(person('Ravi').id);
    add(expert('Lata'));
    expect(queue('Lata')).toBe(2);
    expect(store.reviews.queue(person('Lata').id).map(({ itemId }) => itemId)).not.toContain(first!.itemId);
    expect(store.reviews.people(review.id)).toHaveLength(3);
  });

  it('is refused with a name that is taken, and nothing changes', () => {
    const { store, review, add } = pilot(expert('Asha'));
    expect(() => add(expert('Ravi'), expert('Asha'))).toThrow(/two people have the name "Asha"/);
    expect(store.reviews.people(review.id)).toHaveLength(1);
  });

  it('is said to be too few where the group still lacks people', () => {
    const { add } = pilot({ name: 'Kim', role: 'owner', groups: [] });
    expect(add(expert('Asha'))).toEqual(['2 of the group expert (experts) are to rate each item, and there is 1']);
  });
});

describe('a name with groups', () => {
  it('is read from one word', () => {
    expect(parsePerson('Asha', 'reviewer')).toEqual({ name: 'Asha', role: 'reviewer', groups: [] });
    expect(parsePerson(' Asha Rao : expert, annotator,expert', 'reviewer')).toEqual({
      name: 'Asha Rao',
      role: 'reviewer',
      groups: ['expert', 'annotator'],
    });
    expect(() => parsePerson('Asha:', 'reviewer')).toThrow(/NAME:group/);
  });

  it('that nobody has is answered with the nearest', () => {
    const { person } = pilot(expert('Asha'));
    expect(() => person('Aasha')).toThrow(/no person "Aasha"/);
  });
});

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
