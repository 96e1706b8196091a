import { count, counted, UsageError } from '../../plugin.ts';
import { checkName, datasetVersion, findDataset } from '../../experiment.ts';
import { DATA_FLAG, FIRST_DATASET, withBoth } from '../backend-of.ts';
import { command, type Terminal } from '../command.ts';
import * as flag from '../flags.ts';

const ARGUMENTS = { name: flag.argument('name of the dataset') };
const FLAGS = { as: flag.text('<name>', 'another name for the copy'), data: DATA_FLAG };

export const pushCommand = command({
  name: 'push',
  arguments: ARGUMENTS,
  flags: FLAGS,
  help: `
Items are created or changed by their ids; items that only Langfuse has stay.
Both hashes are printed: if they are equal, both places hold the same items.
LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY and LANGFUSE_BASE_URL name the server.

Examples:
  $ assay dataset push graph-eval
  $ assay dataset push graph-eval --as team/graph-eval`,
  run: ({ name, ...flags }, terminal) => copy('push', name, flags, terminal),
});

export const pullCommand = command({
  name: 'pull',
  arguments: ARGUMENTS,
  flags: FLAGS,
  help: `
Items are created or changed by their ids; items that only the local store has
stay. Both hashes are printed: if they are equal, both places hold the same.

Examples:
  $ assay dataset pull graph-eval
  $ assay dataset pull team/graph-eval --as graph-eval`,
  run: ({ name, ...flags }, terminal) => copy('pull', name, flags, terminal),
});

async function copy(
  way: 'push' | 'pull',
  name: string,
  flags: flag.FlagValues<typeof FLAGS>,
  { progress, say }: Terminal,
): Promise<void> {
  const as = flags.as ?? name;
  checkName('dataset', as);
  await withBoth(way, flags, [`dataset ${name}`, FIRST_DATASET], async (from, to) => {
    await findDataset(from, name, { active: true });
    if ((await to.dataset(as))?.archived === true)
      throw new UsageError(
        `the dataset ${as} is archived in ${to.place}`,
        'restore it, or choose another name with --as',
      );
    const { copyDataset } = await import('../../experiment.ts');
    const copied = await copyDataset(from, to, name, {
      as,
      told: (items) => progress.show(() => counted(items, 'item')),
    }).catch(withHint);
    progress.end();
    const { items, made, changed, same, extra, archived, version } = copied;
    const whole = extra === 0 ? version : (await datasetVersion(to.items(as))).hash;
    say(
      `${counted(items, 'item')} of ${name} from ${from.place} to ${to.place}${as === name ? '' : ` as ${as}`}: ` +
        `${count(made)} created, ${count(changed)} changed, ${count(same)} unchanged.`,
      ...(archived > 0 ? [`${counted(archived, 'archived item')} copied too, as archived.`] : []),
      ...(extra > 0 ? [`${counted(extra, 'item is', 'items are')} only in ${to.place}, and stay there.`] : []),
      `${version}  ${from.place}`,
      `${whole}  ${to.place}${extra === 0 ? ', the same' : `, with ${extra === 1 ? 'that item' : 'those items'}`}`,
    );
  });
}

function withHint(error: unknown): never {
  if (!(error instanceof UsageError) || error.next !== null || !error.message.includes('belongs to another dataset'))
    throw error;
  throw new UsageError(
    error.message.split('\n'),
    'ids are unique across the datasets of a place: --data FOLDER keeps a copy apart',
  );
}
