import { definitionList, type Document, plural, safeJson, sourceOf, terminalStyle, UsageError } from '../plugin.ts';
import { convert, type Converted, FORMATS, writableFormats } from '../pipeline.ts';
import { noticeLines } from '../report.ts';
import { command } from './command.ts';
import { DATA_FLAGS, dataOptions } from './data-flags.ts';
import * as flag from './flags.ts';

export default command({
  name: 'convert',
  arguments: {
    file: flag.argument('file or folder to read; - is standard input'),
    out: flag.argument('file to write; a folder for formats with a file for each document'),
  },
  flags: {
    to: flag.string('<format>', 'format to write (default: graph if there are relations, else spans)'),
    side: flag.choice(['gold', 'predicted', 'both'], '<side>', 'annotations to take (default: gold)'),
    cases: flag.inputFile('texts, if the file has none'),
    ...DATA_FLAGS,
    strict: flag.toggle('exit code 1 if anything is lost'),
    json: flag.JSON_ALONE,
    quiet: flag.QUIET,
  },
  help: helpText,
  async run({ file, out, to, side, cases, strict, ...flags }) {
    if (out === '-') throw new UsageError('convert: OUT has to be a file, which is read back to check it');
    const converted = await convert(sourceOf(file), out, {
      ...(await dataOptions(flags)),
      ...flag.defined({ to, side }),
      ...(cases === undefined ? {} : { texts: sourceOf(cases) }),
    });
    return {
      document: () => convertedDocument(converted, out),
      json: () => safeJson(converted),
      exit: strict && converted.losses.length > 0 ? 1 : 0,
    };
  },
});

const EXAMPLES = 3;

/** What was written, and what of it cannot be read back. */
function convertedDocument({ from, to, cases, items, losses, notices = {} }: Converted, out: string): Document {
  const counts = `${plural(cases, 'case')}, ${plural(items, 'item')}`;
  const kinds = [...Map.groupBy(losses, ({ what }) => what)].sort(([, a], [, b]) => b.length - a.length);
  return {
    title: `${out}: ${to}`,
    about: `${counts}, converted from ${from}`,
    sections: [
      { blocks: [{ list: noticeLines({ ...notices }), mark: 'warning' }] },
      losses.length === 0
        ? { blocks: [{ text: 'Nothing was lost: reading the result back gives the same cases and items.' }] }
        : {
            title: 'Lost',
            blocks: [
              {
                columns: [
                  { title: 'lost', shrinks: true },
                  { title: 'times', align: 'right' },
                  { title: 'of', wraps: true },
                ],
                rows: kinds.map(([what, own]) => [what, String(own.length), examplesOf(own)]),
              },
              { text: '--json lists every one of them.', tone: 'quiet' },
            ],
          },
    ],
  };
}

function examplesOf(losses: Converted['losses']): string {
  const shown = losses
    .slice(0, EXAMPLES)
    .map((loss) => (loss.item === null ? loss.case : `${loss.case}: ${loss.item}`));
  return shown.join('; ') + (losses.length > shown.length ? '; …' : '');
}

function helpText(): string {
  const width = terminalStyle(process.stdout).width;
  const written = new Set(writableFormats());
  const formats = FORMATS.map((format): [string, string] => [
    format.name,
    format.about + (written.has(format) ? '' : ' (read only)'),
  ]);
  return `
Formats:
${definitionList(formats, width).join('\n')}

The result is read back and compared: whatever it does not hold is listed, item
by item.

Examples:
  $ assay convert corpus/ gold.jsonl             a folder of brat files as spans
  $ assay convert gold.jsonl corpus --to brat
  $ assay convert project.json gold.conll --to conll
  $ assay convert output.json p.jsonl --side predicted --cases texts.jsonl`;
}
