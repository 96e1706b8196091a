import { Command } from 'commander';

import type { PromptSummary } from '../../experiment/backend.ts';
import { count } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { tableLines } from '../../report/table.ts';
import { hasLocalStore, isLangfuse, localFolder, type PlaceFlags, placeOptions, withBackend } from '../backend-of.ts';

interface ListFlags extends PlaceFlags {
  readonly json?: boolean;
}

export function listCommand(): Command {
  return placeOptions(
    new Command('list')
      .description('which prompts there are, with their versions, labels and tags')
      .option('--json', 'print them as JSON on standard output'),
  )
    .addHelpText(
      'after',
      `
Examples:
  $ assay prompt list
  $ assay prompt list --json | jq -r '.[].name'`,
    )
    .action(list);
}

async function list(flags: ListFlags): Promise<void> {
  const isEmpty = !isLangfuse(flags) && !hasLocalStore(flags);
  const all = isEmpty ? [] : await withBackend(flags, (backend) => backend.prompts());
  if (flags.json === true) process.stdout.write(safeJson(all));
  else if (all.length > 0) process.stdout.write(tableText(all));
  else
    process.stdout.write(
      `${safeText(`There is no prompt in ${isLangfuse(flags) ? 'this project of Langfuse' : localFolder(flags)} yet.`)}\nBegin with: assay prompt create NAME FILE\n`,
    );
}

function tableText(all: readonly PromptSummary[]): string {
  const hasTags = all.some(({ tags }) => tags.length > 0);
  const lines = tableLines(
    [
      { title: 'Prompt', shrinks: true },
      { title: 'versions', align: 'right' },
      { title: 'newest', align: 'right' },
      { title: 'labels', shrinks: true },
      ...(hasTags ? [{ title: 'tags', shrinks: true }] : []),
    ],
    all.map(({ name, versions, labels, tags }) => [
      { text: name, tone: 'strong' },
      count(versions.length),
      versions.length === 0 ? '' : String(Math.max(...versions)),
      labels.join(', '),
      ...(hasTags ? [tags.join(', ')] : []),
    ]),
    terminalStyle(process.stdout),
  );
  return `${lines.join('\n')}\n`;
}
