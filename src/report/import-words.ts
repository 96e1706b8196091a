import type { Imported } from '../experiment/datasets/import-items.ts';
import { count, plural } from '../text/figures.ts';

/** Describes the changes of an import to a dataset, made or planned, and the special features of its records. */
export function importTexts(
  dataset: string,
  { items, made, changed, same, notes }: Pick<Imported, 'items' | 'made' | 'changed' | 'same' | 'notes'>,
  dryRun: boolean,
): string[] {
  const created = dryRun ? 'would be created' : 'created';
  return [
    same === items
      ? `${plural(items, 'item')}: all are in ${dataset} already, unchanged.`
      : `${plural(items, 'item')} ${dryRun ? 'for' : 'in'} ${dataset}: ${count(made)} ${created}, ${count(changed)} changed, ${count(same)} unchanged`,
    ...notes.map(({ note, times }) => `${plural(times, 'record')}: ${note}`),
  ];
}
