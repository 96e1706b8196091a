import { describe, expect, it } from 'vitest';

import { gardenReview } from './garden-review.ts';
import { ok } from './review-files.ts';

const PEOPLE = ['Anna', 'Bora'].map((name) => ({ name }));

describe('assay review history', () => {
  const asked = () => gardenReview(PEOPLE, [{ person: 'Anna', item: 'case-1', cells: { plant: 'rose' } }]);

  it('names the nearest case where there is none of that name', async () => {
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

  it('tells that nothing was answered from that nothing is left by the filters', async () => {
    expect(ok(await asked().run('history', 'pilot', '--reviewer', 'Bora'))).toBe(
      'Nothing was answered with these filters.\n',
    );
    expect(ok(await gardenReview(PEOPLE).run('history', 'pilot'))).toBe('Nothing was answered yet.\n');
  });
});
