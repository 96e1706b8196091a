import { isUtf8 } from 'node:buffer';

import { Command } from 'commander';

import { InputError, UsageError } from '../../data/problems.ts';
import { OpenSource, sourceOf } from '../../data/source.ts';
import { renderTerminal } from '../../report/render-terminal.ts';
import { conceptsDocument } from '../../report/stream-concepts.ts';
import { safeJson } from '../../report/safe-json.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { extractorFromSpec } from '../../tasks/stream/concepts/extractor-from-spec.ts';
import { tellWaiting } from './waiting.ts';

interface ConceptsFlags {
  readonly file?: string;
  readonly concepts: string;
  readonly stoplists?: string;
  readonly record?: string;
  readonly all?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const MOST_BYTES = 1 << 26;

export function conceptsCommand(): Command {
  return new Command('concepts')
    .description('which concepts a text has, and why: mentions, candidates, scores, what dropped them')
    .argument('[text]', 'the text; without it, --file or standard input')
    .option('--file <file>', 'the text is in this file; - is standard input')
    .option('--concepts <what>', 'what finds concepts, as for stream measure', 'vocabulary')
    .option('--stoplists <folder>', 'stop_cuis.txt and stop_entities.txt, or off (default: those FILE.yaml names)')
    .option('--record <file>', 'keep the answer in this file, for --concepts recorded:FILE')
    .option('--all', 'show also candidates below the threshold')
    .option('--json', 'print everything as JSON')
    .option('--quiet', 'print only the ids, one a line')
    .addHelpText('after', HELP)
    .action(concepts);
}

const HELP = `
Rules, in this order: a surface on the stoplist is not looked up; candidates
below the threshold go, and those without a definition that have less than 0.95;
the best max_k stay; concepts on the stoplist go last.
An abbreviation that the text explains is looked up by its long form, which is
shown beside it: SCA = spinocerebellar ataxia.

Examples:
  $ assay stream concepts "Ataxia and dysarthria; MRI of the brain is normal."
  $ assay stream concepts --file note.txt --all
  $ assay stream concepts --file note.txt --concepts index:umls.idx --json
  $ cat note.txt | assay stream concepts --quiet`;

async function concepts(given: string | undefined, flags: ConceptsFlags): Promise<void> {
  if (given !== undefined && flags.file !== undefined)
    throw new UsageError('a text and --file are given', 'keep one of them');
  const place = flags.file ?? '-';
  if (given === undefined && place === '-') tellWaiting(flags.quiet === true);
  const text = given ?? (await textOf(place));
  const extractor = await extractorFromSpec(flags.concepts, { stoplists: flags.stoplists, record: flags.record });
  try {
    const found = await extractor.extract(text);
    if (flags.quiet === true && flags.json !== true) {
      process.stdout.write(found.map((id) => `${id}\n`).join(''));
      return;
    }
    const mentions = (await extractor.explain?.(text)) ?? null;
    process.stdout.write(
      flags.json === true
        ? safeJson({ extractor: extractor.identity, concepts: found, mentions })
        : renderTerminal(conceptsDocument(found, mentions, flags.all === true), terminalStyle(process.stdout)),
    );
  } finally {
    await extractor.close?.();
  }
}

async function textOf(place: string): Promise<string> {
  const source = new OpenSource(sourceOf(place));
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source.bytes()) {
    size += chunk.length;
    if (size > MOST_BYTES)
      throw new InputError([
        {
          file: source.name,
          line: null,
          message: `longer than ${MOST_BYTES / 1048576} MiB`,
          next: 'give a part of it',
        },
      ]);
    chunks.push(Buffer.from(chunk));
  }
  const bytes = Buffer.concat(chunks);
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new InputError([{ file: source.name, line: null, message: 'it is not UTF-8 text' }]);
}
