import { expect, it } from 'vitest';

import { StoreConflict } from '../../src/store/store-conflict.ts';
import { ALL, scratchStore } from './scratch-store.ts';

it('a label is on one version: a new one takes it, and it can be moved', () => {
  const { prompts } = scratchStore();
  prompts.create({ name: 'p', type: 'text', prompt: 'one', labels: ['production', 'a'] });
  prompts.create({ name: 'p', type: 'text', prompt: 'two', labels: ['a', 'a', 'latest'] });
  expect(prompts.get('p', { version: 1 })?.labels).toEqual(['production']);
  expect(prompts.get('p', { version: 2 })?.labels).toEqual(['a', 'latest']);
  expect(prompts.setLabels('p', 1, ['a', 'b'])?.labels).toEqual(['a', 'b', 'production']);
  expect(prompts.get('p', { version: 2 })?.labels).toEqual(['latest']);
  expect(prompts.setLabels('p', 3, ['a'])).toBeNull();
  expect(prompts.setLabels('q', 1, ['a'])).toBeNull();
  expect(() => prompts.setLabels('p', 1, ['latest'])).toThrow(StoreConflict);
  expect(prompts.get('p', { label: 'latest' })?.version).toBe(2);
});

it('tags belong to all versions, and stay where none are given', () => {
  const { prompts } = scratchStore();
  prompts.create({ name: 'p', type: 'text', prompt: 'one', tags: ['graph', 'graph', 'de'] });
  prompts.create({ name: 'p', type: 'text', prompt: 'two' });
  expect(prompts.get('p', { version: 2 })?.tags).toEqual(['graph', 'de']);
  prompts.create({ name: 'p', type: 'text', prompt: 'three', tags: [] });
  expect(prompts.get('p', { version: 1 })?.tags).toEqual([]);
});

it('the list is by name, with what narrows it', () => {
  const { prompts } = scratchStore();
  prompts.create({ name: 'b', type: 'text', prompt: 'b', labels: ['production'], tags: ['t'], config: { k: 1 } });
  prompts.create({ name: 'a', type: 'chat', prompt: [], labels: ['staging'] });
  prompts.create({ name: 'b', type: 'text', prompt: 'b', config: { k: 2 } });
  const { rows, total } = prompts.list({}, ALL);
  expect(total).toBe(2);
  expect(rows).toMatchObject([
    { name: 'a', type: 'chat', versions: [1], labels: ['latest', 'staging'], tags: [], lastConfig: {} },
    { name: 'b', type: 'text', versions: [1, 2], labels: ['latest', 'production'], tags: ['t'], lastConfig: { k: 2 } },
  ]);
  const names = (filter: Parameters<typeof prompts.list>[0]): string[] =>
    prompts.list(filter, ALL).rows.map((one) => one.name);
  expect(names({ name: 'a' })).toEqual(['a']);
  expect(names({ label: 'production' })).toEqual(['b']);
  expect(names({ label: 'latest' })).toEqual(['a', 'b']);
  expect(names({ tag: 't' })).toEqual(['b']);
  expect(names({ tag: 'T' })).toEqual([]);
  expect(names({ fromUpdatedAt: '2020-01-01', toUpdatedAt: '2100-01-01' })).toEqual(['a', 'b']);
  expect(names({ toUpdatedAt: '2020-01-01' })).toEqual([]);
  // As Langfuse lists them: only versions that match, with their labels and the newest config among them.
  expect(prompts.list({ label: 'production' }, ALL).rows).toMatchObject([
    { name: 'b', versions: [1], labels: ['production'], lastConfig: { k: 1 } },
  ]);
  expect(prompts.list({ label: 'latest', name: 'b' }, ALL).rows).toMatchObject([
    { name: 'b', versions: [2], labels: ['latest'], lastConfig: { k: 2 } },
  ]);
  expect(prompts.list({}, { page: 2, limit: 1 }).rows.map((one) => one.name)).toEqual(['b']);
});

it('versions can be deleted: by number, by label, or all', () => {
  const { prompts } = scratchStore();
  for (const prompt of ['one', 'two', 'three']) prompts.create({ name: 'p', type: 'text', prompt, labels: [prompt] });
  expect(prompts.delete('p', { version: 9 })).toBe(0);
  expect(prompts.delete('p', { label: 'never' })).toBe(0);
  expect(prompts.delete('q')).toBe(0);
  expect(prompts.delete('p', { version: 3 })).toBe(1);
  expect(prompts.get('p', { label: 'latest' })?.prompt).toBe('two');
  expect(prompts.delete('p', { label: 'one' })).toBe(1);
  expect(prompts.list({}, ALL).rows[0]).toMatchObject({ versions: [2], labels: ['latest', 'two'] });
  prompts.create({ name: 'p', type: 'text', prompt: 'three again' });
  expect(prompts.delete('p')).toBe(2);
  expect(prompts.list({}, ALL).total).toBe(0);
  expect(prompts.create({ name: 'p', type: 'chat', prompt: [] })).toMatchObject({ version: 1, type: 'chat' });
});
