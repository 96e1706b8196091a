import { expect, it } from 'vitest';

import { untiedTails } from '../../src/stats/wilcoxon.ts';

// As in wilcoxon.test.ts: whole numbers of any size in Python, divided by 2^n and rounded once.
it.each([
  [1000, 0, 9.332636185032189e-302],
  [1000, 1000, 2.8755569654764525e-278],
  [1000, 20000, 3.2768286111456824e-192],
])('tails of %i pairs and a sum of %i hold twelve digits', (n, sum, expected) => {
  const most = (n * (n + 1)) / 2;
  expect(Math.abs(untiedTails(n, sum).below / expected - 1)).toBeLessThan(1e-14);
  expect(Math.abs(untiedTails(n, most - sum).above / expected - 1)).toBeLessThan(1e-12);
});
