import { Command } from 'commander';

import { refuseUse } from '../formats/case-formats.ts';
import { planRecipe } from '../recipe/plan.ts';
import { dataCheckDocument } from '../report/data-check.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { safeText } from '../report/safe-text.ts';
import { safeJson } from '../report/safe-json.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { checkData, type DataCheck } from '../audit/check-data.ts';
import { dataFlags } from './data-flags.ts';
import { Progress } from './progress.ts';
import { fileOptions, scoredFiles, type SourceFlags, sourcesOfSystems, totalBytes } from './scored-sources.ts';

interface ValidateFlags extends SourceFlags {
  readonly strict?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

const PROBLEMS = 1;

/** `end` receives the exit code if it is not 0. */
export function validateCommand(end: (code: number) => void): Command {
  const command = new Command('validate').argument('<recipe>', 'preset or recipe file');
  return fileOptions(command, 'model output to check; may be given again, also as NAME=FILE')
    .option('--strict', 'exit code 1 also for warnings')
    .option('--json', 'print everything as JSON on standard output')
    .option('--quiet', 'print nothing: the exit code is the answer')
    .addHelpText('after', HELP)
    .action(async (recipe: string, flags: ValidateFlags) => {
      end(await validate(recipe, flags));
    });
}

const HELP = `
Reads the files exactly as assay score does, and reports
  problems   what score would refuse: lines that cannot be read, fields of the
             wrong kind, the same id twice, spans past the end of the text or
             whose text is not the slice, gold labels and values outside the
             recipe's lists, records of cases that the other file lacks
  findings   what score lets pass: predicted labels and values that the recipe
             does not know, cases without predictions, empty texts, and what
             assay audit knows of files: duplicates, quotes that are not in the
             text, relationships that point to nothing, copied gold
  counts     cases, records and how often each label occurs, gold and predicted

Exit codes: 0 the files can be scored, 1 there are problems or findings of
severity error (with --strict also warnings), 2 the call is wrong.

Examples:
  $ assay validate pii/presidio --cases docs.json
  $ assay validate journal/ashwam --cases journals.jsonl --gold gold.jsonl
  $ assay validate recipe.yaml --gold gold.jsonl --predictions p.jsonl --json`;

async function validate(recipe: string, flags: ValidateFlags): Promise<number> {
  const plan = await planRecipe(recipe, [...(flags.set ?? []), ...dataFlags(flags)]);
  refuseUse('validate', plan, plan.name);
  const files = await scoredFiles(plan, flags);
  const progress = new Progress(process.stderr, totalBytes(files), flags.quiet === true);
  const checks: { readonly system: string; readonly check: DataCheck }[] = [];
  try {
    for (const { name: system, sources } of sourcesOfSystems(progress.counting(files)))
      checks.push({ system, check: await checkData(plan, sources) });
  } finally {
    progress.end();
  }
  const isOne = checks.length === 1;
  if (flags.json === true)
    process.stdout.write(
      safeJson(isOne ? checks[0]!.check : checks.map(({ system, check }) => ({ system, ...check }))),
    );
  else if (flags.quiet !== true)
    for (const { system, check } of checks)
      process.stdout.write(
        `${isOne ? '' : `${safeText(system)}\n`}${renderTerminal(dataCheckDocument(check), terminalStyle(process.stdout))}`,
      );
  return checks.some(({ check }) => isBad(check, flags.strict === true)) ? PROBLEMS : 0;
}

function isBad({ problems, findings }: DataCheck, strict: boolean): boolean {
  return (
    problems.total > 0 || findings.some(({ severity }) => severity === 'error' || (strict && severity === 'warning'))
  );
}
