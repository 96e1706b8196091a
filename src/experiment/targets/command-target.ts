import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import { UsageError } from '../../data/problems.ts';
import type { LineProgram } from './line-process.ts';
import { ProcessPool } from './process-pool.ts';
import { programAnswer } from './program-answer.ts';
import { secretsIn } from './secrets.ts';
import type { Target, TargetCase } from './target.ts';
import type { TargetContext } from './target-context.ts';
import type { SpecOf } from './target-schema.ts';

/** A program that runs for as long as the experiment: one JSON line in, one JSON line out. */
export function commandTarget(spec: SpecOf<'command'>, { folder, environment }: TargetContext): Target {
  const { processes, parallel } = spec;
  const cwd = resolve(folder, spec.cwd ?? '.');
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`cwd: there is no folder ${cwd}`, 'paths start from the folder of the experiment');
  const program = { command: commandOf(spec.command, folder), cwd, environment, secrets: secretsIn(environment) };
  const pool = new ProcessPool(program, { processes, parallel });
  return {
    kind: 'command',
    model: null,
    modelParameters: {},
    identity: { kind: 'command', command: spec.command, cwd: spec.cwd ?? null },
    cacheable: false,
    mostAtOnce: processes * parallel,
    request: ({ id, input, metadata, repeat }) => ({ id, input, metadata, repeat }),
    preview: (given) => Promise.resolve(lineOf(given)),
    async answer(given, signal) {
      const { said, latencyMs } = await pool.ask(given.id, lineOf(given), signal);
      return { ...programAnswer(said, 'the command'), latencyMs, raw: null };
    },
    close: () => pool.close(),
  };
}

// Ordinary characters in JSON, but some languages end a line at them.
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

function lineOf({ id, input, metadata, repeat }: TargetCase): string {
  return JSON.stringify({ id, input, metadata, repeat }).replaceAll(
    LINE_ENDS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A program that is named by a path lies where the experiment says, whatever folder it is started in. */
function commandOf(command: SpecOf<'command'>['command'], folder: string): LineProgram['command'] {
  if (typeof command === 'string') return command;
  const [program = '', ...args] = command;
  return [/^\.{1,2}[/\\]/.test(program) ? resolve(folder, program) : program, ...args];
}
