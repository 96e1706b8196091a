import { UsageError } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import type { DatasetItemRecord } from '../../store/records.ts';
import type { Backend } from '../backend.ts';
import { type Fate, itemPrint, wouldChange } from './plan-import.ts';
import type { Seed } from './seed-item.ts';

/**
 * What becomes of each item that is seeded. One that is there and was not made of the same trace, or whose expected
 * output was validated while this one is not, is somebody's work: it is replaced only where that is forced.
 */
export async function seedFates(
  backend: Backend,
  dataset: string,
  seeds: readonly Seed[],
  force: boolean,
): Promise<readonly Fate[]> {
  const wanted = new Set(seeds.map(({ item }) => item.id));
  const there = new Map<string, DatasetItemRecord>();
  for await (const item of backend.items(dataset, { archived: true }))
    if (wanted.has(item.id)) there.set(item.id, item);
  return seeds.map((seed) => {
    const before = there.get(seed.item.id);
    if (before === undefined) return 'made';
    if (!wouldChange(seed.item, itemPrint(before))) return 'same';
    const reason = force ? null : reasonToKeep(before, seed);
    if (reason !== null)
      throw new UsageError(
        `the item ${describe(before.id)} of ${dataset} ${reason}`,
        '--force replaces it; another --id, or none, makes another item',
      );
    return 'changed';
  });
}

function reasonToKeep(before: DatasetItemRecord, { item, expectedFrom }: Seed): string | null {
  const isOfThis =
    before.sourceTraceId === item.sourceTraceId &&
    (before.sourceObservationId ?? null) === (item.sourceObservationId ?? null);
  if (!isOfThis) return 'is there already, and was not made of this trace';
  const from = isRecord(before.metadata) ? before.metadata['expected_from'] : null;
  const wasLookedAt = from === 'validated' || from === 'corrected';
  return wasLookedAt && expectedFrom === 'trace' ? `has a ${from} output, and this one is the trace’s own` : null;
}
