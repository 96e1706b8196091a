import type { DatasetItemInit } from '../../store/records.ts';
import type { Backend, ItemRefusal } from '../backend.ts';
import { idOfOther } from './names.ts';

export type RefusalCheck = (item: DatasetItemInit & { readonly id: string }) => Promise<ItemRefusal | null>;

/**
 * Returns a check that finds why a place would not keep an item, before anything is saved. Of a new dataset, the first
 * item is also looked for in other datasets: Langfuse cannot delete a dataset that was created and stays empty.
 */
export function refusalCheck(backend: Backend, dataset: string, isNew: boolean): RefusalCheck {
  let isFirst = isNew;
  return async (item) => {
    const existing = isFirst ? await backend.item(item.id) : null;
    isFirst = false;
    return existing === null ? backend.itemRefusal(dataset, item) : idOfOther(item.id, existing.datasetName);
  };
}
