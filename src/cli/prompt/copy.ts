import { Command } from 'commander';

import { safeText } from '../../report/safe-text.ts';
import { type BetweenFlags, betweenOptions, withBoth } from '../dataset/between.ts';
import { BEGIN, findPrompt, type WhichFlags, whichOf } from './find.ts';

interface CopyFlags extends BetweenFlags, WhichFlags {}

export function pushCommand(): Command {
  return copyOptions(new Command('push').description('copy a version of a prompt from the local store to Langfuse'))
    .addHelpText(
      'after',
      `${HELP}
  $ assay prompt push graph-extraction
  $ assay prompt push graph-extraction --version 3`,
    )
    .action((name: string, flags: CopyFlags) => copy('push', name, flags));
}

export function pullCommand(): Command {
  return copyOptions(new Command('pull').description('copy a version of a prompt from Langfuse to the local store'))
    .addHelpText(
      'after',
      `${HELP}
  $ assay prompt pull graph-extraction
  $ assay prompt pull graph-extraction --label staging`,
    )
    .action((name: string, flags: CopyFlags) => copy('pull', name, flags));
}

const HELP = `
Text, config, tags and labels go along; every place counts its own versions. A
version with the same content that is there already is not made again.

Examples:`;

function copyOptions(command: Command): Command {
  return betweenOptions(
    command
      .argument('<name>', 'of the prompt')
      .option('--label <label>', 'the version that has this label (default: production)')
      .option('--version <number>', 'this version'),
  );
}

async function copy(way: 'push' | 'pull', name: string, flags: CopyFlags): Promise<void> {
  const which = whichOf(flags);
  await withBoth(way, flags, [`prompt ${name}`, BEGIN], async (from, to) => {
    await findPrompt(from, name, which);
    const { copyPrompt } = await import('../../experiment/datasets/copy-prompts.ts');
    const done = await copyPrompt(from, to, name, which);
    const what = `Version ${done.from} of ${name} in ${from.place}`;
    const there = `version ${done.version} in ${to.place}`;
    const labels = done.labels.length === 0 ? '' : ` labelled ${done.labels.join(', ')}`;
    const said = done.made
      ? `${what} became ${there},${labels === '' ? ' with no label but its own latest' : labels}.`
      : `${what} is ${there} already${labels === '' ? '' : `, now${labels}`}.`;
    process.stdout.write(`${safeText(said)}\n`);
  });
}
