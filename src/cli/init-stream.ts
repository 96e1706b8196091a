import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { shellWord } from '../report/shell-word.ts';
import { exampleFolder } from './examples.ts';

/** What `init stream` puts into a folder. */
export function copyStreamExample(target: string): void {
  for (const folder of ['traces', 'answers', 'config', 'generate'])
    cpSync(join(exampleFolder('stream'), folder), join(target, folder), { recursive: true });
  writeFileSync(join(target, 'README.md'), README);
}

/** The commands to give next, in order, from the folder that `from` names. */
export function streamCommands(from: string, program: string): string[] {
  const place = (name: string): string => shellWord(join(from, name));
  const traces = `--traces ${place('traces')}`;
  const config = `--config ${place('config')}`;
  const runs = place('runs');
  const measures = place('measures');
  return [
    `${program} stream validate ${place('traces')} ${place('answers')}`,
    `${program} stream replay ${traces} --model recorded:${place('answers')} ${config} --out ${runs}`,
    `${program} stream measure ${traces} --runs ${runs} --concepts ${place('config/extractor.yaml')} --out ${measures}`,
    `${program} compare ${measures}/V0 ${measures}/V2`,
    `${program} stream figures ${measures} --out ${place('figures')}`,
  ];
}

const README = `# Summaries of a running conversation

| folder | what |
|---|---|
| \`traces/\` | five invented conversations, piece by piece as they were sent, with a manifest of their hashes |
| \`answers/\` | run logs whose summaries and decisions were written by hand; no model gave them |
| \`config/variants/\` | the five variants of the middleware, yours to change |
| \`config/extractor.yaml\` | what finds concepts |
| \`generate/\` | four invented cases, and who discusses them: for traces of your own |

\`\`\`sh
${streamCommands('', 'assay').join('\n')}
\`\`\`

Every command says with \`--help\` what else it can do. To go on:

- **Another variant.** Change a file in \`config/variants/\`, or copy V0.yaml to V5.yaml and say \`variant_id: V5\`. Other
  windows have no recorded answers: replay them with \`--model heuristic\` (a fixed rule, which every log and report calls
  so) or with a model, such as \`--model openai/gpt-4o-mini\`; the key comes from the environment.
- **Conversations with a model.** \`assay stream generate --config generate --model scripted --out more\` has agents discuss
  the cases of \`generate/cases.csv\` without a model; \`--model openai/gpt-4o-mini\`, or a server of your own with
  \`--base-url\`, has a model speak.
- **Your own conversations.** \`my-agents --stream | assay stream record --case case-1 --out traces\` makes a trace of JSON
  lines with \`agent\` and \`text\`; \`assay stream freeze traces\` writes down their hashes. Remove the example's traces first.
- **Another vocabulary.** \`config/extractor.yaml\` names the small one that ships; one of your own finds more. Numbers made
  with different ones are not compared.

Of unsupported fractions, lower is better. No clinical outcome is claimed.
`;
