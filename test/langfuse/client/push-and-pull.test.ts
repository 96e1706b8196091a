import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Backend } from '../../../src/experiment/backend.ts';
import { copyDataset } from '../../../src/experiment/datasets/copy-dataset.ts';
import { copyPrompt } from '../../../src/experiment/datasets/copy-prompts.ts';
import { localBackend } from '../../../src/experiment/local-backend.ts';
import { langfuseBackend } from '../../../src/langfuse/client/langfuse-backend.ts';
import { serveLangfuse } from '../../../src/server/langfuse/langfuse-server.ts';
import type { RunningServer } from '../../../src/server/listen.ts';
import { openStore, type Store } from '../../../src/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'assay-push-'));
let store: Store;
let server: RunningServer;
let langfuse: Backend;
const here = localBackend(join(folder, 'here'));
const there = localBackend(join(folder, 'there'));

beforeAll(async () => {
  store = openStore(join(folder, 'served'));
  const keys = { publicKey: 'pk-lf-push', secretKey: 'sk-lf-push' };
  server = await serveLangfuse({ store, keys, port: 0 });
  langfuse = await langfuseBackend({
    environment: {
      LANGFUSE_BASE_URL: server.url,
      LANGFUSE_PUBLIC_KEY: keys.publicKey,
      LANGFUSE_SECRET_KEY: keys.secretKey,
    },
  });
});

afterAll(async () => {
  for (const backend of [here, there, langfuse]) await backend.close();
  await server.close();
  store.close();
  rmSync(folder, { recursive: true });
});

describe('from the local store to Langfuse and on to another store', () => {
  it('a dataset arrives as it was, and again changes nothing', async () => {
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
