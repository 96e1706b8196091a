import { setTimeout } from 'node:timers/promises';

import { z } from 'zod';

import type { Fields } from '../../data/item.ts';
import { UsageError } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import { datasetVersion } from '../../store/dataset-version.ts';
import type { DatasetRecord } from '../../store/records.ts';
import type { Backend } from '../backend.ts';
import { findDataset } from './find-dataset.ts';
import { plural } from '../../text/figures.ts';

/** What we keep of a dataset under a key of ours in its metadata, which Langfuse keeps too: entries by name. */
export function datasetNotes(metadata: unknown, key: string): Fields {
  const found = isRecord(metadata) ? metadata[key] : undefined;
  return isRecord(found) ? found : {};
}

/** The metadata with these entries under the key; without any, as if there had never been some. */
export function withDatasetNotes(metadata: unknown, key: string, entries: Fields): Fields | null {
  const all = isRecord(metadata) ? metadata : {};
  if (Object.keys(entries).length > 0) return { ...all, [key]: entries };
  const { [key]: _, ...own } = all;
  return Object.keys(own).length === 0 ? null : own;
}

/** Under it, in a dataset's metadata: names for what it held at some time. */
const VERSIONS = 'assay_versions';
const NAME = /^[\w.-]{1,36}$/;

/** Hash and number of the items, and when the dataset held them by the clock of its place. */
const VERSION = z.object({ hash: z.string(), items: z.number(), at: z.string() });
export type NamedVersion = { readonly name: string } & Readonly<z.infer<typeof VERSION>>;

export function namedVersions(metadata: unknown): NamedVersion[] {
  return Object.entries(datasetNotes(metadata, VERSIONS)).flatMap(([name, entry]) => {
    const { data } = VERSION.safeParse(entry);
    return data === undefined ? [] : [{ name, ...data }];
  });
}

function withVersions(metadata: unknown, versions: readonly NamedVersion[]): unknown {
  if (versions.length === 0) return metadata;
  const entries = versions.map(({ name, ...version }) => [name, version] as const);
  return withDatasetNotes(metadata, VERSIONS, Object.fromEntries(entries));
}

/** Metadata of a copy: the names that the copy has stay as they are, those of the source are added. */
export function copiedVersions(metadata: unknown, copy: unknown): unknown {
  if (metadata !== null && metadata !== undefined && !isRecord(metadata)) return metadata;
  const here = namedVersions(copy);
  const added = namedVersions(metadata).filter(({ name }) => here.every((one) => one.name !== name));
  return withVersions(metadata, [...here, ...added]);
}

/** Names what a dataset holds now, or held at a time. A name that is there stays unless that is forced. */
export async function nameVersion(
  backend: Backend,
  dataset: DatasetRecord,
  name: string,
  { at, force = false }: { readonly at?: string | undefined; readonly force?: boolean } = {},
): Promise<NamedVersion> {
  if (!NAME.test(name))
    throw new UsageError(
      `${describe(name)} cannot be the name of a version`,
      'names have up to 36 letters, digits, dots, hyphens and underscores',
    );
  const { metadata } = dataset;
  if (metadata !== null && !isRecord(metadata))
    throw new UsageError(
      `the metadata of ${dataset.name} are no object, and have no room for names of versions`,
      `assay dataset create ${dataset.name} --metadata '{}' replaces them`,
    );
  const versions = namedVersions(metadata);
  const before = versions.find((one) => one.name === name);
  const wanted = await datasetVersion(backend.items(dataset.name, at === undefined ? {} : { at }));
  if (before !== undefined && before.hash === wanted.hash) return before;
  if (before !== undefined && !force)
    throw new UsageError(
      `${dataset.name} has a version ${name} already: ${plural(before.items, 'item')} of ${before.at}`,
      'choose another name, or give --force',
    );
  const others = versions.filter((one) => one !== before);
  const save = (time: string): Promise<DatasetRecord> => {
    const named = withVersions(metadata, [...others, { name, ...wanted, at: time }]);
    return backend.saveDataset({ name: dataset.name, metadata: named });
  };
  // The time of the place itself, whose clock may go otherwise than ours: it is in the answer to any change.
  const time = at ?? (await save(new Date().toISOString())).updatedAt;
  await save(time);
  if ((await datasetVersion(backend.items(dataset.name, { at: time }))).hash !== wanted.hash)
    throw new UsageError(`${dataset.name} was changed while its version was named`, 'run the same command again');
  // Whatever is changed after this has a later time: a version and a change of one millisecond could not be told apart.
  if (at === undefined) await setTimeout(2);
  return { name, ...wanted, at: time };
}

/** `NAME`, or `NAME@VERSION` if no dataset has that name. */
export async function findVersion(backend: Backend, asked: string, options: { readonly active?: boolean } = {}) {
  const sign = asked.lastIndexOf('@');
  if (sign < 1 || (await backend.dataset(asked)) !== null)
    return { dataset: await findDataset(backend, asked, options), version: null };
  const dataset = await findDataset(backend, asked.slice(0, sign), options);
  return { dataset, version: versionOf(dataset, asked.slice(sign + 1)) };
}

export function versionOf({ name, metadata }: DatasetRecord, wanted: string): NamedVersion {
  const all = namedVersions(metadata);
  // Runs print the beginning of the hash.
  const isHash = /^[0-9a-f]{8,64}$/.test(wanted);
  const found =
    all.find((one) => one.name === wanted) ?? all.find(({ hash }) => isHash && hash.startsWith(`sha256:${wanted}`));
  if (found !== undefined) return found;
  const none = `assay dataset version ${name} --name ${NAME.test(wanted) ? wanted : 'v1'} names what it holds now`;
  const next = all.length > 0 ? `it has ${all.map((one) => one.name).join(', ')}` : none;
  throw new UsageError(`the dataset ${name} has no version ${describe(wanted)}`, next);
}

/** The items of a version, or those of now. What cannot be had as it was is refused. */
export async function* itemsOfVersion(backend: Backend, { name }: DatasetRecord, version: NamedVersion | null) {
  if (version === null) return void (yield* backend.items(name));
  // A copy has the same items, but not at the same time.
  for (const options of [{ at: version.at }, {}])
    if ((await datasetVersion(backend.items(name, options))).hash === version.hash)
      return void (yield* backend.items(name, options));
  throw new UsageError(
    `the version ${version.name} of ${name} (${plural(version.items, 'item')} of ${version.at}) cannot be had in ${backend.place} as it was`,
    'it was named elsewhere, or items were deleted since',
  );
}
