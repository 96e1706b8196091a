import { nearestNames } from '../text/nearest.ts';
import type { Item } from './item.ts';
import { type ItemCheck, placeOf } from './item-check.ts';
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
  const near = nearestNames(item.label, options.labels, 1);
  check.problems.add({
    file: check.file,
    line: item.line,
    field: placeOf(item, check),
    message: `the label ${describe(item.label)} is not one of ${options.labels.join(', ')}`,
    next: near.length > 0 ? `did you mean ${near[0]!}?` : `or allow it: --set data.unknownLabel.${side}=keep`,
  });
}

function unknownValue(item: Item, field: string, value: unknown, allowed: readonly string[], check: ItemCheck): void {
  if (check.options.unknownValue[check.side] === 'keep') {
    check.notices.unknownLabelsKept += 1;
    return;
  }
  check.problems.add({
    file: check.file,
    line: item.line,
    field: `${placeOf(item, check)} ${field}`,
    message: `expected one of ${allowed.join(', ')}, found ${describe(value)}`,
    next: `or allow it: --set data.unknownValue.${check.side}=keep`,
  });
}
