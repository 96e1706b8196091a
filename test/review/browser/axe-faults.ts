import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Serious and critical faults that axe-core finds on a page, each with the first element that has it; `only` names rules. */
export async function axeFaults(page: Page, only: readonly string[] = []): Promise<string[]> {
  const options = { resultTypes: ['violations'], ...(only.length > 0 ? { runOnly: only } : {}) };
  // Evaluated rather than added as a script, which the page's policy forbids.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(`axe.run(${JSON.stringify(options)})`);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, nodes[0]?.html.slice(0, 200), nodes[0]?.failureSummary].join(' '));
}
