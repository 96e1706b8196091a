import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

const MODULE = pathToFileURL(`${import.meta.dirname}/../../../src/experiment/models/text-model.ts`).href;

const ACCESS = new URL('./access.ts', MODULE).href;

/** Packages of the SDK that a process loads on its way through a script. */
function loadedBy(script: string): string[] {
  const watched = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ resolve: (name, context, next) => {
      if (/^(?:ai|@ai-sdk\\/[^/]+)$/.test(name) && !context.parentURL?.includes('/node_modules/')) loaded.add(name);
      return next(name, context);
    } });
    const { textModel } = await import(${JSON.stringify(MODULE)});
    ${script}
    console.log(JSON.stringify([...loaded].sort()));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', watched], { encoding: 'utf8' });
  return JSON.parse(output) as string[];
}

describe('loading', () => {
  it('takes nothing of the SDK until a model is asked for, and then only what that model needs', () => {
    expect(loadedBy('')).toEqual([]);
    expect(loadedBy(`await textModel('google/x', { environment: { GOOGLE_API_KEY: 'k' } });`)).toEqual([
      '@ai-sdk/google',
      'ai',
    ]);
    expect(
      loadedBy(`const { withoutNeedOfKeys } = await import(${JSON.stringify(ACCESS)});
      await textModel('google/x', { environment: withoutNeedOfKeys({}) });`),
    ).toEqual([]);
  });
});
