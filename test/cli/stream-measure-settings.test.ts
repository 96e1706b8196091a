import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { assayHere } from './assay-here.ts';
import { temporaryFolder } from './run-assay.ts';
import { writeTraces } from './stream-files.ts';

describe('extractor.yaml', () => {
  it('names stoplists that stream measure and stream run obey, as stream concepts does', async () => {
    const cwd = temporaryFolder();
    writeTraces(cwd, 1, 1);
    mkdirSync(join(cwd, 'settings/lists'), { recursive: true });
    // Fever is in the trace; that it is stopped changes which concepts count, and the signature.
    writeFileSync(join(cwd, 'settings/lists/stop_cuis.txt'), 'C0015967\n');
    writeFileSync(join(cwd, 'settings/extractor.yaml'), 'extractor: vocabulary\nstoplists: lists\n');
    const stream = async (...args: string[]): Promise<void> =>
      expect(await assayHere(['stream', ...args, '--quiet'], { cwd })).toMatchObject({ code: 0, stderr: '' });
    const common = ['--traces', 'traces', '--variants', 'V2', '--concepts', 'settings/extractor.yaml'];
    await stream('run', ...common, '--model', 'heuristic', '--out', 'all');
    const measure = (out: string, ...more: string[]): Promise<void> =>
      stream('measure', ...common, '--runs', 'all/runs', '--out', out, ...more);
    await measure('named');
    await measure('chosen', '--stoplists', 'settings/lists');
    await measure('none', '--stoplists', 'off');
    const measures = (out: string): string => readFileSync(join(cwd, out, 'V2/measures.json'), 'utf8');
    expect(measures('named')).toBe(measures('chosen'));
    expect(measures('all/measures')).toBe(measures('chosen'));
    expect(measures('named')).not.toBe(measures('none'));
  });
});
