import { once } from 'node:events';

import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { validationDocument } from '../../report/stream-validation.ts';
import type { Finding } from '../../tasks/stream/validate/findings.ts';
import { validateFiles, type Validation } from '../../tasks/stream/validate/validate.ts';
import { counted } from '../../text/figures.ts';
import { command, type Terminal } from '../command.ts';
import * as flag from '../flags.ts';
import { EXIT } from '../group.ts';

const FLAGS = {
  traces: flag.text('<folder>', 'as a path, which must contain a trace unless it is empty'),
  runs: flag.text('<folder>', 'as a path, which must contain a run log unless it is empty'),
  manifest: flag.text('<file>', 'as a path, which must be a manifest'),
  metrics: flag.text('<folder>', 'as a path, which must contain a metric file'),
  complete: flag.toggle('report what is named but missing as a problem, not as a notice'),
  verbose: flag.toggle('print every file that was read, traces with their chunk counts'),
  json: flag.toggle('print everything as JSON on standard output, the summary on standard error'),
  quiet: flag.toggle('print nothing but problems'),
};

type ValidateFlags = Partial<flag.FlagValues<typeof FLAGS>>;

export const validateCommand = command({
  name: 'validate',
  arguments: { paths: flag.restArguments('files of JSON lines, compressed or not, and folders of them') },
  flags: FLAGS,
  help: `
The records of a file decide what it is, not its name. Checked are:
  traces     order of seq, turns in pairs, content hashes, times within 2 ms,
             counts, at least one message, each case once
  run logs   order, indices and ids, windows, history, units, timestamps, what
             led to what: flushes, decisions, summaries; against the trace,
             hashes, the text of all three, reasons that cannot be true
  manifests  order, sums, hash of the set, each trace's sha256 (decompressed),
             counts, the hash of the case list, traces that are not listed, a
             mac_commit that is not the traces'
  metrics    what stream measure writes (per_case.metrics.jsonl,
             aggregate.metrics.json): each metric and its interval, each case
             once, counts, and fields under earlier names with other values
Each problem is one line: FILE:RECORD: what was found, what was expected.
assay schema trace (run-log, stream-manifest, stream-case-metrics,
stream-metrics) prints the JSON Schema.

An existing, empty folder is reported and is not a problem, except with
--complete. Chunk counts: what of a trace is part of its text, and what is not.

Exit codes: 0 no problems, 2 problems.

Examples:
  $ assay stream validate data/
  $ assay stream validate --traces traces --runs runs \\
      --manifest traces/set.manifest.jsonl --complete
  $ assay stream validate --metrics measures
  $ assay stream validate data/ --json | jq '.problems[].check'`,
  async run({ paths, ...flags }, terminal) {
    const validation = await checkFiles(flags, terminal, paths);
    return {
      document: () => validationDocument(validation, flags.verbose),
      exit: validation.problems === 0 ? EXIT.done : EXIT.usage,
    };
  },
});

/** Prints problems as they are found. */
export async function checkFiles(
  { traces, runs, manifest, metrics, complete = false, verbose = false, json = false }: ValidateFlags,
  { progress }: Pick<Terminal, 'progress'>,
  paths: readonly string[] = [],
): Promise<Validation> {
  const problems = json ? new JsonProblems() : new TextProblems();
  const kinds = { trace: traces, 'run-log': runs, manifest, metrics } as const;
  const validation = await validateFiles({
    paths,
    holding: (['trace', 'run-log', 'manifest', 'metrics'] as const).flatMap((kind) => {
      const path = kinds[kind];
      return path === undefined ? [] : [{ path, kind }];
    }),
    complete,
    report(finding) {
      progress.end();
      problems.add(finding);
    },
    breathe: (share) => progress.at(share),
    written: () => problems.written(),
  }).finally(() => problems.flush());
  progress.end();
  problems.end(validation, verbose);
  return validation;
}

/** Lines of one file in text: more of them have one cause, not a hundred. */
const MOST_LINES = 100;
const WRITE_AT = 1 << 16;

/** Written in large pieces: there may be millions of lines. */
class Output {
  #buffer = '';

  write(text: string): void {
    this.#buffer += text;
    if (this.#buffer.length > WRITE_AT) this.flush();
  }

  /** Once the reader has caught up: otherwise all of it would wait in memory. */
  async written(): Promise<void> {
    if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
  }

  flush(): void {
    if (this.#buffer !== '') process.stdout.write(this.#buffer);
    this.#buffer = '';
  }
}

/** One line per problem. */
class TextProblems extends Output {
  readonly #counts = new Map<string, number>();

  add({ file, record, message }: Finding): void {
    const before = this.#counts.get(file) ?? 0;
    this.#counts.set(file, before + 1);
    if (before < MOST_LINES) this.write(safeText(`${file}${record === null ? '' : `:${record}`}: ${message}`) + '\n');
  }

  end(): void {
    for (const [file, times] of this.#counts)
      if (times > MOST_LINES)
        this.write(`${safeText(file)}: … and ${counted(times - MOST_LINES, 'more problem')}; --json shows all\n`);
    this.flush();
  }
}

/** One JSON document, written as its parts are found. */
class JsonProblems extends Output {
  #separator = '';

  constructor() {
    super();
    this.write('{"problems":[');
  }

  add(finding: Finding): void {
    // Its texts are safe already.
    this.write(`${this.#separator}\n${JSON.stringify(finding)}`);
    this.#separator = ',';
  }

  end({ problems, files, records, notices, parsing, traces }: Validation, verbose: boolean): void {
    const facts = safeJson(
      {
        valid: problems === 0,
        problemCount: problems,
        files,
        records,
        notices,
        parsing_statistics: parsing,
        ...(verbose && {
          traces: traces.map(({ file, caseId, turns, deltas, parsing: statistics }) => ({
            file,
            case_id: caseId,
            turns,
            deltas,
            parsing_statistics: statistics,
          })),
        }),
      },
      0,
    );
    this.write(`${this.#separator === '' ? '' : '\n'}],${facts.slice(1)}`);
    this.flush();
  }
}
