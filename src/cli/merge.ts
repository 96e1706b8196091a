import { type Document, plural, renderTerminal, safeJson, shellWord, UsageError } from '../plugin.ts';
import { LEDGER_FORMATS, mergeRun, type ShardRecord } from '../pipeline.ts';
import { runDocument } from '../report.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';
import { clearOnInterrupt } from './interrupt.ts';
import { NAMING_FLAGS, namingOfFlags } from './naming-flags.ts';

export default command({
  name: 'merge',
  arguments: { shards: flag.someArguments('folders of all shards, in any order') },
  flags: {
    out: flag.required(flag.string('<folder>', 'run folder to write')),
    recipe: flag.string('<file>', 'recipe of the shards, if it is neither a preset nor complete in them'),
    ledger: flag.choice(LEDGER_FORMATS, '<format>', 'how the ledger is written (default: jsonl)'),
    ...NAMING_FLAGS,
    json: flag.JSON,
    verbose: flag.VERBOSE,
    quiet: flag.QUIET,
  },
  help: `
Every file is the same, to the byte, as if all cases had been scored in one run:
ledger, measures with their intervals, figures, audit and report; only
timing.json differs. A name, a note and tags that all shards share are the run's,
unless you give others. Shards that are missing, doubled, or scored from other
files, by another recipe or version are refused, with the list.

Examples:
  $ assay score spans/strict --cases docs.jsonl --shard 1/3 --out parts/1
  $ assay score spans/strict --cases docs.jsonl --shard 2/3 --out parts/2
  $ assay score spans/strict --cases docs.jsonl --shard 3/3 --out parts/3
  $ assay merge parts/* --out runs/a`,
  async run({ shards, ...flags }, { progress, print, style }) {
    const { run, audit } = await mergeRun(shards, {
      out: flags.out,
      ...namingOfFlags(flags),
      ...flag.defined({ recipe: flags.recipe, ledger: flags.ledger }),
      sink: { intervals: (share) => void progress.at(share, 'intervals') },
      onOpen: clearOnInterrupt,
    });
    progress.end();
    if (flags.json) process.stdout.write(safeJson(run.measures));
    print(renderTerminal(runDocument(run, { audit, verbose: flags.verbose }), style));
  },
});

/** Flags of `assay score` that do not go with a shard. */
interface ShardFlags extends Readonly<Partial<Record<'out' | 'baseline' | 'ledger', string>>> {
  readonly workers?: number;
  readonly audit: boolean;
  readonly failUnder: readonly unknown[];
}

/** What is made of all cases, or of several systems, cannot be made of a part. */
export function refuseWithShard(
  { out, baseline, ledger, workers, audit, failUnder }: ShardFlags,
  isSeveral: boolean,
): void {
  if (out === undefined) throw new UsageError('--shard: a part is kept for assay merge', 'add --out FOLDER');
  if (isSeveral)
    throw new UsageError(
      '--shard: this call scores several systems, or their reviews, together',
      'give the predictions of one system and no reviews, then compare the merged runs',
    );
  const judged = failUnder.length > 0 || undefined;
  const later = Object.entries({ baseline, ledger, audit: audit || undefined, failUnder: judged }).find(
    ([, value]) => value !== undefined,
  );
  if (later !== undefined)
    throw new UsageError(
      `${flag.flagName(later[0])}: a part of the cases has no result`,
      later[0] === 'ledger'
        ? 'give it to assay merge'
        : 'leave it out; the merged run has an audit and can be compared',
    );
  if (workers !== undefined)
    throw new UsageError('--workers: a shard is scored by one thread', 'use more shards instead');
}

export function shardDocument({ shard: { number, of }, cases, recipe }: ShardRecord, out: string): Document {
  return {
    title: `Shard ${number} of ${of}: ${plural(cases, 'case')} scored by ${recipe.name}`,
    sections: [
      { blocks: [{ text: `Once all ${of} are scored: assay merge ${shellWord(out)} … --out FOLDER`, whole: true }] },
    ],
  };
}
