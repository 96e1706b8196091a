import { expect, it } from 'vitest';

import { temporaryFolder } from '../cli/run-assay.ts';
import { blocksOf, PAGES } from './blocks.ts';
import { pageProblems, Shell } from './transcript.ts';

/** They need a server or people: langfuse.slow.test.ts, review.slow.test.ts. */
const BY_OTHERS = ['langfuse.md', 'review.md'];

const WITH_TRANSCRIPTS = PAGES.filter(
  (page) => !BY_OTHERS.includes(page) && blocksOf(page).some(({ language }) => language === 'console'),
);

it('there are pages with transcripts', () => {
  expect(WITH_TRANSCRIPTS.length).toBeGreaterThan(15);
});

it.each(WITH_TRANSCRIPTS)('docs/%s shows what the program prints today', { timeout: 300_000 }, (page) => {
  expect(pageProblems(page, new Shell(temporaryFolder()))).toEqual([]);
});
