import { hash } from 'node:crypto';

import type { Backend, ItemTrace, RunSink } from '../../../src/experiment/backend.ts';

/** A trace of one item with two scores, its ids made from the number. */
export function itemTrace(number: number, more: Partial<ItemTrace> = {}): ItemTrace {
  const id = `item-${number}`;
  const ids = hash('sha256', id);
  return {
    traceId: ids.slice(0, 32),
    rootId: ids.slice(32, 48),
    callId: ids.slice(48, 64),
    item: {
      id,
      input: { text: `text ${number}` },
      expectedOutput: { entities: ['Ann'] },
      metadata: { source: 'hand' },
    },
    name: 'graph-extractor',
    startedAt: '2026-01-02T03:04:05.006Z',
    endedAt: '2026-01-02T03:04:06.506Z',
    output: { entities: ['Ann', 'Bob'] },
    error: null,
    model: 'gemini-x',
    modelParameters: { temperature: 0 },
    isRetried: false,
    tries: [],
    request: [{ role: 'user', content: `text ${number}` }],
    isCached: false,
    usage: { inputTokens: 11, outputTokens: 7, cost: 0.002 },
    prompt: { name: 'extract', version: 3 },
    passages: null,
    metadata: { repeat: 1 },
    scores: [
      { id: `${id}-precision`, name: 'entity_precision', value: 0.5, comment: null },
      { id: `${id}-recall`, name: 'entity_recall', value: 1, comment: 'all found' },
    ],
    ...more,
  };
}

/** The dataset `people` with as many items, and a run over it. */
export async function runOver(backend: Backend, items: number, name = 'baseline'): Promise<RunSink> {
  const dataset = await backend.saveDataset({ name: 'people' });
  await backend.saveItems(
    'people',
    Array.from({ length: items }, (_, index) => ({ id: `item-${index + 1}`, input: { text: `text ${index + 1}` } })),
  );
  return backend.openRun({ dataset, name, description: 'first try', metadata: { model: 'gemini-x', temperature: 0 } });
}
