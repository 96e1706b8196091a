import type { Imported } from '../experiment/datasets/import-items.ts';
import { count, plural } from '../text/figures.ts';

/** What an import did to a dataset, or would do. */
export function importText(
  dataset: string,
  { items, made, changed, same }: Pick<Imported, 'items' | 'made' | 'changed' | 'same'>,
  dryRun: boolean,
): string {
  if (same === items) return `${plural(items, 'item')}: all are in ${dataset} already, unchanged.`;
  const created = dryRun ? 'would be created' : 'created';
  return `${plural(items, 'item')} ${dryRun ? 'for' : 'in'} ${dataset}: ${count(made)} ${created}, ${count(changed)} changed, ${count(same)} unchanged`;
}
