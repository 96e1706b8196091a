import {
  plural,
  programName,
  renderTerminal,
  safeJson,
  shellWord,
  suggestion,
  terminalLines,
  terminalStyle,
  UsageError,
} from '../plugin.ts';
import type { VerdictKind } from '../index.ts';
import { readRunWith, VERDICTS } from '../pipeline.ts';
import { explainRun, listVerdicts } from '../report.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';

const WORST_SHOWN = 3;
const LISTED = 30;

export default command({
  name: 'explain',
  arguments: { run: flag.argument('run folder, written by assay score --out') },
  flags: {
    case: flag.strings('<id...>', 'cases to show (default: the worst)'),
    all: flag.toggle('show every case, in the order of the files'),
    limit: flag.integer(
      '<n>',
      `number of cases to show (default: ${WORST_SHOWN}, or all that are named), or of verdicts that --label and --rule list (default: ${LISTED})`,
      { from: 1 },
    ),
    label: flag.strings('<list>', 'labels whose verdicts to show, gold or predicted, such as LOC,ORG'),
    rule: flag.strings('<list>', 'rules whose verdicts to show, such as loc-in-org'),
    verdict: flag.parsed('<list>', `verdicts to show: ${VERDICTS.join(',')}`, verdictsOf),
    scheme: flag.string('<name>', 'scheme whose verdicts to show, instead of the recipe’s own pairing'),
    cases: flag.inputFile('new location of the texts, if they have moved since they were scored'),
    recipe: flag.inputFile('recipe of the run, if it has a custom format, to show the texts'),
    json: flag.toggle('print the verdicts as JSON lines instead'),
  },
  help: `
Marks:
  ✓ hit   ✗ missed (gold without a match)   + spurious (prediction without gold)
  ~ excused (set aside by a rule of the recipe)

Examples:
  $ assay explain runs/first                             the worst cases
  $ assay explain runs/first --case D03 D07              two cases
  $ assay explain runs/first --verdict missed --limit 5  the cases that missed most
  $ assay explain runs/first --label LOC --verdict missed,spurious
                                                 all that is wrong with a label
  $ assay explain runs/first --rule loc-in-org           what a rule decided
  $ assay explain runs/first --label LOC --case D03      the same, in one text
  $ assay explain runs/first --all --json | grep '"similarity":0'`,
  async run({ run: folder, case: ids, all, json, verdict = null, scheme = null, cases: texts = null, ...flags }) {
    const cases = ids.length > 0 ? ids : all ? 'all' : null;
    const shown = { verdicts: verdict, labels: flags.label, rules: flags.rule, scheme };
    const run = await readRunWith(folder, flags.recipe);
    if (cases === null && flags.label.length + flags.rule.length > 0)
      return printList(await listVerdicts(run, { ...shown, limit: flags.limit ?? (json ? Infinity : LISTED) }), json);
    const limit = flags.limit ?? (cases === null ? WORST_SHOWN : Infinity);
    const explained = await explainRun(run, { ...shown, cases, limit, texts });
    const out = json ? process.stderr : process.stdout;
    const style = terminalStyle(out);
    const line = `\n${style.paint('─'.repeat(style.width), 'quiet')}\n`;
    const notice = json ? null : await explained.notice();
    if (notice !== null) out.write(`${terminalLines([{ text: notice, mark: 'warning' }], style).join('\n')}\n\n`);
    let first = true;
    for await (const { records, document } of explained.cases()) {
      if (json) for (const record of records) process.stdout.write(safeJson(record, 0));
      else process.stdout.write(`${first ? '' : line}${renderTerminal(await document(), style)}`);
      first = false;
    }
    await explained.close();
    if (explained.worst === null) return;
    const [sentence, ...commands] = otherCases(folder, explained.ranked.join(' or '), explained.worst);
    if (sentence === undefined) return;
    const note = [style.paint(sentence), ...commands.map((call) => style.paint(`  ${call}`, 'strong'))];
    out.write(`${first || json ? '' : '\n'}${note.join('\n')}\n`);
  },
});

function printList({ records, document }: Awaited<ReturnType<typeof listVerdicts>>, json: boolean): void {
  if (json) for (const record of records) process.stdout.write(safeJson(record, 0));
  else process.stdout.write(renderTerminal(document(), terminalStyle(process.stdout)));
}

/** A sentence and commands to copy; none if every such case is shown. */
function otherCases(folder: string, what: string, { shown, others }: { shown: number; others: number }): string[] {
  const call = `${programName()} explain ${shellWord(folder)}`;
  if (shown === 0) return [`No case has a ${what} item; to see them anyway:`, `${call} --all`];
  if (others === 0) return [];
  return [
    `${plural(others, 'other case')} ${others === 1 ? 'has' : 'have'} ${what} items; to see them, or one:`,
    `${call} --limit ${shown + others}`,
    `${call} --case ID`,
  ];
}

function verdictsOf(written: string, name: string): readonly VerdictKind[] {
  return written.split(',').map((word) => {
    const found = VERDICTS.find((verdict) => verdict === word.trim());
    if (found !== undefined) return found;
    throw new UsageError(
      `${name} ${written}: ${JSON.stringify(word)} is not a verdict`,
      suggestion(word.trim(), VERDICTS, 'verdicts'),
    );
  });
}
