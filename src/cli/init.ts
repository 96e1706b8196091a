import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { didYouMean, errorCode, makeFolders, programName, SHARED, shellWord, UsageError } from '../plugin.ts';
import { command } from './command.ts';
import { commandIn, type Example, exampleFile, EXAMPLES } from './examples.ts';
import * as flag from './flags.ts';

/** What files of an example are called in a folder that was begun with it. */
const NAMES: Readonly<Record<string, string>> = { 'starter.yaml': 'recipe.yaml', 'starter.md': 'README.md' };

const SUBJECTS = EXAMPLES.map(({ task }) => task);
const TASKS = EXAMPLES.filter(({ demo }) => demo !== undefined).map(({ task }) => task);

export default command({
  name: 'init',
  arguments: {
    task: flag.argument(`what you evaluate: ${TASKS.join(', ')}; or experiment, for assay run`),
    folder: flag.optionalArgument('folder to create (default: named after the task)'),
  },
  flags: { force: flag.toggle('write to a folder that is not empty; files of the same name are replaced') },
  help: `
Examples:
  $ assay init journal
  $ assay init pii my-redaction-eval
  $ assay init stream my-stream-eval
  $ assay init consult my-consult-eval
  $ assay init experiment my-experiment`,
  run({ task, folder: target = task, force }, { print }) {
    const example = EXAMPLES.find((one) => one.task === task);
    if (example === undefined)
      throw new UsageError(`unknown task: ${task}`, didYouMean(task, SUBJECTS) ?? `tasks: ${SUBJECTS.join(', ')}`);
    if (!force && existsSync(target) && readdirSync(target).length > 0)
      throw new UsageError(`${target} is not empty`, 'choose another folder, or add --force');
    try {
      makeFolders(target, SHARED);
      for (const name of example.starter.copy)
        cpSync(exampleFile(task, name), join(target, NAMES[name] ?? name), { recursive: true });
    } catch (error) {
      throw new UsageError(`cannot write to ${target} (${errorCode(error)})`);
    }
    const from = relative('.', target) || '.';
    const yours = example.starter.yours.replaceAll('./', `${from}/`);
    const next = nextSteps(example.starter, from).map((step) => `  ${step}\n`);
    print(`${yours} are yours to change. Next:\n\n${next.join('')}`);
  },
});

/** From within the folder, where the store and the runs are begun where one is. */
function nextSteps({ within = false, commands }: Example['starter'], from: string): string[] {
  if (!within) return commands.map((call) => `${programName()} ${commandIn(from, call)}`);
  const program = programName(process.argv[1], resolve(from));
  return [...(from === '.' ? [] : [`cd ${shellWord(from)}`]), ...commands.map((call) => `${program} ${call}`)];
}
