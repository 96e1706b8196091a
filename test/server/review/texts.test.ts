import { expect, it } from 'vitest';

import type { TextHits, TextPage, TextsView } from '../../../src/review/api.ts';
import { asking, servingReview } from './serving-review.ts';

const TEXTS = [
  { name: 'ferns.txt', text: 'A book of ferns. Ferns want  water. <script>x</script>' },
  { name: 'roses.md', text: 'Roses want sun, and water.' },
];
const PEOPLE = [
  { name: 'Ann', groups: ['annotator'] },
  { name: 'Eve', groups: ['expert'] },
  { name: 'Cut', queue: ['case-1'] },
  { name: 'Jo', role: 'adjudicator' as const },
  { name: 'Kim', role: 'owner' as const },
];

it('reviewers find, read and see what was retrieved marked, in the texts of their own review', async () => {
  const serving = await servingReview({ people: PEOPLE, texts: TEXTS });
  const ann = serving.as('Ann');
  expect((await ann('GET', '/me')).body.review.texts).toBe(2);
  const shelf = JSON.parse((await ann('GET', '/texts?item=answer-1')).text) as TextsView;
  expect(shelf).toEqual({
    texts: [
      { id: 't1', name: 'ferns.txt', pages: 1 },
      { id: 't2', name: 'roses.md', pages: 1 },
    ],
    passages: [
      {
        id: 'r1',
        source: 'A book',
        text: 'Ferns want water.',
        place: { text: 't1', page: 0, start: 17, end: 35 },
      },
    ],
  });
  const found = JSON.parse((await ann('GET', '/texts/search?item=answer-1&q=ferns%20water')).text) as TextHits;
  expect(found.hits.map(({ name, isRetrieved }) => [name, isRetrieved])).toEqual([
    ['ferns.txt', true],
    ['roses.md', false],
  ]);
  const page = JSON.parse((await ann('GET', '/texts/t1?item=answer-1&page=0')).text) as TextPage;
  expect(page).toMatchObject({ content: TEXTS[0]!.text, retrieved: [{ id: 'r1', start: 17, end: 35 }] });
});

it('those whose questions show no passages are told nothing of what was retrieved', async () => {
  const serving = await servingReview({ people: PEOPLE, texts: TEXTS });
  const eve = serving.as('Eve');
  const all = await Promise.all(
    ['/texts?item=answer-1', '/texts/search?item=answer-1&q=water', '/texts/t1?item=answer-1'].map((path) =>
      eve('GET', path),
    ),
  );
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(JSON.parse(all[0]!.text)).toMatchObject({ passages: [] });
  expect(all[1]!.text).not.toContain('"isRetrieved":true');
  expect(JSON.parse(all[2]!.text)).toMatchObject({ retrieved: [] });
  const jo = serving.as('Jo');
  expect(JSON.parse((await jo('GET', '/texts/search?q=water')).text)).toMatchObject({ total: 2 });
  expect((await jo('GET', '/texts/search?q=water&item=answer-1')).status).toBe(404);
});

it('nobody gets at them without a link, from another item, or as the owner; bad questions are refused', async () => {
  const serving = await servingReview({ people: PEOPLE, texts: TEXTS });
  const nobody = asking(serving.url, 'no-such-token');
  for (const path of ['/texts', '/texts/search?q=a', '/texts/t1'])
    expect((await nobody('GET', path)).status, path).toBe(401);
  expect((await serving.as('Cut')('GET', '/texts?item=answer-1')).status).toBe(404);
  expect((await serving.as('Cut')('GET', '/texts?item=nowhere')).status).toBe(404);
  expect((await serving.as('Kim')('GET', '/texts')).status).toBe(403);
  const ann = serving.as('Ann');
  expect((await ann('GET', '/texts/t3')).status).toBe(404);
  for (const skip of ['-1', 'x', '1e9', '99999999'])
    expect((await ann('GET', `/texts/search?q=a&skip=${skip}`)).status, skip).toBe(400);
  expect(serving.log.join('\n')).not.toContain('q=');
});

it('a review without texts says so, and finds nothing', async () => {
  const ann = (await servingReview({ people: PEOPLE })).as('Ann');
  expect((await ann('GET', '/me')).body.review.texts).toBe(0);
  expect(JSON.parse((await ann('GET', '/texts')).text)).toEqual({ texts: [], passages: [] });
  expect(JSON.parse((await ann('GET', '/texts/search?q=water')).text)).toMatchObject({ total: 0, hits: [] });
});
