import { plural, safeJson, safeText } from '../../plugin.ts';
import { freeze, readAgentsProvenance } from '../../stream.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { idFlag } from './stream-flags.ts';

export default command({
  name: 'freeze',
  arguments: { folder: flag.argument('folder of traces, such as assay stream record writes') },
  flags: {
    dataset: { ...idFlag('name of the set and of its files'), fallback: 'traces' },
    runId: idFlag('id of what produced the conversations (default: that of the traces, or the name of the set)'),
    config: flag.string('<folder>', 'folder of mas_generation.yaml, for code, commit and decoding of the agents'),
    force: flag.toggle('freeze again even if frozen traces are missing or have changed'),
    json: flag.JSON,
    quiet: flag.QUIET,
  },
  help: `
Writes FOLDER/<dataset>.manifest.jsonl and FOLDER/<dataset>.case_list.jsonl. New
traces are added; the same traces always give the same bytes. Traces with
problems are not frozen. assay stream validate FOLDER checks the set later.
With --config the manifest states mac.fork_url, mac.commit, mac.base_model and
mac.decoding of mas_generation.yaml, and its hash; traces of another commit are
refused.

Examples:
  $ assay stream freeze traces
  $ assay stream freeze traces --dataset ward-round --run-id agents-v3
  $ assay stream freeze traces --config configs`,
  async run({ folder, dataset = 'traces', runId: masRunId = null, config, force }, terminal) {
    const provenance = config === undefined ? {} : readAgentsProvenance(config);
    const frozen = await freeze({ folder, dataset, masRunId, force, provenance });
    const counts = [plural(frozen.cases, 'trace'), plural(frozen.deltas, 'delta'), plural(frozen.turns, 'turn')];
    terminal.print(`${safeText(`${frozen.manifest}: ${counts.join(', ')}`)}\n${frozen.datasetHash}\n`);
    return { json: () => safeJson(frozen) };
  },
});
