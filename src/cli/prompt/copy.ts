import { DATA_FLAG, FIRST_PROMPT, withBoth } from '../backend-of.ts';
import { command, type Terminal } from '../command.ts';
import * as flag from '../flags.ts';
import { findPrompt, WHICH_FLAGS, whichOf } from './find.ts';

const ARGUMENTS = { name: flag.argument('name of the prompt') };
const FLAGS = { ...WHICH_FLAGS, data: DATA_FLAG };

const HELP = `
Text, config, tags and labels are copied too; every place counts its own
versions. A version with the same content is not created again.

Examples:`;

export const pushCommand = command({
  name: 'push',
  arguments: ARGUMENTS,
  flags: FLAGS,
  help: `${HELP}
  $ assay prompt push graph-extraction
  $ assay prompt push graph-extraction --version 3`,
  run: ({ name, ...flags }, terminal) => copy('push', name, flags, terminal),
});

export const pullCommand = command({
  name: 'pull',
  arguments: ARGUMENTS,
  flags: FLAGS,
  help: `${HELP}
  $ assay prompt pull graph-extraction
  $ assay prompt pull graph-extraction --label staging`,
  run: ({ name, ...flags }, terminal) => copy('pull', name, flags, terminal),
});

async function copy(
  way: 'push' | 'pull',
  name: string,
  flags: flag.FlagValues<typeof FLAGS>,
  { say }: Terminal,
): Promise<void> {
  const which = whichOf(flags);
  await withBoth(way, flags, [`prompt ${name}`, FIRST_PROMPT], async (from, to) => {
    await findPrompt(from, name, which);
    const { copyPrompt } = await import('../../experiment.ts');
    const copied = await copyPrompt(from, to, name, which);
    const what = `Version ${copied.from} of ${name} in ${from.place}`;
    const there = `version ${copied.version} in ${to.place}`;
    const labels = copied.labels.length === 0 ? '' : ` labelled ${copied.labels.join(', ')}`;
    say(
      copied.made
        ? `${what} became ${there},${labels === '' ? ' with no label but its own latest' : labels}.`
        : `${what} is ${there} already${labels === '' ? '' : `, now${labels}`}.`,
    );
  });
}
