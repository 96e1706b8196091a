import { expect, it } from 'vitest';

import { DatasetHash, datasetVersion } from '../../src/store/dataset-version.ts';

/** Worked out with Python's json.dumps(sort_keys=True, separators=(',', ':'), ensure_ascii=False) and hashlib. */
const BOTH = 'sha256:f8884c89c68b4c5a13d390e41bbe062a49b86816ae21f194b0658b73c41075de';
const NONE = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const A = { id: 'a', input: { q: 'ä', p: [1, 2] }, expectedOutput: { x: 1 }, metadata: null };
const B = { id: 'b', input: 'text', expectedOutput: undefined, metadata: { k: true } };

it('is the sha256 of the sorted sha256 of the items', async () => {
  expect(await datasetVersion([A, B])).toEqual({ hash: BOTH, items: 2 });
  expect(await datasetVersion([B, A])).toEqual({ hash: BOTH, items: 2 });
  expect(await datasetVersion([])).toEqual({ hash: NONE, items: 0 });
});

it('takes items as they come', async () => {
  async function* stream() {
    yield B;
    yield A;
  }
  expect(await datasetVersion(stream())).toEqual({ hash: BOTH, items: 2 });
  const one = new DatasetHash();
  one.add(A);
  one.add(B);
  expect(one.result()).toEqual({ hash: BOTH, items: 2 });
});

it('counts an item that is there twice, and knows other fields from those of the content', async () => {
  const once = await datasetVersion([A]);
  const twice = await datasetVersion([A, A]);
  expect(twice.items).toBe(2);
  expect(twice.hash).not.toBe(once.hash);
  const withMore = { ...A, status: 'ARCHIVED', createdAt: 'whenever' };
  expect(await datasetVersion([withMore])).toEqual(once);
  expect((await datasetVersion([{ ...A, id: 'b' }])).hash).not.toBe(once.hash);
});
