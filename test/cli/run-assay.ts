import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { onTestFinished } from 'vitest';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const BIN = join(ROOT, 'bin/assay.js');
export const example = (path: string): string => join(ROOT, 'examples', path);

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real program in a process of its own, with no terminal and no colours. */
export function assay(
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string>; input?: string | Buffer } = {},
): Finished {
  const done = spawnSync(process.execPath, [BIN, ...args], {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, NO_COLOR: '1', ...options.env },
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    ...(options.input === undefined ? {} : { input: options.input }),
  });
  return { code: done.status, stdout: done.stdout, stderr: done.stderr };
}

export function startAssay(args: readonly string[]): ReturnType<typeof spawn> {
  return spawn(process.execPath, [BIN, ...args], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** A folder of the test's own, gone when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The words of a command line: what is put in is one word, or several if it is a list. */
export function words(texts: TemplateStringsArray, ...values: readonly (string | readonly string[])[]): string[] {
  return texts.flatMap((text, at) => [
    ...text.split(/\s+/).filter((word) => word !== ''),
    ...[values[at] ?? []].flat(),
  ]);
}

export const JOURNAL = words`score journal/ashwam --cases ${example('journal/journals.jsonl')}
  --gold ${example('journal/gold.jsonl')} --predictions ${example('journal/predictions.jsonl')}`;
export const PII = words`score pii/piranha --cases ${example('pii/docs.json')}`;
export const GRAPH = words`score graph/openspec --gold ${example('graph/items.jsonl')}
  --predictions ${example('graph/outputs.jsonl')}`;
