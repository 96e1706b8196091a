import { createHash } from 'node:crypto';

import { onTestFinished } from 'vitest';

import { reviewSection } from '../../../src/recipe/review-section.ts';
import type { ConflictList, ConflictView, ItemView, Me, Overview, Refused, Saved } from '../../../src/review/api.ts';
import { type ReviewServerOptions, serveReviews } from '../../../src/server/review/review-server.ts';
import type { ReviewPerson, ReviewRole, ReviewText } from '../../../src/store/review-records.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';

/** Every kind of question; `safety` is for experts only, `claims` for annotators. */
export const FORM = {
  title: 'Garden advice',
  guidance: 'Judge each answer by itself.',
  people: { expert: { title: 'Gardeners', raters: 2 }, annotator: { title: 'Annotators', raters: 2 } },
  show: [
    { field: 'text', title: 'The question' },
    { field: 'response', title: 'The answer', of: 'answer' },
  ],
  fields: {
    plant: {
      type: 'choice',
      of: 'case',
      title: 'Which plant?',
      adjudicate: true,
      options: { rose: 'Rose', fern: 'Fern' },
    },
    safety: {
      type: 'scale',
      title: 'Is it safe?',
      by: ['expert'],
      adjudicate: true,
      dimensions: { harm: 'No harm', dose: 'The dose is right' },
    },
    contents: {
      type: 'checklist',
      title: 'What is in it?',
      by: ['expert'],
      optional: true,
      items: { water: 'Water', light: 'Light' },
      notApplicable: ['light'],
    },
    claims: {
      type: 'items',
      title: 'Is each claim supported?',
      by: ['annotator'],
      from: 'sentences',
      labels: { yes: 'Yes', no: 'No' },
      allow: ['edit', 'split', 'merge', 'add', 'remove'],
      passages: 2,
    },
    comment: { type: 'text', title: 'Anything else?' },
  },
};

export const LATER = '2100-01-01T00:00:00.000Z';

export interface PersonSketch {
  readonly name: string;
  readonly role?: ReviewRole;
  readonly groups?: readonly string[];
  readonly expiresAt?: string;
  readonly revokedAt?: string | null;
  /** Ids of items; all of them unless told. */
  readonly queue?: readonly string[];
}

export interface ReviewSketch {
  readonly name?: string;
  readonly people: readonly PersonSketch[];
  readonly reveal?: readonly string[];
  /** What reviewers may do with claims; everything unless told. */
  readonly allow?: readonly string[];
  /** In front of the ids of items, so that two reviews have their own. */
  readonly prefix?: string;
  /** Texts to look things up in. */
  readonly texts?: readonly ReviewText[];
}

export const tokenFor = (name: string): string => `token-of-${name.replaceAll(/\W/g, '-')}`;

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Two cases and one system's answers to them: items case-1, case-2, answer-1 and answer-2. */
export function makeReview(store: Store, sketch: ReviewSketch): string {
  const { name = 'pilot', people, reveal = [], prefix = '', texts = [], allow = FORM.fields.claims.allow } = sketch;
  const fields = { ...FORM.fields, claims: { ...FORM.fields.claims, allow } };
  const items = [1, 2].flatMap((number) => [itemOf('case', number, prefix), itemOf('answer', number, prefix)]);
  const made = people.map((person) => ({ ...personOf(person, name), queue: person.queue }));
  const { id } = store.reviews.create({
    // Always the same: the numbers of reviewers come from it.
    id: `review-${name}`,
    name,
    seed: 1,
    task: 'consult',
    form: reviewSection.parse({ ...FORM, fields, reveal }),
    origin: {},
    texts,
    items,
    people: made.map(({ queue: _, ...person }) => person),
    assignments: made.flatMap(({ id: personId, role, queue }) =>
      role === 'reviewer'
        ? (queue ?? items.map((item) => item.id)).map((itemId, position) => ({ personId, itemId, position }))
        : [],
    ),
  });
  return id;
}

function personOf(person: PersonSketch, review: string): Omit<ReviewPerson, 'reviewId'> {
  const { name, role = 'reviewer', groups = [], expiresAt = LATER, revokedAt = null } = person;
  const tokenHash = hashOf(tokenFor(name));
  return { id: `p-${review}-${name}`, name, role, groups, generation: 1, tokenHash, expiresAt, revokedAt };
}

function itemOf(kind: 'case' | 'answer', number: number, prefix: string) {
  const answer = 'Water it daily. Feed it in June.';
  const blocks = [{ name: 'text', title: 'The question', text: `What ails my plant ${number}?` }];
  if (kind === 'answer') {
    blocks.push({ name: 'response', title: 'The answer', text: answer });
    // Not in the form, so that nobody is shown it.
    blocks.push({ name: 'retrieved_context', title: 'Retrieved', text: 'Ferns want water.' });
  }
  const proposed = [
    { id: 'c1', start: 0, end: 15, text: 'Water it daily.', kind: null, facts: {}, passages: ['r1'] },
    { id: 'c2', start: 16, end: 32, text: 'Feed it in June.', kind: null, facts: {}, passages: [] },
  ];
  return {
    id: `${prefix}${kind}-${number}`,
    kind,
    caseId: `case-of-gold-${number}`,
    system: kind === 'answer' ? 'SecretSystem' : null,
    language: 'en',
    content: {
      title: `What ails my plant ${number}?`,
      language: 'en',
      blocks,
      under: kind === 'answer' ? 'response' : null,
      proposed: kind === 'answer' ? { claims: proposed } : {},
      passages: kind === 'answer' ? [{ id: 'r1', source: 'A book', text: 'Ferns want water.' }] : [],
      // Should not be here; if it ever is, it has to stay behind.
      strayGold: 'SecretStray',
    },
    hidden: kind === 'answer' ? { gold: 'SecretGold', predicted: 'SecretClass', traceId: 'SecretTrace' } : {},
  };
}

export interface Answer {
  readonly status: number;
  /** Whichever of them it is: what is not there is undefined. */
  readonly body: Me & ItemView & Saved & Refused & ConflictList & ConflictView & Overview;
  readonly text: string;
  readonly headers: Headers;
}

export interface ReviewServing {
  readonly url: string;
  readonly store: Store;
  readonly log: readonly string[];
  /** As that person; a body that is no text is sent as JSON. */
  as(name: string): (method: string, path: string, body?: unknown) => Promise<Answer>;
}

type Options = Partial<Omit<ReviewServerOptions, 'store' | 'log'>>;

/** A server on a port of its own over a store of its own; both are gone when the test ends. */
export async function servingReview(sketch: ReviewSketch, options: Options = {}): Promise<ReviewServing> {
  const store = openStore(temporaryFolder());
  onTestFinished(() => store.close());
  makeReview(store, sketch);
  return servingStore(store, options);
}

export async function servingStore(store: Store, options: Options = {}): Promise<ReviewServing> {
  const log: string[] = [];
  const server = await serveReviews({
    port: 0,
    host: '127.0.0.1',
    ...options,
    store,
    log: (line) => log.push(line),
  });
  onTestFinished(() => server.close());
  return { url: server.url, store, log, as: (name) => asking(server.url, tokenFor(name)) };
}

export function asking(url: string, token: string): ReturnType<ReviewServing['as']> {
  return async (method, path, body) => {
    const answer = await fetch(`${url}/api/review${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: answer.status, text, headers: answer.headers, body: isJson ? JSON.parse(text) : undefined };
  };
}

let made = 0;

/** An event with an id of its own. */
export function cell(field: string, part: string | null, value: unknown, id = `event-${(made += 1)}`) {
  return { id, field, part, value };
}

/** All that a person without groups is asked of an answer. */
export const WHOLE_ANSWER = [
  ['safety', 'harm', 4],
  ['safety', 'dose', 3],
  ['claims', null, [{ id: 'c1', start: 0, end: 15, text: 'Water it daily.', label: 'yes', from: ['c1'] }]],
] as const;

/** Answers all that is asked of an item, and commits it. */
export async function finish(
  ask: ReturnType<ReviewServing['as']>,
  item: string,
  cells: readonly (readonly [string, string | null, unknown])[],
): Promise<Answer> {
  await ask('POST', `/items/${item}/events`, { events: cells.map(([field, part, value]) => cell(field, part, value)) });
  return ask('POST', `/items/${item}/commit`, { id: `commit-${(made += 1)}` });
}
