import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Page } from 'playwright-core';

import { NARROW, WIDE } from './browser.ts';

/** Where to leave pictures for somebody to look at; without it none are taken. */
const FOLDER = process.env['ASSAY_SCREENSHOTS'];

export async function takePicture(page: Page, name: string, options: { readonly whole?: boolean } = {}): Promise<void> {
  if (FOLDER === undefined) return;
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: options.whole ?? false });
}

/** A page in windows of both widths, light and dark. */
export async function takeLooks(page: Page, name: string): Promise<void> {
  if (FOLDER === undefined) return;
  for (const viewport of [WIDE, NARROW])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await takePicture(page, `${name}-${viewport.width}-${colorScheme}`);
    }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: 'light' });
}
