import { describe, expect, it } from 'vitest';

import { cell, finish, servingReview } from './serving-review.ts';

const PEOPLE = { people: [{ name: 'Anna' }, { name: 'Bora' }, { name: 'Olga', role: 'owner' }] } as const;

describe('the owner', () => {
  it('sees how far everybody is', async () => {
    const { as } = await servingReview(PEOPLE);
    await finish(as('Anna'), 'case-1', [['plant', null, 'rose']]);
    await as('Anna')('POST', '/items/case-2/events', { events: [cell('plant', null, 'fern')] });
    const { status, body } = await as('Olga')('GET', '/overview');
    expect(status).toBe(200);
    const anna = body.people.find(({ name }) => name === 'Anna');
    expect(anna).toMatchObject({ role: 'reviewer', done: 1, begun: 1, total: 4 });
  });

  it('gets what was worked out a moment ago, so that savers do not wait for open pages', async () => {
    const { as } = await servingReview(PEOPLE);
    const ask = as('Olga');
    const first = await ask('GET', '/overview');
    await finish(as('Anna'), 'case-1', [['plant', null, 'rose']]);
    expect((await ask('GET', '/overview')).text).toBe(first.text);
  });

  it('takes the committed answers away as CSV and as JSON lines', async () => {
    const { as } = await servingReview(PEOPLE);
    await finish(as('Anna'), 'case-1', [['plant', null, 'rose']]);
    await finish(as('Bora'), 'answer-1', [
      ['safety', 'harm', 4],
      ['safety', 'dose', 3],
      ['claims', null, [{ id: 'c1', start: 0, end: 15, text: 'Water it daily.', label: 'yes', from: ['c1'] }]],
      ['comment', null, '=1+1\n"quoted"'],
    ]);
    const jsonl = await as('Olga')('GET', '/export.jsonl');
    expect(jsonl.headers.get('content-disposition')).toBe('attachment; filename="review.jsonl"');
    expect(jsonl.headers.get('cache-control')).toBe('no-store');
    const lines = jsonl.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ reviewer, field, part, value }) => [reviewer, field, part, value])).toEqual([
      ['Anna', 'plant', null, 'rose'],
      ['Bora', 'safety', 'harm', 4],
      ['Bora', 'safety', 'dose', 3],
      ['Bora', 'claims', '0-15', 'yes'],
      ['Bora', 'comment', null, '=1+1\n"quoted"'],
    ]);
    const csv = await as('Olga')('GET', '/export.csv');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.text).toContain('Anna');
    // A spreadsheet that opens it must not take an answer for a formula.
    expect(csv.text).not.toMatch(/(?:^|,)"?=1\+1/m);
  });
});
