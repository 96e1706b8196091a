import { plural, safeJson, safeText } from '../../plugin.ts';
import { freeze } from '../../stream.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { idFlag } from './stream-flags.ts';

export default command({
  name: 'freeze',
  arguments: { folder: flag.argument('folder of traces, such as assay stream record writes') },
  flags: {
    dataset: { ...idFlag('name of the set and of its files'), fallback: 'traces' },
    runId: idFlag('id of what produced the conversations (default: that of the traces, or the name of the set)'),
    force: flag.toggle('freeze again even if frozen traces are missing or have changed'),
    json: flag.JSON,
    quiet: flag.QUIET,
  },
  help: `
Writes FOLDER/<dataset>.manifest.jsonl and FOLDER/<dataset>.case_list.jsonl. New
traces are added; the same traces always give the same bytes. Traces with
problems are not frozen. assay stream validate FOLDER checks the set later.

Examples:
  $ assay stream freeze traces
  $ assay stream freeze traces --dataset ward-round --run-id agents-v3`,
  async run({ folder, dataset = 'traces', runId: masRunId = null, force }, terminal) {
    const frozen = await freeze({ folder, dataset, masRunId, force });
    const counts = [plural(frozen.cases, 'trace'), plural(frozen.deltas, 'delta'), plural(frozen.turns, 'turn')];
    terminal.print(`${safeText(`${frozen.manifest}: ${counts.join(', ')}`)}\n${frozen.datasetHash}\n`);
    return { json: () => safeJson(frozen) };
  },
});
