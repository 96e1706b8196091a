import { describe, expect, it } from 'vitest';

import { gardenReview } from './garden-review.ts';
import { ok } from './review-files.ts';

const PEOPLE = ['Anna', 'Bora'].map((name) => ({ name }));

describe('assay review history', () => {
  const asked = () => gardenReview(PEOPLE, [{ person: 'Anna', item: 'case-1', cells: { plant: 'rose' } }]);

  it('names the closest case if there is none of that name', async () => {
    const { run } = asked();
    const known = JSON.parse(ok(await run('history', 'pilot', '--json', '--last', '1'))) as { case_id: string };
    const { code, stderr } = await run('history', 'pilot', '--case', `${known.case_id}x`);
    expect(code).toBe(2);
    expect(stderr).toContain(`the review has no case "${known.case_id}x"`);
    expect(stderr).toContain(`did you mean "${known.case_id}"`);
    const far = await run('history', 'pilot', '--case', 'NOPE');
    expect(far.code).toBe(2);
    expect(far.stderr).toMatch(/cases: "/);
  });

  it('distinguishes a review without answers from filters that leave nothing', async () => {
    const left = ok(await asked().run('history', 'pilot', '--reviewer', 'Bora'));
    expect(left).toContain('Nothing was answered with these filters.');
    expect(ok(await gardenReview(PEOPLE).run('history', 'pilot'))).toContain('Nothing was answered yet.');
  });

  it('lists the latest answers, and how many there are', async () => {
    const { run } = asked();
    expect(ok(await run('history', 'pilot'))).toMatch(
      /2 entries\.\n\nwhen [^]*Anna +\S+ +plant +rose\n[^]*#commit +true/,
    );
    const last = ok(await run('history', 'pilot', '--last', '1'));
    expect(last).toContain('The last 1 of 2 entries; --last N shows more.');
    expect(last).not.toContain('rose');
    expect(
      ok(await run('history', 'pilot', '--json'))
        .trim()
        .split('\n'),
    ).toHaveLength(2);
  });
});
