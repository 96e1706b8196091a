import { statSync } from 'node:fs';
import { resolve } from 'node:path';

import { z } from 'zod';

import { UsageError } from '../../data/problems.ts';
import { type CommandProgram, ProcessPool } from './process-pool.ts';
import { NO_MODEL, programAnswer } from './program-answer.ts';
import { secretsIn } from '../models/secrets.ts';
import {
  count,
  defineTarget,
  filePath,
  plainText,
  type Target,
  type TargetCase,
  type TargetContext,
} from './target.ts';

const section = z.strictObject({
  use: z.literal('command'),
  command: z
    .union([
      z
        .array(plainText)
        .min(1)
        .refine(([program = '']) => program.trim() !== '', { path: [0], message: 'expected the name of a program' }),
      filePath,
    ])
    .meta({ description: '[program, argument, …]; one text goes to the shell' }),
  processes: count(256).default(1).meta({ description: 'how many of it run at once' }),
  parallel: count(1000).default(1).meta({ description: 'how many items one process has at once' }),
  cwd: filePath.optional(),
});
type CommandSpec = z.infer<typeof section>;

/** A program that runs for as long as the experiment: one JSON line in, one JSON line out. */
export const commandTarget = defineTarget(section, open);

function open(spec: CommandSpec, { folder, environment }: TargetContext): Target {
  const { processes, parallel } = spec;
  const cwd = resolve(folder, spec.cwd ?? '.');
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`cwd: there is no folder ${cwd}`, 'paths start from the folder of the experiment');
  const program = { command: commandOf(spec.command, folder), cwd, environment, secrets: secretsIn(environment) };
  const pool = new ProcessPool(program, { processes, parallel });
  return {
    kind: 'command',
    ...NO_MODEL,
    identity: { kind: 'command', command: spec.command, cwd: spec.cwd ?? null },
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
function commandOf(command: CommandSpec['command'], folder: string): CommandProgram['command'] {
  if (typeof command === 'string') return command;
  const [program = '', ...args] = command;
  return [/^\.{1,2}[/\\]/.test(program) ? resolve(folder, program) : program, ...args];
}
