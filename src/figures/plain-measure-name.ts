import type { ItemKind } from '../data/item.ts';
import { isRecord } from '../data/record-fields.ts';
import type { Plan } from '../recipe/plan.ts';

/** What the recipe calls a plain measure of a kind, one that asks for nothing beside a hit; null where it has none. */
export function plainMeasureName(
  { resolved }: Pick<Plan, 'resolved'>,
  of: 'f1' | 'recall',
  kind: ItemKind,
): string | null {
  const { measure } = resolved;
  const plain = Object.entries(isRecord(measure) ? measure : {}).filter(
    ([, params]) =>
      isRecord(params) &&
      params['of'] === of &&
      (params['beta'] ?? 1) === 1 &&
      isEmpty(params['require']) &&
      isEmpty(params['match']),
  );
  const kindOf = ([, params]: readonly [string, unknown]): unknown =>
    isRecord(params) ? (params['kind'] ?? null) : null;
  const found = plain.find((one) => kindOf(one) === kind) ?? plain.find((one) => kindOf(one) === null);
  return found?.[0] ?? null;
}

function isEmpty(list: unknown): boolean {
  return list === undefined || (Array.isArray(list) && list.length === 0);
}
