import { closestNames } from '../text/closest-names.ts';
import type { Item } from './item.ts';
import { type ItemCheck, reportItem } from './item-check.ts';
import { describe } from './record-fields.ts';

/** Labels and field values against the lists the recipe names; unknown ones are counted or reported, by policy. */
export function checkValues(items: readonly Item[], check: ItemCheck): void {
  const { labels, values } = check.options;
  const fields = Object.keys(values);
  if (labels.length === 0 && fields.length === 0) return;
  for (const item of items) {
    if (labels.length > 0 && !labels.includes(item.label)) unknownLabel(item, check);
    for (const field of fields) {
      const value = Object.hasOwn(item.fields, field) ? item.fields[field] : undefined;
      const allowed = values[field]!;
      if (value === undefined || value === null || (typeof value === 'string' && allowed.includes(value))) continue;
      unknownValue(item, field, value, allowed, check);
    }
  }
}

function unknownLabel(item: Item, check: ItemCheck): void {
  const { side, options } = check;
  if (options.unknownLabel[side] === 'keep') {
    check.notices.unknownLabelsKept += 1;
    return;
  }
  const [near] = closestNames(item.label, options.labels, 1);
  const next = near === undefined ? `or allow it: --set data.unknownLabel.${side}=keep` : `did you mean ${near}?`;
  reportItem(item, check, `the label ${describe(item.label)} is not one of ${options.labels.join(', ')}`, next);
}

function unknownValue(item: Item, field: string, value: unknown, allowed: readonly string[], check: ItemCheck): void {
  if (check.options.unknownValue[check.side] === 'keep') {
    check.notices.unknownLabelsKept += 1;
    return;
  }
  const message = `expected one of ${allowed.join(', ')}, found ${describe(value)}`;
  reportItem(item, check, message, `or allow it: --set data.unknownValue.${check.side}=keep`, ` ${field}`);
}
