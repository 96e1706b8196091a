import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { serving } from '../../server/langfuse/serving.ts';
import { assayHere } from '../assay-here.ts';
import type { Finished } from '../run-assay.ts';
import { experiment, PEOPLE, right, writeLines } from './recorded-experiment.ts';

const item = (id: string, expected: object = PEOPLE): object => ({
  id,
  input: { document_text: `Ann ${id}` },
  expected_output: expected,
});
const NOBODY = { entities: [], relationships: [] };

describe.each(['local', 'langfuse'] as const)('a run over a file whose dataset exists (%s)', (kind) => {
  /** A folder with three answered items, whose dataset exists. */
  async function begun() {
    const folder = experiment(['a', 'b', 'c'], ['a', 'b', 'c', 'd', 'e'].map(right));
    const server = kind === 'langfuse' ? await serving() : null;
    const env = server?.environment ?? { LANGFUSE_PUBLIC_KEY: '', LANGFUSE_SECRET_KEY: '' };
    const assay = (...args: readonly string[]): Promise<Finished> => assayHere(args, { cwd: folder, env });
    const place = server?.url ?? '.assay';
    const first = await assay('run', 'e.yaml');
    expect(first.code).toBe(0);
    expect(first.stderr).toContain(
      `The dataset items was created in ${place}.\n3 items in items: 3 created, 0 changed, 0 unchanged\n`,
    );
    const items = (...list: readonly object[]): void => writeLines(join(folder, 'items.jsonl'), list);
    const dataset = async (): Promise<string> => (await assay('dataset', 'show', 'items', '--json')).stdout;
    /** As the web app of Langfuse does: the dataset has no note of it. */
    const archive = async (id: string): Promise<void> => {
      const all = { datasetName: 'items', status: 'ARCHIVED', id, input: { document_text: `Ann ${id}` } };
      const done =
        server === null
          ? (await assay('dataset', 'archive', 'items', '--item', id)).code === 0
          : (await server.ask('POST', '/api/public/dataset-items', all)).status === 200;
      expect(done).toBe(true);
    };
    return { folder, place, assay, items, dataset, archive };
  }

  test('changes no item unless --update-dataset is given, and names the changed ones', async () => {
    const { folder, place, assay, items, dataset } = await begun();
    const before = await dataset();
    items(item('a', NOBODY), item('b'), item('c'), item('d'));
    const refusal =
      `would overwrite 1 item of the dataset items in ${place}: "a" (expected_output). ` +
      '1 would be added, 2 are unchanged. Nothing was written\n--update-dataset overwrites them; ' +
      'assay dataset import NAME';
    for (const look of [[], ['--dry-run']]) {
      const refused = await assay('run', 'e.yaml', '--name', 'two', ...look);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain(refusal);
    }
    expect(await dataset()).toBe(before);
    expect(existsSync(join(folder, 'runs/two'))).toBe(false);

    const looked = await assay('run', 'e.yaml', '--name', 'two', '--update-dataset', '--dry-run');
    expect(looked.stdout).toContain('4 items for items: 1 would be created, 1 changed, 2 unchanged\n');
    expect(looked.stdout).toContain('4 to make\n');
    expect(await dataset()).toBe(before);

    const done = await assay('run', 'e.yaml', '--name', 'two', '--update-dataset');
    expect(done.stderr).toContain('4 items in items: 1 created, 1 changed, 2 unchanged\n');
    expect(done.code).toBe(0);
    expect(await dataset()).toContain(JSON.stringify(item('a', NOBODY)));
  });

  test('adds items, and reports how many', async () => {
    const { assay, items } = await begun();
    items(item('a'), item('d'), item('e'));
    const looked = await assay('run', 'e.yaml', '--name', 'two', '--dry-run', '--json');
    expect(JSON.parse(looked.stdout)).toMatchObject({
      dataset: { items: 3 },
      imported: { created: false, items: 3, made: 2, changed: 0, same: 1 },
      items: { toCall: 3 },
    });
    const done = await assay('run', 'e.yaml', '--name', 'two');
    expect(done.stdout).toContain('3 items of items@');
    expect(done.stderr).toContain('3 items in items: 2 created, 0 changed, 1 unchanged\n');
    expect((await assay('run', 'e.yaml', '--name', 'three')).stderr).not.toContain('in items:');
  });

  test('does not overwrite an archived item, and reports that it is not run', async () => {
    const { assay, items, archive } = await begun();
    await archive('a');
    const kept = await assay('run', 'e.yaml', '--name', 'two');
    expect(kept.code).toBe(0);
    expect(kept.stdout).toContain('2 items of items@');
    expect(kept.stderr).toContain('1 record: archived before, and still so\n');
    items(item('a', NOBODY), item('b'), item('c'));
    const refused = await assay('run', 'e.yaml', '--name', 'three');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('"a" (expected_output). 0 would be added, 2 are unchanged.');
  });

  test('does not mix the items of an unrelated file into the dataset', async () => {
    const { place, assay, items, dataset } = await begun();
    const before = await dataset();
    items(item('d'), item('e'));
    const refused = await assay('run', 'e.yaml', '--name', 'two');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`the dataset items in ${place} shares no item with `);
    expect(refused.stderr).toContain(
      'it has 3 items, the file 2. Nothing was written\n--update-dataset adds the items of the file; rename the file to make another dataset\n',
    );
    expect(await dataset()).toBe(before);
    expect((await assay('run', 'e.yaml', '--name', 'two', '--update-dataset')).code).toBe(0);
  });
});
