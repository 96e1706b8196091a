import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { temporaryFolder } from '../cli/run-assay.ts';
import { files, stream } from '../cli/stream-files.ts';
import { noReference, referencePath } from './reference-data.ts';

/** The traces that are published and at hand, four of them with overlapping turns. */
function twelveTraces(): string {
  const cwd = temporaryFolder();
  for (const part of ['traces', 'traces_overlapping'])
    cpSync(referencePath(`stream/${part}`), join(cwd, 'traces'), { recursive: true });
  return cwd;
}

describe.skipIf(noReference)('the twelve published traces', () => {
  it('pass all phases, and stream run comes to the same bytes as the phases one by one', async () => {
    const cwd = twelveTraces();
    const replay = '--traces traces --variants V0,V1,V3 --model heuristic --quiet';
    for (const call of [
      'validate --traces traces',
      `run ${replay} --stoplist 0.9 --bootstrap-samples 50 --out all`,
      'stoplist --traces traces --threshold 0.9 --out steps/stoplists --quiet',
      `replay ${replay} --stoplists steps/stoplists --out steps/runs`,
      'validate --traces traces --runs steps/runs',
      'measure --traces traces --runs steps/runs --bootstrap-samples 50 --out steps/measures --quiet',
    ])
      expect(await stream(cwd, call), call).toMatchObject({ code: 0, stderr: '' });
    const run = Object.entries(files(join(cwd, 'all'))).filter(([name]) => !name.startsWith('figures/'));
    // 3 lists and a report, 36 logs with 3 files of stoplists, 3 run folders of 8 files and 3 files beside them.
    expect(run).toHaveLength(4 + 39 + 27);
    expect(Object.fromEntries(run)).toEqual(files(join(cwd, 'steps')));
  });
});

describe.skipIf(noReference)('the published run logs, made for scispaCy', () => {
  const paths = `--traces ${referencePath('stream/traces')} --runs ${referencePath('stream/runs')} --variants V1`;
  const published = 'scispacy en_core_sci_sm umls 2023AB with stop_cuis.txt sha256:977a8ed7';

  it.each([
    ['', `made for ${published}`],
    ['--force', `made for ${published}`],
    ['--concepts vocabulary', 'the logs of V1 were made for another extractor, name scispacy, not vocabulary'],
    // The published lists are not those that the logs state: they were written again since.
    [`--config ${referencePath('stream/configs')}`, 'another stop_cuis.txt, sha256:977a8ed7, not sha256:dabd9d14'],
  ])('are not measured by %j', async (flags, message) => {
    const cwd = temporaryFolder();
    const done = await stream(cwd, `measure ${paths} --out m ${flags}`.trim());
    expect(done).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(files(cwd)).toEqual({});
  });

  it('are measured with another extractor by --concepts and --force, which is stated', async () => {
    const cwd = temporaryFolder();
    const done = await stream(cwd, `measure ${paths} --concepts vocabulary --force --bootstrap-samples 20 --out m`);
    expect(done.code).toBe(0);
    expect(done.stdout.replaceAll(/\s+/g, ' ')).toContain(`--force: the logs were made for ${published}`);
  });
});
