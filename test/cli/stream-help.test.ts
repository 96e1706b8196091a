import { expect, it } from 'vitest';

import streamCommand from '../../src/cli/stream.ts';

it('every stream command has help with examples, in 80 columns', async () => {
  const group = await streamCommand(() => undefined, null);
  expect(group.commands).toHaveLength(12);
  const long: string[] = [];
  for (const command of [group, ...group.commands]) {
    let help = '';
    command.configureOutput({ writeOut: (text) => void (help += text), getOutHelpWidth: () => 80 }).outputHelp();
    expect(help, command.name()).toContain('Examples:');
    long.push(...help.split('\n').filter((line) => [...line].length > 80));
  }
  expect(long).toEqual([]);
});
