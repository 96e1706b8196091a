import { rmSync } from 'node:fs';

import { count, plural, fileSource, partialPath, safeJson } from '../../plugin.ts';
import * as stream from '../../stream.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { clearOnInterrupt } from '../interrupt.ts';
import { watchBytesOf } from '../progress.ts';

export default command({
  name: 'index',
  flags: {
    kb: {
      ...flag.required(flag.strings('<paths...>', 'scispaCy JSONL or JSON, the META folder of UMLS, or its RRF files')),
      file: 'read',
    },
    out: flag.required(flag.outputFile('index file to write')),
    minDf: flag.integer('<n>', 'number of aliases a trigram must be in to be kept (default: see below)', { from: 1 }),
    language: flag.string('<code>', 'UMLS: language of the names', stream.DEFAULT_RRF.language),
    suppressed: flag.toggle('UMLS: include suppressed names'),
    json: flag.JSON,
    quiet: flag.QUIET,
  },
  help: `
A knowledge base is JSONL or a JSON array of {concept_id, canonical_name,
aliases, types, definition}, as scispaCy has it, or MRCONSO.RRF with MRDEF.RRF
and MRSTY.RRF of UMLS; .gz and .zst are accepted. From UMLS, the English names
are used that are not suppressed, as in scispaCy's own conversion. You need a
licence of UMLS, and the index contains its names: do not pass it on.

--min-df is 10 from 100,000 aliases on, which is scispaCy's and made for
millions, and 1 below; --concepts kb:PATH has the same rule. Four million
aliases take about a minute and 1.2 GB of memory. The same files give the same
bytes.

Examples:
  $ assay stream index --kb umls.jsonl --out umls.idx
  $ assay stream index --kb 2024AB/META --out umls.idx
  $ assay stream index --kb terms.jsonl --min-df 2 --out terms.idx`,
  async run({ kb: paths, out, minDf, language, suppressed }, { progress }) {
    const watch = watchBytesOf(() => kb.totalBytes, progress);
    const kb = await stream.openKnowledgeBase(paths, { language, suppressed }, (path) => watch(fileSource(path)));
    clearOnInterrupt({ abandon: () => rmSync(partialPath(out), { force: true }) });
    const index = await stream.buildIndex(kb.concepts(), {
      ...flag.defined({ minDf }),
      facts: () => kb.facts(),
      onStep: (step, share) => progress.at(share, step),
    });
    const bytes = stream.writeIndex(index, out);
    const { aliasCount: aliases, indexedCount: indexedAliases, knowledgeBase } = index;
    const { length: concepts } = index.arrays.conceptNames;
    const { length: trigrams } = index.arrays.trigramDf;
    const notes = [...kb.notes, ...unindexedNotes(index)];
    const counts = [plural(trigrams, 'trigram'), `${count(bytes)} bytes`].join(', ');
    return {
      files: { out: null },
      json: () =>
        safeJson({
          index: out,
          bytes,
          knowledgeBase,
          minDf: index.minDf,
          concepts,
          aliases,
          indexedAliases,
          trigrams,
          notes,
        }),
      document: () => ({
        title: out,
        about: `${plural(aliases, 'alias', 'aliases')} of ${plural(concepts, 'concept')}, ${counts}`,
        sections: [
          {
            blocks: [
              { text: minDfText(index, minDf !== undefined) },
              { text: `knowledge base ${knowledgeBase.sha256}`, whole: true },
              { list: notes, mark: 'warning' },
            ],
          },
        ],
      }),
    };
  },
});

function minDfText({ minDf, aliasCount }: stream.LinkerIndex, isFlag: boolean): string {
  const range =
    aliasCount < stream.MANY_ALIASES
      ? `fewer than ${count(stream.MANY_ALIASES)}`
      : `${count(stream.MANY_ALIASES)} or more`;
  return `min-df ${count(minDf)}, ${isFlag ? 'by --min-df' : `the default for ${range} aliases`}`;
}

/** Aliases that no mention can ever match are reported. */
function unindexedNotes({ aliasCount, indexedCount, minDf }: stream.LinkerIndex): string[] {
  const left = aliasCount - indexedCount;
  if (left === 0) return [];
  return [
    `${count(left)} of ${count(aliasCount)} aliases ${left === 1 ? 'has' : 'have'} no trigram that is in ${count(minDf)} aliases or more, and cannot be found${minDf > 1 ? '; --min-df 1 keeps all' : ''}`,
  ];
}
