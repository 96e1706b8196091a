import { visible } from '../../data/visible.ts';
import type { DatasetRecord } from '../../store/records.ts';
import type { Store } from '../../store/store.ts';
import { notFound } from '../refusal.ts';

/** The dataset of that name, also an archived one; refused where there is none. */
export function findDataset(store: Store, name: string): DatasetRecord {
  const dataset = store.datasets.get(name);
  if (dataset === null) throw notFound(`The dataset ${visible(name)}`);
  return dataset;
}
