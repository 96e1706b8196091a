import type { DatasetRecord } from '../../store/records.ts';
import { compileSchema } from './compile-schema.ts';
import type { SchemaFault } from './schema-fault.ts';

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
