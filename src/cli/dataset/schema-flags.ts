import { suggestion, taskTitle, UsageError } from '../../plugin.ts';
import * as experiment from '../../experiment.ts';
import * as flag from '../flags.ts';

export function taskFlag(about: string): flag.Flag<experiment.ItemTask | undefined> {
  const titles = experiment.ITEM_TASKS.map(taskTitle);
  return flag.parsed('<task>', `${about}: ${titles.join(', ')}`, (written, name) => {
    const task = experiment.itemTaskNamed(written);
    if (task === undefined)
      throw new UsageError(`${name} ${written}: there is no such task`, suggestion(written, titles, 'tasks'));
    return task;
  });
}

/** Flags that name the schemas of items; `task` explains what the schemas of a task are for. */
export function schemaFlags(task: string) {
  return {
    task: taskFlag(task),
    inputSchema: flag.inputFile('JSON Schema of inputs'),
    expectedSchema: flag.inputFile('JSON Schema of expected outputs'),
  };
}

/** The schemas that flags name, checked; null if they name none. */
export async function schemasOfFlags({
  inputSchema,
  expectedSchema,
  task,
}: flag.FlagValues<ReturnType<typeof schemaFlags>>): Promise<experiment.ItemSchemas | null> {
  if (task !== undefined) {
    if (inputSchema !== undefined || expectedSchema !== undefined)
      throw new UsageError(
        `--task ${task} has its own schemas`,
        'give --task, or --input-schema and --expected-schema',
      );
    const { input, expectedOutput } = experiment.ITEM_SCHEMAS[task];
    return { input, expectedOutput };
  }
  if (inputSchema === undefined && expectedSchema === undefined) return null;
  const schemas: experiment.ItemSchemas = {
    ...(inputSchema === undefined ? {} : { input: (await experiment.jsonFile(inputSchema)).value }),
    ...(expectedSchema === undefined ? {} : { expectedOutput: (await experiment.jsonFile(expectedSchema)).value }),
  };
  experiment.makeItemValidator(schemas);
  return schemas;
}
