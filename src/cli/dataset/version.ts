import { count, counted, filledTable, safeJson, UsageError } from '../../plugin.ts';
import { findDataset, namedVersions, nameVersion } from '../../experiment.ts';
import { currentVersion, FIRST_DATASET, isLangfuse, PLACE_FLAGS, withExisting, withLocalStore } from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';

const SHOWN = 20;

export const versionCommand = command({
  name: 'version',
  arguments: { dataset: flag.argument('name of the dataset') },
  flags: {
    name: flag.text('<version>', 'name for the current version, such as v1'),
    at: flag.text('<time>', 'with --name: time of the version to name'),
    force: flag.toggle('with --name: move the name from another version'),
    json: flag.JSON_ALONE,
    ...PLACE_FLAGS,
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
    const { named, hash, items } = await withExisting(flags, `dataset ${name}`, FIRST_DATASET, async (backend) => {
      const dataset = await findDataset(backend, name);
      const version = asked === undefined ? null : await nameVersion(backend, dataset, asked, { at, force });
      if (version !== null && !json)
        say(`Version ${version.name} of ${name}: ${counted(version.items, 'item')} of ${version.at}.`);
      return {
        named: namedVersions((await findDataset(backend, name)).metadata),
        ...(await currentVersion(backend, flags, name)),
      };
    });
    // The newest first.
    const history = isLangfuse(flags) ? null : await withLocalStore(flags, (store) => store.datasets.versions(name));
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
          { blocks: [{ text: `${hash}  ${counted(items, 'item')}`, whole: true }] },
          { blocks: [filledTable([[{ title: 'Name' }, ({ name: own }) => own], ...columns], named)] },
          {
            blocks: [
              history === null || history.length < 2
                ? null
                : { ...filledTable(columns, history), shown: SHOWN, rest: ': --json shows all' },
            ],
          },
        ],
      }),
    };
  },
});
