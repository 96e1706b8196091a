import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { shellWord } from '../report/shell-word.ts';
import { exampleFolder } from './examples.ts';

/** What `init stream` puts into a folder. */
export function copyStreamExample(target: string): void {
  for (const folder of ['traces', 'answers', 'config', 'generate'])
    cpSync(join(exampleFolder('stream'), folder), join(target, folder), { recursive: true });
  cpSync(join(exampleFolder('stream'), 'starter.md'), join(target, 'README.md'));
}

/** The next commands, in order, from the folder that `from` names; examples/stream/starter.md has them too. */
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
