import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { fileSource, type Source } from '../../data/source.ts';
import { count, counted } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import { buildIndex, MANY_ALIASES } from '../../tasks/stream/concepts/linker/build-index.ts';
import { type LinkerIndex, writeIndex } from '../../tasks/stream/concepts/linker/linker-index.ts';
import { DEFAULT_RRF, type KnowledgeBase, openKnowledgeBase } from '../../tasks/stream/concepts/linker/read-kb.ts';
import { partialPath } from '../../data/write-file.ts';
import { clearOnInterrupt } from '../interrupt.ts';
import { bytesLine } from '../progress.ts';
import { shareBar, Progress } from '../progress.ts';
import { wholeNumber } from '../whole-number.ts';
import { refusePlaces } from '../write-whole.ts';

interface IndexFlags {
  readonly kb: readonly string[];
  readonly out: string;
  readonly minDf?: string;
  readonly language: string;
  readonly suppressed?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function indexCommand(): Command {
  return new Command('index')
    .description('build the index of a knowledge base, once, for linking concepts')
    .requiredOption('--kb <paths...>', 'scispaCy JSONL or JSON, or the META folder of UMLS, or its RRF files')
    .requiredOption('--out <file>', 'the index file')
    .option('--min-df <n>', 'leave out trigrams that are in fewer aliases (default: see below)')
    .option('--language <code>', 'UMLS: names of this language', DEFAULT_RRF.language)
    .option('--suppressed', 'UMLS: names that are suppressed, too')
    .option('--json', 'print what was built as JSON on standard output')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(index);
}

const HELP = `
A knowledge base is JSONL or a JSON array of {concept_id, canonical_name,
aliases, types, definition}, as scispaCy has it, or MRCONSO.RRF with MRDEF.RRF
and MRSTY.RRF of UMLS; .gz is understood. Of UMLS the English names are taken
that are not suppressed, as scispaCy's own conversion does. You need a licence
of UMLS, and the index holds its names: do not pass it on.

--min-df is 10 from 100,000 aliases on, which is scispaCy's and made for
millions, and 1 below; --concepts kb:PATH has the same rule. Four million
aliases take about a minute and 1.2 GB of memory. The same files give the same
bytes.

Examples:
  $ assay stream index --kb umls.jsonl --out umls.idx
  $ assay stream index --kb 2024AB/META --out umls.idx
  $ assay stream index --kb terms.jsonl --min-df 2 --out terms.idx`;

async function index(flags: IndexFlags): Promise<void> {
  refusePlaces([['--out', flags.out]]);
  if (flags.kb.some((path) => resolve(path) === resolve(flags.out)))
    throw new UsageError(`--kb and --out both name ${flags.out}`, 'give the index a name of its own');
  const minDf =
    flags.minDf === undefined ? {} : { minDf: wholeNumber('--min-df', flags.minDf, 1, Number.MAX_SAFE_INTEGER) };
  const line = new Progress(process.stderr, flags.quiet === true);
  let read = 0;
  let total = 0;
  const counting = (path: string): Source => {
    const source = fileSource(path);
    return { ...source, open: async () => watched(await source.open()) };
  };
  async function* watched(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      yield chunk;
      read += chunk.length;
      line.show((elapsed) => bytesLine(read, total, elapsed));
    }
  }
  const rrf = { language: flags.language, suppressed: flags.suppressed === true };
  const kb = await openKnowledgeBase(flags.kb, rrf, counting);
  total = kb.totalBytes;
  clearOnInterrupt({ abandon: () => rmSync(partialPath(flags.out), { force: true }) });
  try {
    const built = await buildIndex(kb.concepts(), {
      ...minDf,
      facts: () => kb.facts(),
      onStep: async (step, share) => {
        line.show(() => `${shareBar(share)}  ${step}`);
        // So that signals are heard between two stretches of work.
        await setImmediate();
      },
    });
    const bytes = writeIndex(built, flags.out);
    line.end();
    report(built, kb, bytes, flags);
  } finally {
    line.end();
  }
}

function report(built: LinkerIndex, kb: KnowledgeBase, bytes: number, flags: IndexFlags): void {
  const { aliasCount, indexedCount, knowledgeBase, minDf } = built;
  const { length: concepts } = built.arrays.conceptNames;
  const { length: trigrams } = built.arrays.trigramDf;
  const notes = [...kb.notes, ...emptyNotes(built)];
  if (flags.json === true)
    process.stdout.write(
      safeJson({
        index: flags.out,
        bytes,
        knowledgeBase,
        minDf,
        concepts,
        aliases: aliasCount,
        indexedAliases: indexedCount,
        trigrams,
        notes,
      }),
    );
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  const style = terminalStyle(stream);
  const lines = [
    `${flags.out}: ${counted(aliasCount, 'alias', 'aliases')} of ${counted(concepts, 'concept')}, ${counted(trigrams, 'trigram')}, ${count(bytes)} bytes`,
    minDfText(built, flags.minDf !== undefined),
    `knowledge base ${knowledgeBase.sha256}`,
  ];
  for (const one of lines) stream.write(`${style.paint(one)}\n`);
  for (const note of notes) stream.write(`${style.paint(`note: ${note}`, 'warn')}\n`);
}

function minDfText({ minDf, aliasCount }: LinkerIndex, given: boolean): string {
  const side = aliasCount < MANY_ALIASES ? 'for fewer than' : 'from';
  const why = given ? 'as given' : `the default ${side} ${count(MANY_ALIASES)} aliases${side === 'from' ? ' on' : ''}`;
  return `min-df ${count(minDf)}, ${why}`;
}

/** Aliases that no mention can ever find are not passed over in silence. */
function emptyNotes({ aliasCount, indexedCount, minDf }: LinkerIndex): string[] {
  const left = aliasCount - indexedCount;
  if (left === 0) return [];
  return [
    `${count(left)} of ${count(aliasCount)} aliases ${left === 1 ? 'has' : 'have'} no trigram that is in ${count(minDf)} aliases or more, and cannot be found${minDf > 1 ? '; --min-df 1 keeps all' : ''}`,
  ];
}
