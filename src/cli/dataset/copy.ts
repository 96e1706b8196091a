import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { findDataset } from '../../experiment/datasets/find-dataset.ts';
import { checkName } from '../../experiment/datasets/names.ts';
import { count, counted } from '../../text/figures.ts';
import { safeText } from '../../report/safe-text.ts';
import { datasetVersion } from '../../store/dataset-version.ts';
import { BEGIN } from './begin.ts';
import { betweenOptions, type BetweenFlags, withBoth } from './between.ts';
import { Progress } from '../progress.ts';

interface CopyFlags extends BetweenFlags {
  readonly as?: string;
}

export function pushCommand(): Command {
  return betweenOptions(
    new Command('push')
      .description('copy a dataset of the local store to Langfuse')
      .argument('<name>', 'of the dataset')
      .option('--as <name>', 'another name for it there'),
  )
    .addHelpText(
      'after',
      `
Items are made or changed by their ids; items that are only there stay. Both
hashes are printed: where they are equal, both places hold the same.
LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY and LANGFUSE_BASE_URL say where to.

Examples:
  $ assay dataset push graph-eval
  $ assay dataset push graph-eval --as team/graph-eval`,
    )
    .action((name: string, flags: CopyFlags) => copy('push', name, flags));
}

export function pullCommand(): Command {
  return betweenOptions(
    new Command('pull')
      .description('copy a dataset of Langfuse to the local store')
      .argument('<name>', 'of the dataset')
      .option('--as <name>', 'another name for it here'),
  )
    .addHelpText(
      'after',
      `
Items are made or changed by their ids; items that are only here stay. Both
hashes are printed: where they are equal, both places hold the same.

Examples:
  $ assay dataset pull graph-eval
  $ assay dataset pull team/graph-eval --as graph-eval`,
    )
    .action((name: string, flags: CopyFlags) => copy('pull', name, flags));
}

async function copy(way: 'push' | 'pull', name: string, flags: CopyFlags): Promise<void> {
  const as = flags.as ?? name;
  checkName('dataset', as);
  await withBoth(way, flags, [`dataset ${name}`, BEGIN], async (from, to) => {
    await findDataset(from, name, { active: true });
    const there = await to.dataset(as);
    if (there?.archived === true)
      throw new UsageError(
        `the dataset ${as} is archived in ${to.place}`,
        'restore it, or choose another name with --as',
      );
    const { copyDataset } = await import('../../experiment/datasets/copy-dataset.ts');
    const status = new Progress(process.stderr, false);
    const done = await copyDataset(from, to, name, {
      as,
      told: (items) => status.show(() => counted(items, 'item')),
    })
      .catch((error: unknown) => withHint(error))
      .finally(() => status.end());
    const { items, made, changed, same, extra, archived, version } = done;
    const whole = extra === 0 ? version : (await datasetVersion(to.items(as))).hash;
    const lines = [
      `${counted(items, 'item')} of ${name} from ${from.place} to ${to.place}${as === name ? '' : ` as ${as}`}: ` +
        `${count(made)} made, ${count(changed)} changed, ${count(same)} same.`,
      ...(archived > 0 ? [`${counted(archived, 'archived item')} went along, archived.`] : []),
      ...(extra > 0 ? [`${counted(extra, 'item is', 'items are')} only in ${to.place}, and stay there.`] : []),
      `${version}  ${from.place}`,
      `${whole}  ${to.place}${extra === 0 ? ', the same' : `, with ${extra === 1 ? 'that item' : 'those items'}`}`,
    ];
    process.stdout.write(`${lines.map(safeText).join('\n')}\n`);
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
