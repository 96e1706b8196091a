import { describe, expect, it } from 'vitest';

import { copyDataset, copyPrompt } from '../../../src/experiment/datasets/copies.ts';
import { localBackend } from '../../../src/experiment/local-backend.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { serving } from '../../server/langfuse/serving.ts';
import { quickBackend } from './quick-backend.ts';

async function places() {
  const langfuse = await quickBackend(await serving(), { patience: { timeoutMs: 30_000 } });
  return { here: localBackend(temporaryFolder()), there: localBackend(temporaryFolder()), langfuse };
}

describe('from the local store to Langfuse and on to another store', () => {
  it('a dataset arrives as it was, and again changes nothing', async () => {
    const { here, there, langfuse } = await places();
    await here.saveDataset({ name: 'people', description: 'who is who' });
    const items = Array.from({ length: 120 }, (_, index) => ({
      id: `item-${index}`,
      input: { text: `text ${index} 🎉` },
      expectedOutput: index % 2 === 0 ? { entities: [`name ${index}`] } : null,
      metadata: { index },
      sourceTraceId: index === 7 ? 'c'.repeat(32) : null,
    }));
    await here.saveItems('people', [...items, { id: 'gone', input: 'old', status: 'ARCHIVED' }]);
    const pushed = await copyDataset(here, langfuse, 'people');
    expect(pushed).toMatchObject({ items: 120, made: 120, archived: 1, extra: 0 });
    expect(await copyDataset(here, langfuse, 'people')).toEqual({ ...pushed, made: 0, same: 120 });

    const pulled = await copyDataset(langfuse, there, 'people');
    expect(pulled).toMatchObject({ items: 120, made: 120, archived: 1, version: pushed.version });
    expect(await copyDataset(langfuse, there, 'people')).toMatchObject({ made: 0, changed: 0, same: 120 });
    const found = await Array.fromAsync(there.items('people'));
    expect(found.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    expect(found[7]).toMatchObject(items[7]!);
  });

  it('a prompt arrives as it was, and again changes nothing', async () => {
    const { here, there, langfuse } = await places();
    await here.savePrompt({
      name: 'a/b',
      type: 'text',
      prompt: 'Find {{x}}',
      config: { t: 0 },
      labels: ['production'],
    });
    expect(await copyPrompt(here, langfuse, 'a/b')).toMatchObject({ made: true, labels: ['production'] });
    expect(await copyPrompt(here, langfuse, 'a/b')).toMatchObject({ made: false, labels: [] });
    await copyPrompt(langfuse, there, 'a/b');
    expect(await there.prompt('a/b')).toMatchObject({ prompt: 'Find {{x}}', config: { t: 0 }, version: 1 });
  });
});
