import { isRecord } from '../../../../src/data/record-fields.ts';
import type { ViewRecord } from '../../../../src/report/html/report-data.ts';
import type { LedgerItem } from '../../../../src/score/ledger.ts';
import { valueText } from './item-fields.ts';

/** What an attribute of a hit was to be, and what it was. */
export interface JudgedAttribute {
  readonly name: string;
  readonly right: boolean;
  readonly gold: string | null;
  readonly predicted: string | null;
}

/** Where the recipe reads an attribute. */
export type AttributeFields = Readonly<Record<string, string>>;

/** The attributes of a record, those that are wrong first. */
export function judgedAttributes(record: ViewRecord, fields: AttributeFields): readonly JudgedAttribute[] {
  return Object.entries(record.attributes ?? {})
    .map(([name, right]) => {
      const field = Object.hasOwn(fields, name) ? (fields[name] ?? name) : name;
      return { name, right, gold: valueOf(record.gold, field), predicted: valueOf(record.predicted, field) };
    })
    .sort((a, b) => Number(a.right) - Number(b.right));
}

function valueOf(item: LedgerItem | undefined, field: string): string | null {
  if (item === undefined) return null;
  if (field === 'label') return item.label;
  const { fields } = item;
  return isRecord(fields) && Object.hasOwn(fields, field) ? valueText(fields[field]) : null;
}

/** Names of the attributes that any of the records was judged by, in the order in which they come. */
export function attributeNames(records: readonly ViewRecord[]): readonly string[] {
  return [...new Set(records.flatMap(({ attributes }) => Object.keys(attributes ?? {})))];
}
