import { once } from 'node:events';

import { plural, safeJson, safeText } from '../../plugin.ts';
import { type FileFinding, validateFiles, type Validation, validationDocument } from '../../stream.ts';
import { command, type Terminal } from '../command.ts';
import * as flag from '../flags.ts';
import { EXIT } from '../group.ts';

const FLAGS = {
  traces: flag.string('<folder>', 'as a path, which must contain a trace unless it is empty'),
  runs: flag.string('<folder>', 'as a path, which must contain a run log unless it is empty'),
  manifest: flag.string('<file>', 'as a path, which must be a manifest'),
  metrics: flag.string('<folder>', 'as a path, which must contain a metric file'),
  complete: flag.toggle('report what is named but missing as a problem, not as a notice'),
  verbose: flag.toggle('print every file that was read, traces with their chunk counts'),
  json: flag.toggle('print everything as JSON on standard output, the summary on standard error'),
  quiet: flag.toggle('print nothing but problems'),
};

type ValidateFlags = Partial<flag.FlagValues<typeof FLAGS>>;

export default command({
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

Turns may overlap, and a delta may come up to 2 ms after the end of its turn:
both are counted with their places (noticePlaces of --json), not problems.

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
  const problems = new ProblemWriter(json);
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

/** Problems as lines of text, or as one JSON document, written in large pieces as they are found: there may be millions. */
class ProblemWriter {
  readonly #isJson: boolean;
  readonly #counts = new Map<string, number>();
  #buffer = '';

  constructor(isJson: boolean) {
    this.#isJson = isJson;
  }

  add(finding: FileFinding): void {
    const { file, record, message } = finding;
    const before = this.#counts.get(file) ?? 0;
    // The texts of a finding are safe in JSON already.
    if (this.#isJson) this.#buffer += `${this.#counts.size === 0 ? '{"problems":[' : ','}\n${JSON.stringify(finding)}`;
    else if (before < MOST_LINES)
      this.#buffer += `${safeText(`${file}${record === null ? '' : `:${record}`}: ${message}`)}\n`;
    this.#counts.set(file, before + 1);
    if (this.#buffer.length > WRITE_AT) this.flush();
  }

  end(validation: Validation, verbose: boolean): void {
    if (this.#isJson)
      this.#buffer += `${this.#counts.size === 0 ? '{"problems":[' : '\n'}],${validationFacts(validation, verbose).slice(1)}`;
    else
      for (const [file, times] of this.#counts)
        if (times > MOST_LINES)
          this.#buffer += `${safeText(file)}: … and ${plural(times - MOST_LINES, 'more problem')}; --json shows all\n`;
    this.flush();
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

function validationFacts(
  { problems, files, records, notices, noticePlaces, parsing, traces }: Validation,
  verbose: boolean,
): string {
  const listed = traces.map(({ file, caseId, turns, deltas, parsing: statistics }) => ({
    file,
    case_id: caseId,
    turns,
    deltas,
    parsing_statistics: statistics,
  }));
  return safeJson(
    {
      valid: problems === 0,
      problemCount: problems,
      files,
      records,
      notices,
      noticePlaces,
      parsing_statistics: parsing,
      ...(verbose ? { traces: listed } : {}),
    },
    0,
  );
}
