import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';

const ITEMS_NAME = /\.(?:jsonl|ndjson|csv|tsv)(?:\.gz)?$/i;
const MAYBE_ITEMS_NAME = /\.json(?:\.gz)?$/i;

/** Whether a file is one of items by its name alone: nobody writes an experiment in these forms. */
export function isNamedLikeItems(path: string): boolean {
  return ITEMS_NAME.test(path);
}

/** Whether a text that is no experiment looks like items: JSON is YAML too, so that an experiment may be JSON. */
export function looksLikeItems(path: string, text: string, value: unknown): boolean {
  if (isRecord(value) && ('target' in value || 'dataset' in value)) return false;
  return MAYBE_ITEMS_NAME.test(path) || /^\s*\[?\s*\{\s*"/.test(text.slice(0, 1000));
}

export function itemsInstead(path: string): UsageError {
  return new UsageError(
    `${path} is a file of items, not an experiment`,
    `give it with --dataset ${path}, beside an experiment file or with --name and --model`,
  );
}
