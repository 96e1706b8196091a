import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

import { makeFolders, SHARED } from '../data/write-file.ts';
import { UsageError } from '../data/problems.ts';
import { errorCode } from '../data/source.ts';
import { programName } from '../report/program-name.ts';
import { shellWord } from '../report/shell-word.ts';
import { closestNames } from '../text/closest-names.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';
import { type Example, EXAMPLE_TASKS, EXAMPLES, exampleFolder, type ScoredTask } from './examples.ts';
import { consultCommands, copyConsultExample } from './init-consult.ts';
import { copyExperimentExample, experimentCommands } from './init-experiment.ts';
import { copyStreamExample, streamCommands } from './init-stream.ts';

const STARTERS: Readonly<Record<ScoredTask, string>> = {
  journal: `# How the objects of a journal are scored. Everything that is not said here is as in the preset;
# assay schema recipe shows every setting, assay score --help the presets.
extends: journal/ashwam

# pair:
#   words: unicode          # split words on letters and digits instead of white space
#   threshold: 0.5          # Jaccard of the words of two quotes
#   assign: optimal         # greedy (best first), in-order, optimal
# prepare:
#   ground: { ungrounded: drop }    # flag, drop or uncertain
# attributes:
#   severity: { field: severity_scale, labels: [symptom] }
# measure:
#   severity_accuracy: { of: accuracy, attributes: [severity] }
`,
  pii: `# How redacted spans are scored. Everything that is not said here is as in the preset;
# assay schema recipe shows every setting, assay score --help the presets.
extends: pii/piranha

# prepare:
#   annotator: majority     # first, first-lexicographic, union, majority, each, or a name
#   relabel: { map: { EMAIL: CODE } }
# pair:
#   threshold: { ORG: 0.6 } # others keep theirs
# judge:
#   loc-in-org: off
#   excuse-missed: { labels: [CODE] }
`,
  graph: `# How entities and relationships are scored. Everything that is not said here is as in the preset;
# assay schema recipe shows every setting, assay score --help the presets.
extends: graph/openspec

# pair:
#   threshold: 0.75
#   assign: optimal
#   relationship:
#     equivalent: [[travels_to, moved_to]]
#     symmetric+: [ally_of]         # a plus adds to the preset's list
#     inverse+: [[teaches, taught_by]]
# slice: [label, metadata.difficulty]
`,
};

/** What init knows: the tasks, and the way to run a model over a dataset of one. */
const SUBJECTS = [...EXAMPLE_TASKS, 'experiment'] as const;

export const initCommand = command({
  name: 'init',
  arguments: {
    task: flag.argument(`what you evaluate: ${EXAMPLE_TASKS.join(', ')}; or experiment, for assay run`),
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
  run({ task, folder, force }, { print }) {
    const known = SUBJECTS.find((name) => name === task);
    if (known === undefined) {
      const near = closestNames(task, [...SUBJECTS]);
      throw new UsageError(
        `unknown task: ${task}`,
        near.length > 0 ? `did you mean ${near[0] ?? ''}?` : `tasks: ${SUBJECTS.join(', ')}`,
      );
    }
    const target = folder ?? task;
    if (!force && existsSync(target) && readdirSync(target).length > 0)
      throw new UsageError(`${target} is not empty`, 'choose another folder, or add --force');
    const subject = subjectOf(known);
    try {
      makeFolders(target, SHARED);
      subject.copy(target);
    } catch (error) {
      throw new UsageError(`cannot write to ${target} (${errorCode(error)})`);
    }
    const from = relative('.', target) || '.';
    const { yours, next } = subject.next(from);
    print(`${yours} are yours to change. Next:\n\n${next.map((step) => `  ${step}\n`).join('')}`);
  },
});

/** What init does for one of them. */
interface Subject {
  readonly copy: (target: string) => void;
  readonly next: (from: string) => NextSteps;
}

function subjectOf(name: (typeof SUBJECTS)[number]): Subject {
  switch (name) {
    case 'stream':
      return { copy: copyStreamExample, next: streamNext };
    case 'consult':
      return { copy: copyConsultExample, next: consultNext };
    case 'experiment':
      return { copy: copyExperimentExample, next: experimentNext };
    case 'journal':
    case 'pii':
    case 'graph': {
      const example = EXAMPLES.find(({ task }) => task === name)!;
      return { copy: (target) => copyExample(example, target), next: (from) => scoreNext(example, from) };
    }
  }
}

function copyExample({ task, files }: Example, target: string): void {
  for (const file of Object.values(files)) cpSync(join(exampleFolder(task), file), join(target, file));
  writeFileSync(join(target, 'recipe.yaml'), STARTERS[task]);
}

interface NextSteps {
  readonly yours: string;
  readonly next: readonly string[];
}

function scoreNext({ files }: Example, from: string): NextSteps {
  const flags = Object.entries(files).map(([role, file]) => `--${role} ${shellWord(join(from, file))}`);
  const run = shellWord(join(from, 'run'));
  return {
    yours: `${from}/recipe.yaml and ${Object.values(files).join(', ')}`,
    next: [
      `${programName()} score ${shellWord(join(from, 'recipe.yaml'))} ${flags.join(' ')} --out ${run}`,
      `${programName()} explain ${run}`,
    ],
  };
}

function streamNext(from: string): NextSteps {
  return {
    yours: `${from}/config, ${from}/traces and ${from}/answers`,
    next: streamCommands(from, programName()),
  };
}

function experimentNext(from: string): NextSteps {
  return { yours: `${from}/experiment.yaml and the files beside it`, next: within(from, experimentCommands) };
}

function consultNext(from: string): NextSteps {
  return { yours: `${from}/recipe.yaml and the files beside it`, next: within(from, consultCommands) };
}

/** From within the folder: the store and the runs are begun where one is. */
function within(from: string, commands: (program: string) => readonly string[]): readonly string[] {
  const program = programName(process.argv[1], resolve(from));
  return [...(from === '.' ? [] : [`cd ${shellWord(from)}`]), ...commands(program)];
}
