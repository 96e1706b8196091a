import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from '../cli/run-assay.ts';

/** The TypeScript of a page that is a program: it imports something. */
export function snippetsOf(page: string): string[] {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  return [...text.matchAll(/^```ts\n(import [\s\S]*?)^```$/gm)].map(([, code]) => code!);
}

/** Runs them one after the other in one process, in a folder that has the examples of the checkout. */
export function runSnippets(
  snippets: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): { readonly code: number | null; readonly stdout: string; readonly stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), 'assay-snippets-'));
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
  try {
    const files = snippets.map((code, at) => {
      const file = join(folder, `snippet-${at + 1}.ts`);
      writeFileSync(file, resolved(code));
      return pathToFileURL(file).href;
    });
    const script = `for (const file of ${JSON.stringify(files)}) await import(file);`;
    const done = spawnSync(
      process.execPath,
      ['--conditions=assay-source', '--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', ...environment } },
    );
    return { code: done.status, stdout: done.stdout, stderr: done.stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** From the folder of a snippet no package is found, so that imports name the files themselves. */
function resolved(code: string): string {
  return code.replaceAll(/(?<=from ')(?!node:)[^']+(?=')/g, (name) =>
    /^assay(?=\/|$)/.test(name)
      ? pathToFileURL(join(ROOT, 'src', `${name.slice('assay/'.length) || 'index'}.ts`)).href
      : import.meta.resolve(name),
  );
}
