import { nearestNames } from '../text/nearest.ts';
import type { DataOptions } from './data-options.ts';
import type { Item, Side } from './item.ts';
import { visible } from './json-record.ts';
import type { Problems } from './problems.ts';
import { describe } from './record-fields.ts';

/** Labels and field values against the lists the recipe names. Returns how many unknown ones were kept by policy. */
export function checkValues(
  items: readonly Item[],
  side: Side,
  caseId: string,
  file: string,
  options: DataOptions,
  problems: Problems,
): number {
  const fields = Object.keys(options.values);
  if (options.labels.length === 0 && fields.length === 0) return 0;
  let kept = 0;
  for (const item of items) {
    const where = `${caseId} ${side} item ${item.index}`;
    if (options.labels.length > 0 && !options.labels.includes(item.label)) {
      if (options.unknownLabel[side] === 'keep') kept += 1;
      else {
        const near = nearestNames(item.label, options.labels);
        problems.add({
          file,
          line: item.line,
          field: where,
          message: `the label ${visible(item.label)} is not one of ${options.labels.join(', ')}`,
          next: near.length > 0 ? `did you mean ${near[0]}?` : `or allow it: --set data.unknownLabel.${side}=keep`,
        });
      }
    }
    for (const field of fields) {
      const value = item.fields[field];
      const allowed = options.values[field] ?? [];
      if (value === undefined || value === null || (typeof value === 'string' && allowed.includes(value))) continue;
      if (options.unknownValue[side] === 'keep') kept += 1;
      else
        problems.add({
          file,
          line: item.line,
          field: `${where} ${field}`,
          message: `expected one of ${allowed.join(', ')}, found ${describe(value)}`,
          next: `or allow it: --set data.unknownValue.${side}=keep`,
        });
    }
  }
  return kept;
}
