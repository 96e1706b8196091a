import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import { assayCommands } from '../../src/cli/main.ts';
import { assayHere } from './assay-here.ts';
import { ROOT } from './run-assay.ts';

/** One of these is a value of any flag. */
const VALUES = [
  'x',
  '1',
  '0.5',
  'a=b',
  '1,2',
  '{"a":1}',
  '2s',
  '1/2',
  'f1=0.5',
  'hit',
  'warning',
  '1..2',
  'pii',
  'https://localhost',
  '2000-01-31T12:00:00.000Z',
  '1d5b227afa64fe3dd5eb7b7c0ef778a09501b220',
];

function leavesOf(command: Command, path: readonly string[] = []): [name: string, command: Command][] {
  const own = [...path, command.name()];
  return command.commands.length === 0
    ? [[own.slice(1).join(' '), command]]
    : command.commands.flatMap((part) => leavesOf(part, own));
}

describe('a flag that takes one value', () => {
  it('refuses a second one, in every command', async () => {
    let checked = 0;
    for (const [name, command] of leavesOf(await assayCommands(() => undefined, null)))
      for (const option of command.options.filter((one) => one.required || one.optional)) {
        const long = option.long ?? '';
        const flag = `${name} ${long}`;
        const give = (value: string, before: unknown): unknown => {
          try {
            return option.parseArg?.(value, before);
          } catch (error) {
            return error;
          }
        };
        const values = [...(option.argChoices ?? VALUES)];
        const taken = values.find((value) => !(give(value, undefined) instanceof Error));
        expect(taken, `${flag} takes none of the values`).toBeDefined();
        const first = [taken!];
        const second = give(taken!, first);
        const outcome = Array.isArray(second) ? second.length : String(second);
        expect(outcome, flag).toBe(Array.isArray(second) ? 2 : `UsageError: ${long} was given twice`);
        checked += 1;
      }
    expect(checked).toBeGreaterThan(200);
  });

  it('ends the command with exit code 2', async () => {
    const { code, stderr } = await assayHere(['score', 'spans/strict', '--out', 'a', '--out', 'b'], { cwd: ROOT });
    expect([code, stderr]).toEqual([2, 'assay: --out was given twice\npass it once\n']);
  });
});
