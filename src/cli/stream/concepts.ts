import { isUtf8 } from 'node:buffer';

import { InputError, readWhole, safeJson, sourceOf, UsageError } from '../../plugin.ts';
import { conceptsDocument, extractorFromSpec } from '../../stream.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { noteWaiting } from './stream-flags.ts';

const MOST_BYTES = 1 << 26;

export default command({
  name: 'concepts',
  arguments: { text: flag.optionalArgument('text; without it, --file or standard input') },
  flags: {
    file: flag.inputFile('file of the text; - is standard input'),
    concepts: flag.string('<what>', 'concept extractor, as for stream measure', 'vocabulary'),
    stoplists: flag.string(
      '<folder>',
      'folder of stop_cuis.txt and stop_entities.txt, or off (default: as in FILE.yaml)',
    ),
    record: flag.outputFile('file to keep the answer in, for --concepts recorded:FILE'),
    all: flag.toggle('also show candidates below the threshold'),
    json: flag.JSON_ALONE,
    quiet: flag.toggle('print only the ids, one per line'),
  },
  help: `
Rules, in this order: a surface form on the stoplist is not looked up;
candidates below the threshold are dropped, and those without a definition that
score below 0.95; the best max_k are kept; concepts on the stoplist are dropped
last. An abbreviation that the text explains is looked up by its long form,
which is shown next to it: SCA = spinocerebellar ataxia.

Examples:
  $ assay stream concepts "Ataxia and dysarthria; MRI of the brain is normal."
  $ assay stream concepts --file note.txt --all
  $ assay stream concepts --file note.txt --concepts index:umls.idx --json
  $ cat note.txt | assay stream concepts --quiet`,
  async run({ text: words, file, concepts, stoplists, record, all, json, quiet }, terminal) {
    if (words !== undefined && file !== undefined)
      throw new UsageError('a text and --file are given', 'keep one of them');
    if (words === undefined && (file ?? '-') === '-') noteWaiting(terminal);
    const text = words ?? (await textOf(file ?? '-'));
    const extractor = await extractorFromSpec(concepts, { stoplists, record });
    try {
      const ids = await extractor.extract(text);
      if (quiet && !json) {
        process.stdout.write(ids.map((id) => `${id}\n`).join(''));
        return;
      }
      const mentions = (await extractor.explain?.(text)) ?? null;
      return {
        document: () => conceptsDocument(ids, mentions, all),
        json: () => safeJson({ extractor: extractor.identity, concepts: ids, mentions }),
      };
    } finally {
      await extractor.close?.();
    }
  },
});

async function textOf(place: string): Promise<string> {
  const source = sourceOf(place);
  const bytes = await readWhole(source, MOST_BYTES, 'the text');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new InputError([{ file: source.name, line: null, message: 'it is not UTF-8 text' }]);
}
