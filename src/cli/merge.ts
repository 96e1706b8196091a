import { renderTerminal, safeJson } from '../plugin.ts';
import { LEDGER_FORMATS, mergeRun } from '../pipeline.ts';
import { runDocument } from '../report.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';
import { clearOnInterrupt } from './interrupt.ts';

export default command({
  name: 'merge',
  arguments: { shards: flag.someArguments('folders of all shards, in any order') },
  flags: {
    out: flag.required(flag.string('<folder>', 'run folder to write')),
    recipe: flag.string('<file>', 'recipe of the shards, if it is neither a preset nor complete in them'),
    ledger: flag.choice(LEDGER_FORMATS, '<format>', 'how the ledger is written (default: jsonl)'),
    json: flag.JSON,
    verbose: flag.VERBOSE,
    quiet: flag.QUIET,
  },
  help: `
Every file is the same, to the byte, as if all cases had been scored in one run:
ledger, measures with their intervals, figures, audit and report; only
timing.json differs. Shards that are missing, doubled, or scored from other
files, by another recipe or version are refused, with the list.

Examples:
  $ assay score pii/strict --cases docs.jsonl --shard 1/3 --out parts/1
  $ assay score pii/strict --cases docs.jsonl --shard 2/3 --out parts/2
  $ assay score pii/strict --cases docs.jsonl --shard 3/3 --out parts/3
  $ assay merge parts/* --out runs/a`,
  async run({ shards, ...flags }, { progress, print, style }) {
    const { run, audit } = await mergeRun(shards, {
      out: flags.out,
      ...flag.defined({ recipe: flags.recipe, ledger: flags.ledger }),
      sink: { intervals: (share) => void progress.at(share, 'intervals') },
      onOpen: clearOnInterrupt,
    });
    progress.end();
    if (flags.json) process.stdout.write(safeJson(run.measures));
    print(renderTerminal(runDocument(run, { audit, verbose: flags.verbose }), style));
  },
});
