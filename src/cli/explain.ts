import { UsageError } from '../data/problems.ts';
import { VERDICTS, type VerdictKind } from '../judge/verdict.ts';
import { type CaseTexts, openCaseTexts } from '../report/case-texts.ts';
import { explainDocument } from '../report/explain.ts';
import { explainedCases, namedCases, worstCases } from '../report/explained-cases.ts';
import type { Document } from '../report/document.ts';
import { counted } from '../text/figures.ts';
import { programName } from '../report/program-name.ts';
import { recipeFacts, type RecipeFacts } from '../report/recipe-facts.ts';
import { renderTerminal, terminalLines } from '../report/render-terminal.ts';
import { shellWord } from '../report/shell-word.ts';
import { safeJson } from '../report/safe-json.ts';
import { type Style } from '../report/style.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { type CaseResult, idInFiles, type LedgerCase, type LedgerRecord } from '../score/ledger.ts';
import { readLedgerCases } from '../score/run-file.ts';
import { readRunWith } from '../score/run-queries.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';
import { closestNames } from '../text/closest-names.ts';

const WORST_SHOWN = 3;

const FLAGS = {
  case: flag.texts('<id...>', 'cases to show (default: the worst)'),
  all: flag.toggle('show every case, in the order of the files'),
  limit: flag.integer('<n>', `number of cases to show (default: ${WORST_SHOWN}, or all that are named)`, { from: 1 }),
  verdict: flag.text('<list>', `verdicts to show: ${VERDICTS.join(',')}`),
  scheme: flag.text('<name>', 'scheme whose verdicts to show, instead of the recipe’s own pairing'),
  cases: flag.inputFile('new location of the texts, if they have moved since they were scored'),
  recipe: flag.inputFile('recipe of the run, if it has a custom format, to show the texts'),
  json: flag.toggle('print the lines of the ledger instead'),
};

type ExplainFlags = flag.FlagValues<typeof FLAGS>;

export const explainCommand = command({
  name: 'explain',
  arguments: { run: flag.argument('run folder, written by assay score --out') },
  flags: FLAGS,
  help: `
Marks:
  ✓ hit   ✗ missed (gold without a match)   + spurious (prediction without gold)
  ~ excused (set aside by a rule of the recipe)

Examples:
  $ assay explain runs/first                             the worst cases
  $ assay explain runs/first --case D03 D07              two cases
  $ assay explain runs/first --verdict missed --limit 5  the cases that missed most
  $ assay explain runs/first --all --json | grep loc-in-org`,
  async run({ run: folder, ...flags }) {
    const style = terminalStyle(process.stdout);
    const run = await readRunWith(folder, flags.recipe);
    const facts = recipeFacts(run);
    const scheme = schemeOf(flags.scheme, facts);
    const verdicts = verdictsOf(flags.verdict);
    const limit = limitOf(flags);
    const { cases, note } = await chosenCases(folder, flags, verdicts ?? ['missed', 'spurious'], limit);
    const keep = (record: LedgerRecord): boolean =>
      (record.scheme ?? null) === scheme && (verdicts === null || verdicts.includes(record.verdict));
    const each = cases === null ? readLedgerCases(folder) : explainedCases(folder, cases);

    if (flags.json) {
      await forFirst(each, limit, ({ records }) => {
        for (const record of records) if (keep(record)) process.stdout.write(safeJson(record, 0));
      });
      if (note !== null) process.stderr.write(noteText(note, terminalStyle(process.stderr)));
      return;
    }
    const wanted = cases === null ? null : new Set(cases.map(idInFiles));
    const texts = await openCaseTexts(run, wanted, flags.cases ?? null);
    if (texts.notice !== null)
      process.stdout.write(`${terminalLines([{ text: texts.notice, mark: 'warning' }], style).join('\n')}\n\n`);
    let first = true;
    await forFirst(each, limit, async (explained) => {
      const shown = renderTerminal(await caseDocument(explained, texts, facts, scheme, keep), style);
      process.stdout.write(first ? shown : `\n${style.paint('─'.repeat(style.width), 'quiet')}\n${shown}`);
      first = false;
    });
    await texts.close();
    if (note !== null) process.stdout.write(`${first ? '' : '\n'}${noteText(note, style)}`);
  },
});

/** A sentence and, on separate lines, commands to copy. */
function noteText(note: string, style: Style): string {
  const [sentence = '', ...commands] = note.split('\n');
  return `${[style.paint(sentence), ...commands.map((line) => style.paint(line, 'strong'))].join('\n')}\n`;
}

async function forFirst<T>(
  all: AsyncIterable<T>,
  limit: number,
  visit: (one: T) => void | Promise<void>,
): Promise<void> {
  let seen = 0;
  for await (const one of all) {
    if (seen === limit) break;
    seen += 1;
    await visit(one);
  }
}

async function caseDocument(
  { result, records }: LedgerCase,
  texts: CaseTexts,
  facts: RecipeFacts,
  scheme: string | null,
  keep: (record: LedgerRecord) => boolean,
): Promise<Document> {
  const text = await texts.of(idInFiles(result));
  const own = records.filter((record) => (record.scheme ?? null) === scheme);
  const shown = own.filter(keep);
  return explainDocument({
    caseId: result.case,
    records: shown,
    hidden: own.length - shown.length,
    text,
    offsets: facts.offsets,
    unit: facts.unit(scheme),
    attributes: facts.attributes,
    remark: remarkOf(result, text === null && texts.notice === null ? texts.lacking : null),
  });
}

function remarkOf(result: CaseResult, lacking: string | null): string | null {
  const remarks = [
    ...(result.failed === undefined ? [] : [`failed, so it is not scored: ${result.failed}`]),
    ...(result.failedAsEmpty === undefined ? [] : [`failed, scored as an empty answer: ${result.failedAsEmpty}`]),
    ...(result.answered === false ? ['no prediction: scored as an empty answer'] : []),
    ...(lacking === null || lacking === '' ? [] : [lacking]),
  ];
  return remarks.length === 0 ? null : remarks.join('; ');
}

/** Which cases to show; null for all of them. */
async function chosenCases(
  folder: string,
  flags: ExplainFlags,
  verdicts: readonly VerdictKind[],
  limit: number,
): Promise<{ cases: CaseResult[] | null; note: string | null }> {
  if (flags.case.length > 0) return { cases: await namedCases(folder, flags.case), note: null };
  if (flags.all) return { cases: null, note: null };
  const { cases, others } = await worstCases(folder, verdicts, limit);
  const what = verdicts.join(' or ');
  const run = shellWord(folder);
  if (cases.length === 0)
    return {
      cases,
      note: `No case has a ${what} item; to see them anyway:\n  ${programName()} explain ${run} --all`,
    };
  if (others === 0) return { cases, note: null };
  return {
    cases,
    note: `${counted(others, 'other case')} ${others === 1 ? 'has' : 'have'} ${what} items; to see them, or one:\n  ${programName()} explain ${run} --limit ${cases.length + others}\n  ${programName()} explain ${run} --case ID`,
  };
}

function verdictsOf(given: string | undefined): readonly VerdictKind[] | null {
  if (given === undefined) return null;
  return given.split(',').map((word) => {
    const found = VERDICTS.find((verdict) => verdict === word.trim());
    if (found !== undefined) return found;
    const near = closestNames(word.trim(), VERDICTS);
    throw new UsageError(
      `--verdict ${given}: ${JSON.stringify(word)} is not a verdict`,
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : `verdicts: ${VERDICTS.join(', ')}`,
    );
  });
}

function schemeOf(given: string | undefined, facts: RecipeFacts): string | null {
  if (given === undefined || facts.schemes.includes(given)) return given ?? null;
  const near = closestNames(given, facts.schemes);
  throw new UsageError(
    `--scheme ${given}: the run has no such scheme`,
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : facts.schemes.length > 0
        ? `schemes: ${facts.schemes.join(', ')}`
        : 'it was scored by the recipe’s own pairing only',
  );
}

function limitOf(flags: ExplainFlags): number {
  return flags.limit ?? (flags.case.length === 0 && !flags.all ? WORST_SHOWN : Infinity);
}
