import { resolve } from 'node:path';

import { z } from 'zod';

import { entryAt } from '../../data/entry-at.ts';
import type { Fields } from '../../data/item.ts';
import { UsageError } from '../../data/problems.ts';
import { isRecord } from '../../data/record-fields.ts';
import { shorten, visible } from '../../data/visible.ts';
import { fieldsWithoutSecrets, secretsIn, withoutSecrets } from '../models/secrets.ts';
import { parseJson } from './answer-json.ts';
import type { LineProgram } from './line-process.ts';
import { programAnswer } from './program-answer.ts';
import { AskedProgram, type ProgramEvents, programPool } from './program-pool.ts';
import { countSetting, defineTarget, filePath, itemOf, plainText, type TargetCase } from './target.ts';

const WHO = 'the command';

/** A program that runs for as long as the experiment: one JSON line in, one JSON line out. */
export const commandTarget = defineTarget(
  z.strictObject({
    use: z.literal('command'),
    command: z
      .union([
        z
          .array(plainText)
          .min(1)
          .refine(([program = '']) => program.trim() !== '', { path: [0], message: 'expected the name of a program' }),
        filePath,
      ])
      .describe('[program, argument, …]; one text goes to the shell'),
    processes: countSetting(256).default(1).describe('how many of it run at once'),
    parallel: countSetting(1000).default(1).describe('how many items one process has at once'),
    cwd: filePath.optional(),
  }),
  ({ command, processes, parallel, cwd: given }, { folder, environment, timeoutMs }) => {
    const cwd = resolve(folder, given ?? '.');
    if (entryAt(cwd)?.isDirectory() !== true)
      throw new UsageError(`cwd: folder not found: ${cwd}`, 'paths start from the folder of the experiment');
    const program = { command: commandIn(command, folder), cwd, environment };
    const secrets = secretsIn(environment);
    const start = (events: ProgramEvents) =>
      new AskedProgram<Fields>(WHO, program, secrets, events, (running) => ({
        ready: Promise.resolve(),
        // Two items of one id, as sampling repeats are, could not be told apart by their answers.
        takes: (id) => running.inHand < parallel && !running.has(id),
        // Its answer could come late, and be taken for that of another item.
        giveUp: () => running.abandon('the command was ended because it had not answered another item in time'),
        hear: (line) => hear(running, line, secrets),
        end: (how) => running.over(`the command ended (${how}) before it answered`),
      }));
    const pool = programPool(WHO, processes, timeoutMs, start);
    return {
      identity: { command, cwd: given ?? null },
      mostAtOnce: processes * parallel,
      request: itemOf,
      preview: (item) => Promise.resolve(lineOf(item)),
      async answer(item, signal) {
        const { said, latencyMs } = await pool.ask(item.id, lineOf(item), signal);
        return { ...programAnswer(said, WHO), latencyMs, raw: null };
      },
      close: () => pool.close(),
    };
  },
);

// Ordinary characters in JSON, but some languages end a line at them.
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

function lineOf(item: TargetCase): string {
  return JSON.stringify(itemOf(item)).replaceAll(
    LINE_ENDS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The path of a program starts from the folder of the experiment, whatever folder it is started in. */
function commandIn(command: LineProgram['command'], folder: string): LineProgram['command'] {
  if (typeof command === 'string') return command;
  const [program = '', ...args] = command;
  return [/^\.{1,2}[/\\]/.test(program) ? resolve(folder, program) : program, ...args];
}

const EXPECTED = 'Expected {"id": …, "output": …} on one line; anything else goes to stderr';

function hear(program: AskedProgram<Fields>, line: string, secrets: readonly string[]): void {
  // What it still writes once nobody waits is of no interest.
  if (line.trim() === '' || (program.process.isOver && program.inHand === 0)) return;
  const { value, fault } = parseJson(line);
  if (!isRecord(value)) {
    const shown = withoutSecrets(line, secrets);
    // The fault quotes words of the line.
    const why = fault === undefined ? 'no object' : (parseJson(shown).fault ?? 'not JSON');
    return program.fault(`the command wrote ${visible(shorten(shown, 80))}: ${why}. ${EXPECTED}`);
  }
  const id = typeof value['id'] === 'number' ? String(value['id']) : value['id'];
  if (typeof id !== 'string') return program.fault(`the command gave an answer with no id. ${EXPECTED}`);
  if (program.answered(id, fieldsWithoutSecrets(value, secrets))) return;
  const shown = visible(shorten(withoutSecrets(id, secrets)));
  program.fault(`the command gave an answer with the id ${shown}, which it was not asked for. ${EXPECTED}`);
}
