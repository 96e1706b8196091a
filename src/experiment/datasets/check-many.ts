import type { SchemaFault } from './schema-fault.ts';
import type { ItemValidator } from './validate-item.ts';
import { OutOfTime, workWithin } from './work-within.ts';

type Checked = Parameters<ItemValidator>[0];

/** Checks that are watched one by one take longer to be watched than to be done. */
const AT_ONCE = 500;
const MOST_MS = 1000;

/** What is wrong with each of several items, in their order. */
export function checkMany(validate: ItemValidator, items: readonly Checked[]): (readonly SchemaFault[])[] {
  const faults: (readonly SchemaFault[])[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    faults.push(...checkGroup(validate, items.slice(from, from + AT_ONCE)));
  return faults;
}

/** The same for items that come one by one. */
export async function* checkEach<T extends Checked>(
  validate: ItemValidator,
  items: AsyncIterable<T>,
): AsyncGenerator<{ readonly item: T; readonly faults: readonly SchemaFault[] }> {
  let group: T[] = [];
  const checked = (): { item: T; faults: readonly SchemaFault[] }[] => {
    const faults = checkGroup(validate, group);
    const all = group.map((item, at) => ({ item, faults: faults[at] ?? [] }));
    group = [];
    return all;
  };
  for await (const item of items) if (group.push(item) >= AT_ONCE) yield* checked();
  yield* checked();
}

function checkGroup(validate: ItemValidator, items: readonly Checked[]): (readonly SchemaFault[])[] {
  const check = (): (readonly SchemaFault[])[] => items.map((item) => validate(item));
  try {
    return workWithin(check, MOST_MS);
  } catch (error) {
    // One by one: they are many and large, or one of them is what takes so long, and then says so.
    if (error instanceof OutOfTime) return check();
    throw error;
  }
}
