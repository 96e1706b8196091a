import { Option } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { ITEM_SCHEMAS, ITEM_TASKS, type ItemTask } from '../../experiment/datasets/item-schemas.ts';
import { type ItemSchemas, makeItemValidator } from '../../experiment/datasets/validate-item.ts';
import { jsonFile } from './json-input.ts';

export interface SchemaFlags {
  readonly inputSchema?: string;
  readonly expectedSchema?: string;
  readonly task?: ItemTask;
}

export function taskOption(about: string): Option {
  return new Option('--task <task>', about).choices(ITEM_TASKS);
}

/** The schemas that flags name, checked; null where they name none. */
export async function schemaFlags(flags: SchemaFlags): Promise<ItemSchemas | null> {
  const { inputSchema, expectedSchema, task } = flags;
  if (task !== undefined) {
    if (inputSchema !== undefined || expectedSchema !== undefined)
      throw new UsageError(
        `--task ${task} has schemas of its own`,
        'give --task, or --input-schema and --expected-schema',
      );
    const { input, expectedOutput } = ITEM_SCHEMAS[task];
    return { input, expectedOutput };
  }
  if (inputSchema === undefined && expectedSchema === undefined) return null;
  const schemas: ItemSchemas = {
    ...(inputSchema === undefined ? {} : { input: (await jsonFile(inputSchema)).value }),
    ...(expectedSchema === undefined ? {} : { expectedOutput: (await jsonFile(expectedSchema)).value }),
  };
  makeItemValidator(schemas);
  return schemas;
}
