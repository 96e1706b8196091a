import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import compareCommand from '../../src/cli/compare.ts';
import schemaCommand from '../../src/cli/schema.ts';
import streamCommand from '../../src/cli/stream.ts';
import { ROOT } from '../cli/run-assay.ts';

const PAGE = readFileSync(join(ROOT, 'docs/tasks/stream-document.md'), 'utf8');
const end = (): void => undefined;
const COMMANDS: readonly Command[] = [await streamCommand(end, null), compareCommand(end), schemaCommand(end)];
/** Lines of code in which the program is called: the words after its name. */
const CALLS = [...PAGE.matchAll(/(?:`|\$ )assay ([^`\n]+)/g)].map(([, words]) => words!.trim().split(' '));

/** The command that words begin with, with the words that name it; null where there is none. */
function commandOf(words: readonly string[]): Command | null {
  const top = COMMANDS.find((command) => command.name() === words[0]);
  if (top === undefined || top.commands.length === 0) return top ?? null;
  return top.commands.find((command) => command.name() === words[1]) ?? null;
}

function flagsOf(command: Command): string[] {
  return command.options.flatMap(({ long, short }) => [long, short].filter((flag) => typeof flag === 'string'));
}

describe('docs/tasks/stream-document.md', () => {
  it('calls only commands that there are, with flags that they have', () => {
    expect(CALLS.length).toBeGreaterThan(15);
    const wrong = CALLS.flatMap((words) => {
      const command = commandOf(words);
      if (command === null) return [words.slice(0, 2).join(' ')];
      const known = flagsOf(command);
      return words
        .filter((word) => word.startsWith('--') && !known.includes(word))
        .map((flag) => `${words.join(' ')}: ${flag}`);
    });
    expect(wrong).toEqual([]);
  });

  it('has every stream command that has a counterpart in the document, and every number of its metrics', () => {
    const called = new Set(CALLS.map(([first, second]) => (first === 'stream' ? second : first)));
    for (const name of [
      'validate',
      'stoplist',
      'generate',
      'record',
      'freeze',
      'replay',
      'measure',
      'figures',
      'calibrate',
      'run',
    ])
      expect(called).toContain(name);
    const measures = readFileSync(join(ROOT, 'docs/tasks/stream.md'), 'utf8');
    for (const number of ['M1', 'M2', 'M3', 'M4', 'M5a, M5b', 'M6a, M6b', 'M7', 'M8', 'M9', 'M10'])
      expect(measures).toContain(`\n| ${number} |`);
  });

  it('says of the document’s flags where they are, which is true of those commands', () => {
    const table = new Map(
      [...PAGE.matchAll(/^\| `(--[\w-]+)(?: N)?` \| ([^|]*) \|/gm)].map(([, flag, where]) => [flag!, where!]),
    );
    const stream = COMMANDS[0]!.commands;
    for (const flag of ['--output', '--verbose', '--bootstrap-samples']) {
      const listed = [...(table.get(flag) ?? '').matchAll(/`([a-z]+)`/g)].map(([, name]) => name!);
      const having = stream.filter((command) => flagsOf(command).includes(flag)).map((command) => command.name());
      expect(listed.sort(), flag).toEqual(having.sort());
    }
  });
});
