import { Command } from 'commander';

import { definitionList } from '../../report/definition-list.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { type Style } from '../../report/style.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import type { PromptRecord } from '../../store/records.ts';
import { type PlaceFlags, placeOptions, withExisting } from '../backend-of.ts';
import { bodyText } from './body.ts';
import { BEGIN, findPrompt, whichOf, type WhichFlags } from './find.ts';

interface ShowFlags extends PlaceFlags, WhichFlags {
  readonly body?: boolean;
  readonly json?: boolean;
}

export function showCommand(): Command {
  return placeOptions(
    new Command('show')
      .description('one version of a prompt')
      .argument('<name>', 'of the prompt')
      .option('--label <label>', 'the version that has this label (default: production)')
      .option('--version <number>', 'this version')
      .option('--body', 'the prompt alone, as assay prompt create reads it')
      .option('--json', 'print everything as JSON on standard output'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ assay prompt show graph-extraction
  $ assay prompt show graph-extraction --label staging
  $ assay prompt show graph-extraction --version 2 --body > prompt.txt`,
    )
    .action(show);
}

async function show(name: string, flags: ShowFlags): Promise<void> {
  const which = whichOf(flags);
  const prompt = await withExisting(flags, `prompt ${name}`, BEGIN, (backend) => findPrompt(backend, name, which));
  if (flags.json === true) process.stdout.write(safeJson(prompt));
  // A file gets every byte, a terminal nothing that it would act on.
  else if (flags.body === true)
    process.stdout.write(process.stdout.isTTY ? `${safeLines(bodyText(prompt)).join('\n')}\n` : bodyText(prompt));
  else process.stdout.write(promptText(prompt, terminalStyle(process.stdout)));
}

function promptText(prompt: PromptRecord, style: Style): string {
  const { name, version, labels, tags, config, commitMessage, createdAt } = prompt;
  const hasConfig = JSON.stringify(config ?? {}) !== '{}';
  const facts: (readonly [string, string])[] = [
    ['labels', labels.join(', ') || 'none'],
    ...(tags.length === 0 ? [] : [['tags', tags.join(', ')] as const]),
    ...(hasConfig ? [['config', JSON.stringify(config)] as const] : []),
    ...(commitMessage === null ? [] : [['why', commitMessage] as const]),
    ['made', createdAt],
  ];
  const body =
    prompt.type === 'text'
      ? safeLines(prompt.prompt)
      : prompt.prompt.flatMap((message) =>
          'content' in message
            ? [style.paint(`${message.role}:`, 'strong'), ...safeLines(message.content)]
            : [style.paint(`placeholder ${message.name}`, 'quiet')],
        );
  const lines = [
    `${style.paint(name, 'strong')}, version ${version}`,
    ...definitionList(
      facts.map(([key, value]): [string, string] => [key, safeText(value)]),
      style.width,
    ),
    '',
    ...body,
  ];
  return `${lines.join('\n')}\n`;
}

function safeLines(text: string): string[] {
  return text
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map(safeText);
}
