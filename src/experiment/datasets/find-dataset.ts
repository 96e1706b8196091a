import { UsageError } from '../../data/problems.ts';
import { describe } from '../../data/record-fields.ts';
import { didYouMean } from '../../prepare/setting-error.ts';
import type { DatasetItemRecord } from '../../store/records.ts';
import type { Backend } from '../backend.ts';
import { defined } from '../defined.ts';
import { checkName } from './names.ts';

/** An item as `assay dataset import` reads it: what was exported can be imported. Nothing that is not there is written. */
export function itemLine(item: DatasetItemRecord) {
  const { id, input, expectedOutput, metadata, sourceTraceId, sourceObservationId, status } = item;
  return {
    id,
    input,
    ...defined({
      expected_output: expectedOutput ?? undefined,
      metadata: metadata ?? undefined,
      source_trace_id: sourceTraceId ?? undefined,
      source_observation_id: sourceObservationId ?? undefined,
      status: status === 'ARCHIVED' ? status : undefined,
    }),
  };
}

/** The dataset of a name; if absent, an error that names the others. Archived ones count unless they must not. */
export async function findDataset(backend: Backend, name: string, options: { readonly active?: boolean } = {}) {
  checkName('dataset', name);
  const found = await backend.dataset(name);
  if (found?.archived === true && options.active === true)
    throw new UsageError(`the dataset ${name} is archived`, `assay dataset restore ${name} brings it back`);
  if (found !== null) return found;
  const names = (await backend.datasets()).map((dataset) => dataset.name);
  const none = `it has none yet: assay dataset import ${name} FILE makes one`;
  const next = didYouMean(name, names) ?? (names.length > 0 ? 'assay dataset list shows what there is' : none);
  throw new UsageError(`there is no dataset ${describe(name)} in ${backend.place}`, next);
}

/** Items of a dataset by their ids, archived or not, in the order of the ids; all that are not there are named at once. */
export async function findItems(backend: Backend, dataset: string, ids: readonly string[]) {
  const wanted = new Set(ids);
  const found = new Map<string, DatasetItemRecord>();
  const others: string[] = [];
  for await (const item of backend.items(dataset, { archived: true })) {
    if (wanted.has(item.id)) found.set(item.id, item);
    else if (others.length < 10_000) others.push(item.id);
    if (found.size === wanted.size) break;
  }
  // One that was archived elsewhere is in no list.
  for (const id of wanted) {
    const item = found.has(id) ? null : await backend.item(id);
    if (item?.datasetName === dataset) found.set(id, item);
  }
  const missing = [...wanted].filter((id) => !found.has(id));
  if (missing.length > 0) {
    const near = missing.length === 1 ? didYouMean(missing[0]!, others) : null;
    const message = `the dataset ${dataset} has no item ${missing.map((id) => describe(id)).join(', ')}`;
    throw new UsageError(message, near ?? `assay dataset show ${dataset} --items 100 lists some`);
  }
  return [...wanted].map((id) => found.get(id)!);
}
