import { count, plural, filledTable, safeJson, UsageError } from '../../plugin.ts';
import * as experiment from '../../experiment.ts';
import * as storage from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';

const VERSIONS_SHOWN = 20;

const versionCommand = command({
  name: 'version',
  arguments: { dataset: flag.argument('name of the dataset') },
  flags: {
    name: flag.string('<version>', 'name for the current version, such as v1'),
    at: flag.string('<time>', 'with --name: time of the version to name'),
    force: flag.toggle('with --name: move the name from another version'),
    json: flag.JSON_ALONE,
    ...storage.PLACE_FLAGS,
  },
  help: `
The hash is of the active items: ids, inputs, expected outputs and metadata, in
any order. The same items have the same hash in the local store and in Langfuse.
The local store remembers the versions that commands left and runs used.

A named version can be used later: assay run --dataset NAME@v1,
assay dataset show NAME --version v1. Names are kept with the dataset, in its
metadata, in Langfuse too.

Examples:
  $ assay dataset version graph-eval
  $ assay dataset version graph-eval --name v1
  $ assay dataset version graph-eval --json | jq -r .hash`,
  async run({ dataset: name, name: asked, force, json, ...flags }, { say }) {
    if (asked === undefined && (flags.at !== undefined || force))
      throw new UsageError('--at and --force go with --name', 'add --name NAME');
    if (flags.at !== undefined && Number.isNaN(Date.parse(flags.at)))
      throw new UsageError(`--at ${flags.at} is not a time`, 'expected one like 2026-01-31T12:00:00Z');
    const at = flags.at === undefined ? undefined : new Date(flags.at).toISOString();
    const { named, hash, items } = await storage.withExisting(
      flags,
      `dataset ${name}`,
      storage.FIRST_DATASET,
      async (backend) => {
        const dataset = await experiment.findDataset(backend, name);
        const version =
          asked === undefined ? null : await experiment.nameVersion(backend, dataset, asked, { at, force });
        if (version !== null && !json)
          say(`Version ${version.name} of ${name}: ${plural(version.items, 'item')} of ${version.at}.`);
        return {
          named: experiment.namedVersions((await experiment.findDataset(backend, name)).metadata),
          ...(await storage.currentVersion(backend, flags, name)),
        };
      },
    );
    // The newest first.
    const history = storage.isLangfuse(flags)
      ? null
      : await storage.withLocalStore(flags, (store) => store.datasets.versions(name));
    type Version = { readonly hash: string; readonly items: number; readonly at: string };
    const columns = [
      [{ title: 'version' }, ({ hash: long }: Version) => long.slice(0, 'sha256:'.length + 16)],
      [{ title: 'items', align: 'right' }, ({ items: number }: Version) => count(number)],
      [{ title: 'since' }, ({ at: since }: Version) => since],
    ] as const;
    return {
      json: () =>
        safeJson({
          name,
          hash,
          items,
          ...(named.length === 0 ? {} : { named }),
          ...(history === null ? {} : { history }),
        }),
      document: () => ({
        title: `Version of ${name}`,
        sections: [
          { blocks: [{ text: `${hash}  ${plural(items, 'item')}`, whole: true }] },
          { blocks: [filledTable([[{ title: 'Name' }, ({ name: own }) => own], ...columns], named)] },
          {
            blocks: [
              history === null || history.length < 2
                ? null
                : { ...filledTable(columns, history), shown: VERSIONS_SHOWN, rest: ': --json shows all' },
            ],
          },
        ],
      }),
    };
  },
});

function copyCommand(way: 'push' | 'pull', help: string) {
  return command({
    name: way,
    arguments: { name: flag.argument('name of the dataset') },
    flags: { as: flag.string('<name>', 'another name for the copy'), data: storage.DATA_FLAG },
    help,
    async run({ name, as = name, ...flags }, { progress, say }) {
      experiment.checkName('dataset', as);
      await storage.withBoth(way, flags, [`dataset ${name}`, storage.FIRST_DATASET], async (from, to) => {
        await experiment.findDataset(from, name, { active: true });
        if ((await to.dataset(as))?.archived === true)
          throw new UsageError(
            `the dataset ${as} is archived in ${to.place}`,
            'restore it, or choose another name with --as',
          );
        const told = (items: number): void => progress.show(() => plural(items, 'item'));
        const copied = await experiment.copyDataset(from, to, name, { as, told }).catch(withHint);
        progress.end();
        const { items, made, changed, same, extra, archived, version } = copied;
        const whole = extra === 0 ? version : (await experiment.datasetVersion(to.items(as))).hash;
        say(
          `${plural(items, 'item')} of ${name} from ${from.place} to ${to.place}${as === name ? '' : ` as ${as}`}: ` +
            `${count(made)} created, ${count(changed)} changed, ${count(same)} unchanged.`,
          ...(archived > 0 ? [`${plural(archived, 'archived item')} copied too, as archived.`] : []),
          ...(extra > 0 ? [`${plural(extra, 'item is', 'items are')} only in ${to.place}, and stay there.`] : []),
          `${version}  ${from.place}`,
          `${whole}  ${to.place}${extra === 0 ? ', the same' : `, with ${extra === 1 ? 'that item' : 'those items'}`}`,
        );
      });
    },
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

export default {
  version: versionCommand,
  push: copyCommand(
    'push',
    `
Items are created or changed by their ids; items that only Langfuse has stay.
Both hashes are printed: if they are equal, both places hold the same items.
LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY and LANGFUSE_BASE_URL name the server.

Examples:
  $ assay dataset push graph-eval
  $ assay dataset push graph-eval --as team/graph-eval`,
  ),
  pull: copyCommand(
    'pull',
    `
Items are created or changed by their ids; items that only the local store has
stay. Both hashes are printed: if they are equal, both places hold the same.

Examples:
  $ assay dataset pull graph-eval
  $ assay dataset pull team/graph-eval --as graph-eval`,
  ),
};
