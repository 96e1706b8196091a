import type { DatasetRecord } from '../../store/records.ts';
import { type SchemaFault, compileSchema } from './compile-schema.ts';
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

/** JSON Schemas of what an item holds; null or left out where any value will do. */
export interface ItemSchemas {
  readonly input?: unknown;
  readonly expectedOutput?: unknown;
}

export type ItemValidator = (item: {
  readonly input?: unknown;
  readonly expectedOutput?: unknown;
}) => readonly SchemaFault[];

/** What is wrong with an item by its dataset's schemas, each with the path of the field. Throws UsageError on schemas that are none. */
export function makeItemValidator(schemas: ItemSchemas): ItemValidator {
  const checkInput = isGiven(schemas.input) ? compileSchema(schemas.input, 'the input schema') : null;
  const checkExpected = isGiven(schemas.expectedOutput)
    ? compileSchema(schemas.expectedOutput, 'the schema of expected outputs')
    : null;
  return ({ input, expectedOutput }) => [
    ...(checkInput?.(input ?? null, 'input') ?? []),
    ...(checkExpected === null
      ? []
      : isGiven(expectedOutput) || checkExpected(null, '').length === 0
        ? checkExpected(expectedOutput ?? null, 'expected_output')
        : [{ path: 'expected_output', message: 'expected an output, found nothing' }]),
  ];
}

export function schemasOf(dataset: Pick<DatasetRecord, 'inputSchema' | 'expectedOutputSchema'>): ItemSchemas {
  return { input: dataset.inputSchema, expectedOutput: dataset.expectedOutputSchema };
}

/** Whether there is anything to check by. */
export function hasSchemas({ input, expectedOutput }: ItemSchemas): boolean {
  return isGiven(input) || isGiven(expectedOutput);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
