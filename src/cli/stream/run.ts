import { join } from 'node:path';

import { type Document, renderTerminal } from '../../plugin.ts';
import {
  chooseConcepts,
  configuredExtractor,
  drawFigures,
  namedFiles,
  replayDocument,
  validationDocument,
} from '../../stream.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { EXIT } from '../group.ts';
import { NAMING_FLAGS } from '../naming-flags.ts';
import { MEASURE_FLAGS, measurementDocument, measureRuns } from './measure.ts';
import { isUnanswered, REPLAY_FLAGS, replayTraces } from './replay.ts';
import { STOPLIST_FLAGS, writeStoplists } from './stoplist.ts';
import { outFolder } from './stream-flags.ts';
import { checkFiles } from './validate.ts';

export default command({
  name: 'run',
  flags: {
    ...REPLAY_FLAGS,
    out: outFolder('folder to write runs, measures, figures and, with --stoplist, stoplists to'),
    concepts: flag.string('<extractor>', 'concept extractor (default: extractor.yaml of --config, else vocabulary)'),
    stoplist: { ...STOPLIST_FLAGS.threshold, about: 'exclude concepts that at least this share of the traces has' },
    bootstrapSamples: MEASURE_FLAGS.bootstrapSamples,
    ...NAMING_FLAGS,
  },
  help: `
The same call resumes after it was cut off, and gives the same bytes on any day.

Examples:
  $ assay stream run --traces traces --model heuristic --out stream
  $ assay stream run --traces traces --model recorded:runs --out stream \\
      --variants V0,V2 --concepts index:umls.idx --stoplist 0.9`,
  async run(flags, terminal) {
    const { traces, out, config, concepts, asPublished, bootstrapSamples, verbose, name, note, tag } = flags;
    const { progress } = terminal;
    const show = (document: Document): void => terminal.print(`\n${renderTerminal(document, terminal.style)}`);
    // What is wrong with a trace would be wrong in every figure made from it.
    const validation = await checkFiles({ traces, verbose }, terminal);
    terminal.print(renderTerminal(validationDocument(validation, verbose), terminal.style));
    if (validation.problems > 0) return EXIT.usage;

    const stoplists = flags.stoplist === undefined ? {} : { stoplists: join(out, 'stoplists') };
    // An extractor that cannot be opened is found out before the first call is paid for.
    if (stoplists.stoplists === undefined) await tryExtractor({ concepts, config });
    else
      await writeStoplists(
        {
          traces,
          out: stoplists.stoplists,
          verbose,
          join: asPublished ? 'space' : 'concat',
          ...(concepts === undefined ? flag.defined({ config }) : { concepts }),
          ...flag.defined({ threshold: flags.stoplist }),
        },
        progress,
      );

    const runs = join(out, 'runs');
    const used = config === undefined || concepts === undefined ? [] : namedFiles(config, { concepts });
    const { totals, model, notices } = await replayTraces(
      { ...flags, ...stoplists, out: runs },
      progress,
      'stream run',
      used,
    );
    show(replayDocument({ totals, model, notices, next: null }));
    if (isUnanswered(totals)) return EXIT.usage;
    if (flags.shard !== undefined) {
      terminal.print('\nOnce all shards are replayed, the same command without --shard measures them.\n');
      return EXIT.done;
    }

    const measures = join(out, 'measures');
    const variants = totals.map(({ variant }) => variant);
    const measurement = await measureRuns(
      {
        traces,
        runs,
        out: measures,
        variants,
        asPublished,
        verbose,
        tag,
        ...stoplists,
        ...flag.defined({ bootstrapSamples, concepts, config, name, note }),
      },
      progress,
    );
    show(measurementDocument(measurement, measures));

    const { figures } = await drawFigures(measures, { out: join(out, 'figures'), traces, runs, variants });
    terminal.print(`\nFigures: ${figures.map(({ file }) => file).join(', ')}\n`);
    return EXIT.done;
  },
});

/** Refuses an extractor that is not there. */
async function tryExtractor(flags: Parameters<typeof chooseConcepts>[0]): Promise<void> {
  const { settings, folder } = await chooseConcepts(flags);
  const extractor = await configuredExtractor(settings, folder, { stoplists: 'off' });
  await extractor.close?.();
}
