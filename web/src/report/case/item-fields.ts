import type { LedgerItem } from '../../../../src/score/ledger.ts';

/** One fact of an item as gold and as the system have it; null where a side does not say. */
export interface FieldRow {
  readonly name: string;
  /** A field of the files, and not one of ours. */
  readonly ofFile: boolean;
  readonly gold: string | null;
  readonly predicted: string | null;
  /** Both sides are there and do not say the same. */
  readonly differs: boolean;
}

const OWN: readonly (readonly [string, string])[] = [
  ['label', 'label'],
  ['was', 'label before'],
  ['text', 'words'],
  ['place', 'characters'],
  ['source', 'from'],
  ['target', 'to'],
  ['unresolved', 'no entity called'],
  ['annotator', 'annotator'],
  ['parts', 'merged from items'],
  ['grounded', 'in the text'],
];
const MOST_FIELDS = 60;
/** Enough to tell two values apart that matter; the line of the ledger has them all. */
const DIGITS = 9;

/** All that is known of two sides, ours first and then the fields of the files, each under its own name. */
export function fieldRows(gold: LedgerItem | undefined, predicted: LedgerItem | undefined): readonly FieldRow[] {
  const rows: FieldRow[] = [];
  const both = gold !== undefined && predicted !== undefined;
  const add = (name: string, ofFile: boolean, own: string | null, given: string | null, judged: boolean): void => {
    if (own === null && given === null) return;
    rows.push({ name, ofFile, gold: own, predicted: given, differs: both && judged && own !== given });
  };
  for (const [key, name] of OWN) {
    const judged = key !== 'was' && key !== 'annotator' && key !== 'parts';
    add(name, false, ownValue(gold, key), ownValue(predicted, key), judged);
  }
  const names = [...new Set([...Object.keys(gold?.fields ?? {}), ...Object.keys(predicted?.fields ?? {})])];
  for (const name of names.slice(0, MOST_FIELDS)) {
    const [own, given] = [fieldValue(gold, name), fieldValue(predicted, name)];
    // Files have custom fields: a field that only one side has is not a difference.
    add(name, true, own, given, own !== null && given !== null);
  }
  return rows;
}

function ownValue(item: LedgerItem | undefined, key: string): string | null {
  if (item === undefined) return null;
  switch (key) {
    case 'place': {
      const { start, end, fragments } = item;
      if (start === undefined || end === undefined) return null;
      return (fragments ?? [{ start, end }]).map((piece) => `${piece.start} to ${piece.end}`).join(' and ');
    }
    case 'grounded':
      return item.grounded === undefined
        ? null
        : item.grounded
          ? 'yes'
          : `no: ${item.ungrounded ?? 'not word for word'}`;
    case 'source':
    case 'target':
      return Object.hasOwn(item, key) ? (valueText(item[key]) ?? 'none') : null;
    case 'text':
      return item.text === '' ? null : item.text;
    default:
      return Object.hasOwn(item, key) ? valueText(item[key]) : null;
  }
}

function fieldValue(item: LedgerItem | undefined, name: string): string | null {
  const { fields } = item ?? {};
  return fields === undefined || !Object.hasOwn(fields, name) ? null : valueText(fields[name]);
}

/** A value of a file as a person reads it; null for none. */
export function valueText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(Number(value.toPrecision(DIGITS)));
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.map(String).join(', ');
  return JSON.stringify(value);
}
