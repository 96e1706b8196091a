import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { exampleFolder } from './examples.ts';

const FILES: readonly string[] = [
  'experiment.yaml',
  'town-notes.jsonl',
  'answers.jsonl',
  'experiment-model.yaml',
  'prompt.txt',
  'gate-strict.yaml',
];

/** What `init experiment` puts into a folder. */
export function copyExperimentExample(target: string): void {
  for (const file of FILES) cpSync(join(exampleFolder('experiment'), file), join(target, file));
  writeFileSync(join(target, 'README.md'), README);
}

/** The commands to give next, in order, from within the folder. */
export function experimentCommands(program: string): string[] {
  return [
    `${program} run experiment.yaml`,
    `${program} explain runs/town-baseline --case T12`,
    `${program} score graph/openspec --run runs/town-baseline --set pair.threshold=0.7`,
  ];
}

const README = `# An experiment

| file | what |
|---|---|
| \`experiment.yaml\` | what is run over which dataset, how it is scored, and the gate that decides the exit code |
| \`town-notes.jsonl\` | the dataset: fourteen invented texts, each with the entities and relationships that are right |
| \`answers.jsonl\` | what an imaginary extractor said, with faults of every kind; no model gave these answers |
| \`experiment-model.yaml\` | the same for a model: prompt, limits, budget, prices |
| \`prompt.txt\` | the prompt for it |
| \`gate-strict.yaml\` | rules that this run does not meet |

\`\`\`sh
${experimentCommands('assay').join('\n')}
\`\`\`

The first asks for all answers, scores them and keeps everything in \`runs/town-baseline\`; the second shows why an item
was judged as it was; the third scores the same answers by another rule, without asking anybody. To go on:

- **Your texts.** Replace \`town-notes.jsonl\` by your own file: a JSON line for each item, with \`id\`, \`input\` and
  \`expected_output\`. The dataset is called like the file. \`assay dataset validate FILE --task graph\` checks it.
- **Your system.** Put its answers into \`answers.jsonl\` (\`{"id": …, "output": …}\`), or name a program, a server, a
  function or a model as \`target\`: \`experiment-model.yaml\` shows a model.
- **Before you pay.** \`assay run experiment-model.yaml --dry-run\` shows what would be sent and roughly what it costs.
- **Another run.** Give it another \`name\`: a run is never mixed with answers of another system. Then
  \`assay compare runs/town-baseline runs/OTHER\`.
- **Once it is interrupted.** The same command resumes the run.
`;
