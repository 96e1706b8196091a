import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { ServedGeneration } from '../../src/langfuse/shapes/endpoint.ts';
import { type Serving, serving } from '../server/langfuse/serving.ts';
import { assayHere } from './assay-here.ts';
import { type Finished, temporaryFolder } from './run-assay.ts';

/** Commands in this process, with a server like one generation of Langfuse. */
async function withLangfuse(generation: ServedGeneration): Promise<
  Serving & {
    readonly run: (...args: string[]) => Promise<Finished>;
    readonly file: (name: string, content: string) => string;
  }
> {
  const server = await serving({ generation });
  const folder = temporaryFolder();
  const env = { ...server.environment, ASSAY_DATA: join(folder, '.assay') };
  return {
    ...server,
    run: (...args) => assayHere(args, { cwd: folder, env }),
    file(name, content) {
      writeFileSync(join(folder, name), content);
      return name;
    },
  };
}

describe('assay dataset traces with Langfuse 4', () => {
  it('names what it looked for where there is no such trace, and ends well', async () => {
    const { run, url } = await withLangfuse(4);
    expect(await run('dataset', 'traces')).toMatchObject({
      code: 0,
      stdout: `No such trace in ${url}.\n`,
      stderr: '',
    });
    const all = ['--name', 'answer', '--tag', 'wrong', '--tag', 'long', '--user', 'u', '--since', '2026-01-31'];
    const { code, stdout } = await run('dataset', 'traces', ...all);
    expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([
      0,
      `No such trace in ${url}: name answer; tag wrong, long; user u; since 2026-01-31T00:00:00.000Z. `,
    ]);
    expect(await run('dataset', 'traces', '--name', 'answer', '--json')).toMatchObject({ code: 0, stdout: '[]\n' });
  });
});
