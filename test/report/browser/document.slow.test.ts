import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { evaluationDocument } from '../../../src/report/evaluation.ts';
import { renderHtml } from '../../../src/report/render-html.ts';
import { axeFaults } from '../../review/browser/axe-faults.ts';
import { NARROW, useBrowser, WIDE } from '../../review/browser/browser.ts';
import { takePicture } from '../../review/browser/pictures.ts';
import { madeUpEvaluation } from '../evaluation-made-up.ts';
import { linkOf, useFolder } from './reports.ts';
import { openWatched } from './watched.ts';

const browser = useBrowser();
const folder = useFolder();

it.each([WIDE, NARROW])(
  'a document as a page is accessible, loads nothing and fits a window of $width',
  async (viewport) => {
    writeFileSync(join(folder, 'report.html'), renderHtml(evaluationDocument(madeUpEvaluation())));
    const { page, faults } = await openWatched(browser, linkOf(folder), { viewport });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFaults(page)).toEqual([]);
      await takePicture(page, `document-${viewport.width}-${colorScheme}`, { whole: true });
    }
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(viewport.width);
    expect(await faults()).toEqual([]);
  },
);
