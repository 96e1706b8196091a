import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium as driver, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

export const WIDE = { width: 1280, height: 800 } as const;
export const NARROW = { width: 390, height: 844 } as const;

export interface Look {
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
}

export interface BrowserOptions {
  /** The machine's own; `latin` has nothing but the Latin letters that come with the browser. */
  readonly fonts?: 'system' | 'latin';
}

/** One browser for the tests of a file; each page is a stranger to the others. */
export function useBrowser({ fonts = 'system' }: BrowserOptions = {}): {
  open(link: string, look?: Look): Promise<Page>;
} {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const executablePath = await chromium.executablePath();
    const env = { ...process.env, ...(fonts === 'latin' ? { FONTCONFIG_FILE: latinOnly(executablePath) } : {}) };
    browser = await driver.launch({ executablePath, args: ['--no-sandbox'], env });
  });
  afterAll(async () => {
    await browser?.close();
  });
  return {
    async open(link, look = {}) {
      if (browser === undefined) throw new Error('the browser is opened before the tests');
      const context = await browser.newContext({
        viewport: look.viewport ?? WIDE,
        colorScheme: look.colorScheme ?? 'light',
      });
      onTestFinished(async () => {
        await context.close();
      });
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      await slowDown(context, page);
      await page.goto(link);
      return page;
    },
  };
}

/** ASSAY_TEST_SLOWDOWN=8 makes pages eight times slower: tests that look before a page is ready then fail here. */
async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const rate = Number(process.env['ASSAY_TEST_SLOWDOWN'] ?? 1);
  if (rate <= 1) return;
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Open Sans, which is unpacked beside the browser. */
function latinOnly(executablePath: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-fonts-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'fonts.conf');
  const [fonts, cache] = [join(dirname(executablePath), 'fonts', 'fonts'), join(folder, 'cache')];
  writeFileSync(file, `<fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>\n`);
  return file;
}

/** Everything that the server said to the pages of a context. */
export function listenTo(context: BrowserContext): { text(): Promise<string> } {
  const bodies: Promise<string>[] = [];
  context.on('response', (response) => {
    bodies.push(response.text().catch(() => ''));
  });
  return { text: async () => (await Promise.all(bodies)).join('\n') };
}
