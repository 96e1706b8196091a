import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { ROOT, temporaryFolder } from '../cli/run-assay.ts';
import { blocksOf, PAGES } from './blocks.ts';
import { notPrinted, Shell, stepsOfBlock } from './transcript.ts';

/** They need a server or people: langfuse.slow.test.ts, review.slow.test.ts. */
const BY_OTHERS = ['langfuse.md', 'review.md'];

const WITH_TRANSCRIPTS = PAGES.filter(
  (page) => !BY_OTHERS.includes(page) && blocksOf(page).some(({ language }) => language === 'console'),
);

it('there are pages with transcripts', () => {
  expect(WITH_TRANSCRIPTS.length).toBeGreaterThan(15);
});

it.each(WITH_TRANSCRIPTS)('docs/%s shows what the program prints today', { timeout: 300_000 }, (page) => {
  const shell = new Shell(temporaryFolder());
  const { folder } = shell;
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
  for (const { file, content } of blocksOf(page)) {
    if (file === null) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
  const steps = blocksOf(page).flatMap(({ language, content }) =>
    language === 'console' ? stepsOfBlock(content) : [],
  );
  for (const { command, shown } of steps) {
    const printed = shell.run(command);
    expect(notPrinted(shown, printed), `${command}\n\n${printed}`).toBe('');
  }
});
