import { existsSync } from 'node:fs';

import { renderTerminal, safeJson, safeText, UsageError } from '../plugin.ts';
import type { DataCheck } from '../index.ts';
import { checkData, planRecipe, refuseUse } from '../pipeline.ts';
import { dataCheckDocument } from '../report.ts';
import { command } from './command.ts';
import { dataSettings } from './data-flags.ts';
import * as flag from './flags.ts';
import { fileFlags, scoredFiles, type SourceFlags, sourcesOfSystems, withProgress } from './scored-sources.ts';
import { isDataFile, validateFiles } from './validate-files.ts';

const HELP = `
With data files instead of a recipe, each is checked by itself: its format, its
records, cases and labels, what is wrong with it and what is odd, and how to
score it.

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
  $ assay validate gold.jsonl                      what is it, and is it sound?
  $ assay validate gold.conll predictions.json     each of them
  $ assay validate pii/presidio --cases docs.json
  $ assay validate journal/ashwam --cases journals.jsonl --gold gold.jsonl
  $ assay validate recipe.yaml --gold gold.jsonl --predictions p.jsonl --json`;

export default command({
  name: 'validate',
  arguments: { words: flag.someArguments('preset or recipe file; or data files, to check each by itself') },
  flags: {
    ...fileFlags('model output to check; also as NAME=FILE'),
    strict: flag.toggle('exit code 1 also for warnings'),
    json: flag.toggle('print everything as JSON on standard output'),
    quiet: flag.toggle('print nothing: the exit code is the answer'),
  },
  help: HELP,
  async run({ words, strict, json, ...flags }, terminal) {
    const { progress, print, style } = terminal;
    const [recipe = '', ...others] = words;
    if (isDataFile(recipe)) {
      refuseRoles(recipe, flags);
      const checks = await validateFiles(words, { ...flags, json }, terminal);
      return checks.some((check) => isBad(check, strict)) ? 1 : 0;
    }
    // No preset has a full stop in its name.
    if (/\.(?!ya?ml$)\w+$/i.test(recipe) && !existsSync(recipe))
      throw new UsageError(`${recipe} does not exist`, 'name a data file, a preset or a recipe file');
    if (others.length > 0)
      throw new UsageError(
        `${recipe} is a recipe, and ${others[0]!} comes after it`,
        'name the files with --cases, --gold and --predictions; without a recipe, each is checked by itself',
      );
    const plan = await planRecipe(recipe, dataSettings(flags));
    refuseUse('validate', plan, plan.name);
    const files = await scoredFiles(plan, flags);
    const checks: { readonly system: string; readonly check: DataCheck }[] = [];
    for (const { name: system, sources } of sourcesOfSystems(withProgress(files, progress)))
      checks.push({ system, check: await checkData(plan, sources) });
    progress.end();
    const isOne = checks.length === 1;
    if (json)
      process.stdout.write(
        safeJson(isOne ? checks[0]!.check : checks.map(({ system, check }) => ({ system, ...check }))),
      );
    else
      for (const { system, check } of checks)
        print(`${isOne ? '' : `${safeText(system)}\n`}${renderTerminal(dataCheckDocument(check), style)}`);
    return checks.some(({ check }) => isBad(check, strict)) ? 1 : 0;
  },
});

/** Files that belong together are checked by a recipe. */
function refuseRoles(file: string, flags: Pick<SourceFlags, 'cases' | 'gold' | 'predictions'>): void {
  const { cases, gold, predictions = [] } = flags;
  const given = Object.entries({ cases, gold, predictions: predictions[0] }).find(([, value]) => value !== undefined);
  if (given !== undefined)
    throw new UsageError(
      `${file} is a data file, which is checked by itself, and --${given[0]} names another`,
      'to check files against each other, name a recipe: assay validate pii/strict --gold FILE --predictions FILE',
    );
}

function isBad({ problems, findings }: DataCheck, strict: boolean): boolean {
  return (
    problems.total > 0 || findings.some(({ severity }) => severity === 'error' || (strict && severity === 'warning'))
  );
}
