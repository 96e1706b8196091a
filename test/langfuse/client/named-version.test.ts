import { describe, expect, it, onTestFinished } from 'vitest';

import type { Backend } from '../../../src/experiment/backend.ts';
import { copyDataset, copyPrompt } from '../../../src/experiment/datasets/copies.ts';
import { findVersion, itemsOfVersion, nameVersion } from '../../../src/experiment/datasets/named-version.ts';
import { localBackend } from '../../../src/experiment/local-backend.ts';
import { temporaryFolder } from '../../cli/run-assay.ts';
import { expectedOf } from '../../experiment/backend-contract.ts';
import { serving } from '../../server/langfuse/serving.ts';
import { itemTrace } from './item-trace.ts';
import { quickBackend } from './quick-backend.ts';

function openLocal(): Backend {
  const backend = localBackend(temporaryFolder());
  onTestFinished(() => backend.close());
  return backend;
}

async function open(place: 'local' | 3 | 4): Promise<Backend> {
  if (place === 'local') return openLocal();
  return quickBackend(await serving({ generation: place }), { generation: place });
}

async function idsOf(backend: Backend, asked: string): Promise<string[]> {
  const { dataset, version } = await findVersion(backend, asked);
  return (await Array.fromAsync(itemsOfVersion(backend, dataset, version))).map(
    ({ id, input }) => `${id}${String(input)}`,
  );
}

describe.each(['local', 3, 4] as const)('a named version (%s)', (place) => {
  it('is what the dataset held then, whatever came after', async () => {
    const backend = await open(place);
    await backend.saveDataset({ name: 'd', metadata: { mine: 1 } });
    await backend.saveItems('d', [
      { id: 'a', input: '1' },
      { id: 'b', input: 'x' },
    ]);
    await backend.saveItems('d', [{ id: 'b', status: 'ARCHIVED' }]);
    const named = await nameVersion(backend, (await backend.dataset('d'))!, 'v1');
    expect(named).toMatchObject({ name: 'v1', items: 1 });
    await backend.saveItems('d', [
      { id: 'a', input: '2' },
      { id: 'c', input: 'y' },
    ]);
    expect(await idsOf(backend, 'd@v1')).toEqual(['a1']);
    expect(await idsOf(backend, `d@${named.hash.slice(7, 19)}`)).toEqual(['a1']);
    expect(await idsOf(backend, 'd')).toEqual(['a2', 'cy']);
    const dataset = (await backend.dataset('d'))!;
    expect(dataset.metadata).toMatchObject({ mine: 1 });
    await expect(nameVersion(backend, dataset, 'v1')).rejects.toThrow('d has a version v1 already: 1 item of');
    await nameVersion(backend, dataset, 'v2');
    await expect(idsOf(backend, 'd@v3')).rejects.toThrow('the dataset d has no version "v3"');
    expect(await nameVersion(backend, (await backend.dataset('d'))!, 'v1', { force: true })).toMatchObject({
      items: 2,
    });
    await expect(nameVersion(backend, dataset, 'v 1')).rejects.toThrow('cannot be the name of a version');
  });

  it('goes along with a copy, and is had there as long as the items are the same', async () => {
    const [backend, there] = [await open(place), openLocal()];
    await backend.saveDataset({ name: 'd' });
    await backend.saveItems('d', [{ id: 'a', input: 1 }]);
    await nameVersion(backend, (await backend.dataset('d'))!, 'v1');
    await copyDataset(backend, there, 'd');
    expect(await idsOf(there, 'd@v1')).toEqual(['a1']);
    await nameVersion(there, (await there.dataset('d'))!, 'mine');
    await copyDataset(backend, there, 'd');
    expect(await idsOf(there, 'd@mine')).toEqual(['a1']);
    const far = openLocal();
    await far.saveDataset({ name: 'd', metadata: (await backend.dataset('d'))!.metadata });
    await far.saveItems('d', [{ id: 'b', input: 2 }]);
    await expect(idsOf(far, 'd@v1')).rejects.toThrow('cannot be had');
  });

  it('can be run although an item of it is archived by now', async () => {
    const backend = await open(place);
    const dataset = await backend.saveDataset({ name: 'people' });
    const [item] = await backend.saveItems('people', [{ id: 'item-1', input: 1 }]);
    const { at } = await nameVersion(backend, dataset, 'v1');
    await backend.saveItems('people', [{ id: 'item-1', status: 'ARCHIVED' }]);
    const run = await backend.openRun({ dataset, name: 'r', description: null, metadata: {}, datasetAt: at });
    const trace = itemTrace(1, { item: item! });
    await run.publish([trace]);
    expect(await run.counts([expectedOf(trace)])).toEqual({ traces: 1, scores: 2, short: [] });
  });

  it('does not hide a dataset whose name has an @', async () => {
    const backend = await open(place);
    await backend.saveDataset({ name: 'a@b' });
    await backend.saveItems('a@b', [{ id: 'i', input: 1 }]);
    expect(await idsOf(backend, 'a@b')).toEqual(['i1']);
  });

  it('has prompts beside it that carry tags, in lists and in copies', async () => {
    const [backend, there] = [await open(place), openLocal()];
    const prompt = { name: 'p', type: 'text', prompt: 'Find {{x}}', labels: ['production'] } as const;
    await there.savePrompt({ ...prompt, tags: ['ward', 'june'] });
    await copyPrompt(there, backend, 'p');
    expect((await backend.prompt('p'))?.tags).toEqual(['ward', 'june']);
    expect(await backend.prompts()).toMatchObject([{ name: 'p', tags: ['ward', 'june'] }]);
    await backend.savePrompt({ ...prompt, prompt: 'Look for {{x}}' });
    expect((await backend.prompt('p', { version: 2 }))?.tags).toEqual(['ward', 'june']);
  });
});
