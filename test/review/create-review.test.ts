import { describe, expect, it } from 'vitest';

import { makeItem } from '../../src/data/item.ts';
import { reviewSection } from '../../src/recipe/review-section.ts';
import { checkShown, namingNotices, opaqueIds } from '../../src/review/blinding.ts';
import type { ReviewContent } from '../../src/review/content.ts';
import { createReview, type ReviewSetup } from '../../src/review/create-review.ts';
import type { PersonInit } from '../../src/review/people.ts';
import { hashToken, tokenOf } from '../../src/review/review-access.ts';
import type { ReviewSource } from '../../src/review/review-sources.ts';
import type { Store } from '../../src/store/store.ts';
import { scratchStore } from '../store/scratch-store.ts';

const FORM = reviewSection.parse({
  people: { expert: { title: 'experts', raters: 2 } },
  show: [
    { field: 'text', title: 'What the person wrote' },
    { field: 'season', title: 'Season' },
    { field: 'response', title: 'The answer' },
  ],
  fields: {
    kind: { type: 'choice', of: 'case', title: 'Which?', by: ['expert'], options: { a: 'A', b: 'B' } },
    good: { type: 'scale', title: 'Good?', by: ['expert'] },
    claims: {
      type: 'items',
      title: 'True?',
      by: ['expert'],
      from: 'sentences',
      labels: { y: 'Y', n: 'N' },
      passages: 2,
    },
  },
});

const SECRET = Buffer.from('a secret of more than thirty-two characters');
const EXPIRES = '2031-01-01T00:00:00.000Z';

function source(caseId: string, system: string | null, more: Partial<ReviewSource> = {}): ReviewSource {
  return {
    caseId,
    system,
    language: 'en',
    texts: { text: `Question ${caseId}, asked at length?`, season: 'winter', response: 'Drink tea. Sleep early.' },
    predicted: [],
    passages: [{ source: 'book', text: 'Tea is warming to drink.' }],
    hidden: { gold: 'a', predicted: 'b' },
    ...more,
  };
}

const PEOPLE: PersonInit[] = [
  { name: 'Asha', role: 'reviewer', groups: ['expert'] },
  { name: 'Ravi', role: 'reviewer', groups: ['expert'] },
  { name: 'Jo', role: 'adjudicator', groups: [] },
  { name: 'Kim', role: 'owner', groups: [] },
];

function init(more: Partial<ReviewSetup> = {}): ReviewSetup {
  return {
    name: 'pilot',
    form: FORM,
    task: 'consult',
    seed: 7,
    sources: [source('1', 'rag'), source('1', 'vanilla'), source('2', 'rag'), source('2', 'vanilla')],
    people: PEOPLE,
    origin: { recipe: 'test' },
    secret: SECRET,
    expiresAt: EXPIRES,
    ...more,
  };
}

function contents(store: Store, id: string, kind: 'case' | 'answer'): ReviewContent[] {
  const items = store.reviews.items(id).filter((item) => item.kind === kind);
  return items.map(({ content }) => content as ReviewContent);
}

describe('a review', () => {
  it('has an item for each case by itself and one for each answer', () => {
    const store = scratchStore();
    const { id, notices } = createReview(store, init());
    const items = store.reviews.items(id);
    expect(items.map(({ kind, caseId, system }) => [kind, caseId, system])).toEqual([
      ['case', '1', null],
      ['case', '2', null],
      ['answer', '1', 'rag'],
      ['answer', '1', 'vanilla'],
      ['answer', '2', 'rag'],
      ['answer', '2', 'vanilla'],
    ]);
    expect(notices).toEqual([]);
    expect(store.reviews.find('pilot')).toMatchObject({ name: 'pilot', seed: 7, task: 'consult', form: FORM });
  });

  it('shows a case without any answer in sight, whatever the form says of both', () => {
    const store = scratchStore();
    const { id } = createReview(store, init());
    const [first] = contents(store, id, 'case');
    expect(first).toEqual({
      title: 'Question 1, asked at length?',
      language: 'en',
      blocks: [
        { name: 'text', title: 'What the person wrote', text: 'Question 1, asked at length?' },
        { name: 'season', title: 'Season', text: 'winter' },
      ],
      under: null,
      proposed: {},
      passages: [],
    });
  });

  it('takes a column on which answers to one case differ for a part of the answers', () => {
    const store = scratchStore();
    const other = { text: 'Q', season: 'summer', response: 'R' };
    const { id } = createReview(store, init({ sources: [source('1', 'a'), source('1', 'b', { texts: other })] }));
    expect(contents(store, id, 'case')[0]?.blocks.map(({ name }) => name)).toEqual(['text']);
  });

  it('proposes the sentences of an answer with passages beside them', () => {
    const store = scratchStore();
    const { id } = createReview(store, init());
    expect(contents(store, id, 'answer')[0]).toMatchObject({
      under: 'response',
      proposed: {
        claims: [
          { id: 's1', start: 0, end: 10, text: 'Drink tea.', passages: ['r1'] },
          { id: 's2', start: 11, end: 23, text: 'Sleep early.', passages: [] },
        ],
      },
      passages: [{ id: 'r1', source: 'book', text: 'Tea is warming to drink.' }],
    });
  });

  it('says nothing of system, gold or prediction in what reviewers see', () => {
    const store = scratchStore();
    const hidden = { gold: 'GOLDEN', predicted: 'PREDICTED', traceId: 'TRACE' };
    const { id } = createReview(store, init({ sources: [source('case-17', 'SYSTEM', { hidden })] }));
    for (const { id: itemId, content } of store.reviews.items(id)) {
      expect(JSON.stringify([itemId, content])).not.toMatch(/GOLDEN|PREDICTED|TRACE|SYSTEM/);
      expect(itemId).toMatch(/^i[\w-]{15}$/);
      expect(itemId).not.toContain('17');
    }
    expect(store.reviews.items(id).find(({ kind }) => kind === 'answer')?.hidden).toEqual(hidden);
    expect(store.reviews.items(id).find(({ kind }) => kind === 'case')?.hidden).toEqual({});
  });

  it('is the same again with the same seed, secret and input, and another with another secret', () => {
    const [one, two, three] = [scratchStore(), scratchStore(), scratchStore()];
    const order = (store: Store, secret: Buffer): string[] => {
      const { id } = createReview(store, init({ secret }));
      return store.reviews.assignments(id).map(({ itemId }) => itemId);
    };
    const first = order(one, SECRET);
    expect(order(two, SECRET)).toEqual(first);
    const other = order(three, Buffer.from('another secret of more than thirty-two'));
    expect(other.some((id) => first.includes(id))).toBe(false);
  });

  it('puts cases before answers and answers to one case apart, in each queue', () => {
    const store = scratchStore();
    const sources = ['1', '2', '3', '4', '5'].flatMap((id) => [source(id, 'a'), source(id, 'b'), source(id, 'c')]);
    const { id } = createReview(store, init({ sources }));
    const items = new Map(store.reviews.items(id).map((item) => [item.id, item]));
    for (const person of store.reviews.people(id).filter(({ role }) => role === 'reviewer')) {
      const queue = store.reviews.queue(person.id).map(({ itemId }) => items.get(itemId)!);
      expect(queue.map(({ kind }) => kind)).toEqual([...Array(5).fill('case'), ...Array(15).fill('answer')]);
      for (let at = 6; at < queue.length; at += 1) expect(queue[at]?.caseId).not.toBe(queue[at - 1]?.caseId);
    }
  });

  it('keeps of a link the hash of its token alone', () => {
    const store = scratchStore();
    const { id } = createReview(store, init());
    for (const person of store.reviews.people(id)) {
      expect(person).toMatchObject({ generation: 1, revokedAt: null, expiresAt: EXPIRES });
      const token = tokenOf(SECRET, person);
      expect(person.tokenHash).toBe(hashToken(token));
      expect(store.reviews.personByToken(hashToken(token))?.name).toBe(person.name);
    }
  });

  it('asks of a case once, in no language where its answers have several', () => {
    const store = scratchStore();
    const { id } = createReview(store, init({ sources: [source('1', 'a'), source('1', 'a', { language: 'hi' })] }));
    expect(store.reviews.items(id).map(({ kind, language }) => [kind, language])).toEqual([
      ['case', null],
      ['answer', 'en'],
      ['answer', 'hi'],
    ]);
  });

  it('may be of cases alone', () => {
    const store = scratchStore();
    const { id } = createReview(store, init({ sources: [source('1', null)] }));
    expect(store.reviews.items(id).map(({ kind }) => kind)).toEqual(['case']);
  });

  it('of things that a system found proposes them at their places', () => {
    const store = scratchStore();
    const form = reviewSection.parse({
      show: [{ field: 'text', title: 'Text' }],
      under: 'text',
      fields: { spans: { type: 'items', title: 'Right?', from: 'predicted', labels: { y: 'Y' }, allow: ['add'] } },
    });
    const predicted = [makeItem({ kind: 'span', index: 0, label: 'NAME', text: 'Ann', start: 0, end: 3 })];
    const sources = [source('1', 'a', { texts: { text: 'Ann left.' }, predicted })];
    const people: PersonInit[] = [{ name: 'Asha', role: 'reviewer', groups: [] }];
    const { id } = createReview(store, init({ form, sources, people }));
    expect(contents(store, id, 'answer')[0]).toMatchObject({
      under: 'text',
      proposed: { spans: [{ id: 'p1', start: 0, end: 3, text: 'Ann', kind: 'NAME', facts: {} }] },
    });
  });
});

describe('what is told of how it was made', () => {
  it('are groups with too few people, nobody to adjudicate, and answers that name their system', () => {
    const store = scratchStore();
    const texts = { text: 'Q', season: 's', response: 'I am Veda-Bot, and I say: rest.' };
    const { notices } = createReview(
      store,
      init({ people: [PEOPLE[0]!], sources: [source('1', 'vedabot', { texts }), source('1', 'rag')] }),
    );
    expect(notices).toEqual([
      '2 of the group expert (experts) are to rate each item, and there is 1',
      'nobody adjudicates yet: where answers differ, that stays open',
      '1 answer of "vedabot" has that name in the text: reviewers can read it there',
    ]);
  });
});

describe('a review that cannot be', () => {
  const refused = (more: Partial<ReviewSetup>): unknown => {
    const store = scratchStore();
    try {
      createReview(store, init(more));
    } catch (error) {
      expect(store.reviews.list()).toEqual([]);
      return error;
    }
    return null;
  };
  const form = (more: object) => reviewSection.parse({ ...FORM, ...more });

  it.each([
    [{ sources: [] }, 'there is nothing to review: no case was read'],
    [{ sources: [source('1', 'a'), source('1', 'a')] }, '"a" has two answers to the case "1" in en'],
    [{ people: [{ ...PEOPLE[0]!, groups: ['exprt'] }] }, '"Asha": the form has no group "exprt"'],
    [{ people: [PEOPLE[0]!, { ...PEOPLE[3]!, name: 'asha' }] }, 'two people have the name "asha"'],
    [{ people: [{ ...PEOPLE[0]!, name: '../x' }] }, 'cannot be the name of a person'],
    [{ people: [{ ...PEOPLE[0]!, name: 'a\u202eb' }] }, 'cannot be the name of a person'],
    [{ form: form({ show: [{ field: 'text', title: 'T' }] }) }, 'what is under review ("response") is not shown'],
    [{ form: form({ show: [{ field: 'gold', title: 'T' }] }) }, 'shows "gold", which is kept from reviewers'],
    [{ form: form({ show: [{ field: 'reponse', title: 'T' }] }) }, 'shows "reponse", which nothing here has'],
  ])('%#: says why', (more, message) => {
    expect(String(refused(more))).toContain(message);
  });

  it('says that a name is taken', () => {
    const store = scratchStore();
    createReview(store, init());
    expect(() => createReview(store, init())).toThrow(/a review named "pilot" already/);
  });
});

const OTHER_SECRET = Buffer.from('a secret of more than thirty-two characters');

describe('ids of items and people', () => {
  it('begin with a letter, say nothing, and are the same again', () => {
    const ids = opaqueIds(OTHER_SECRET, 'pilot');
    const item = ids.item('answer', 'patient-12', 'rag', 'en');
    expect(item).toMatch(/^i[\w-]{15}$/);
    expect(ids.person('Asha')).toMatch(/^p[\w-]{15}$/);
    expect(opaqueIds(OTHER_SECRET, 'pilot').item('answer', 'patient-12', 'rag', 'en')).toBe(item);
  });

  it('differ with review, kind, case, system, language and secret, also where texts run together', () => {
    const ids = opaqueIds(OTHER_SECRET, 'pilot');
    const all = [
      ids.item('answer', 'a', 'b', null),
      ids.item('case', 'a', 'b', null),
      ids.item('answer', 'ab', '', null),
      ids.item('answer', 'a', null, 'b'),
      ids.item('answer', 'a', 'b', 'hi'),
      opaqueIds(OTHER_SECRET, 'other').item('answer', 'a', 'b', null),
      opaqueIds(Buffer.from('x'.repeat(40)), 'pilot').item('answer', 'a', 'b', null),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});

const BLIND_FORM = reviewSection.parse({
  show: [{ field: 'response', title: 'Answer' }],
  fields: { good: { type: 'scale', title: 'Good?' } },
});

function answer(system: string, response: string): ReviewSource {
  return { caseId: '1', system, language: null, texts: { response }, predicted: [], passages: [], hidden: { gold: 1 } };
}

describe('a form', () => {
  it('may show what sources have, and not what is hidden', () => {
    const show = (field: string) => () =>
      checkShown({ ...FORM, show: [{ field, title: 'T', of: 'both' }] }, [answer('s', 'r')]);
    expect(show('response')).not.toThrow();
    expect(show('gold')).toThrow(/kept from reviewers/);
    expect(show('system')).toThrow(/kept from reviewers/);
    expect(show('__proto__')).toThrow(/which nothing here has/);
  });
});

describe('answers that name their system', () => {
  it('are counted by system, whatever stands between the letters', () => {
    const sources = [
      answer('Ayur-Mind', 'As ayurmind, I say'),
      answer('Ayur-Mind', 'AYUR MIND here'),
      answer('Ayur-Mind', 'Hello'),
    ];
    expect(namingNotices(BLIND_FORM, sources)).toEqual([
      '2 answers of "Ayur-Mind" have that name in the text: reviewers can read it there',
    ]);
  });

  it('are no matter where the name is too short to mean anything', () => {
    expect(namingNotices(BLIND_FORM, [answer('rag', 'the drag of it')])).toEqual([]);
  });
});
