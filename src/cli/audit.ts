import { extname } from 'node:path';

import { definitionList, didYouMean, renderMarkdown, safeJson, UsageError } from '../plugin.ts';
import type { Audit, Severity } from '../index.ts';
import { acceptanceLines, auditFolder, planRecipe, SEVERITIES } from '../pipeline.ts';
import { auditChecks, auditDocument, openFindings } from '../report.ts';
import { command } from './command.ts';
import * as flag from './flags.ts';

function help(): string {
  return `
Checks:
${definitionList(auditChecks(), 80).join('\n')}

A recipe can accept findings. They stay in the report with the reason:
  audit:
    accept:
      excused-hits: { because: agreed with the client, subjects: [ORG, DEM] }

Exit codes: 0 done, 1 with --strict if there are findings, 2 the call is wrong.

Examples:
  $ assay audit runs/first
  $ assay audit runs/first --train train.jsonl --gate gate.yaml
  $ assay audit runs/old runs/new             were they scored alike?
  $ assay audit runs/first --strict --out audit.md
  $ assay audit runs/first --json | jq '.audits[0].findings[].title'`;
}

export default command({
  name: 'audit',
  arguments: {
    runs: flag.someArguments('run folders, written by assay score --out; the first is the baseline of the others'),
  },
  flags: {
    train: flag.strings('<file...>', 'training cases of the system, to look for them among the test cases'),
    gate: flag.inputFile('rules of a gate, to look for those that block nothing (default: gate.yaml next to the run)'),
    cases: flag.inputFile('new location of the texts, if they have moved since they were scored'),
    recipe: flag.inputFile('recipe of the runs, if it has custom measures or checks'),
    severity: severity('<level>', `lowest severity to show: ${SEVERITIES.join(', ')}`),
    strict: severity('[level]', 'exit code 1 if there is an error; --strict=warning: or a warning'),
    accept: flag.strings('<name=reason...>', 'check whose findings are accepted, to see what is left'),
    json: flag.JSON_ALONE,
    out: flag.outputFile('file to write: .md or .json'),
  },
  help,
  async run({ runs, train, gate, recipe, cases = null, severity: lowest = 'note', strict, out, ...flags }, { note }) {
    refuseExtension(out);
    const { definitions = [] } = recipe === undefined ? {} : await planRecipe(recipe);
    const accept = acceptanceLines(flags.accept, definitions);
    const audits: { readonly run: string; readonly audit: Audit }[] = [];
    for (const [at, run] of runs.entries()) {
      const others = at === 0 ? runs.slice(1) : [];
      audits.push({
        run,
        audit: await auditFolder(run, {
          cases,
          train,
          ...flag.defined({ gate, recipe }),
          others,
          accept,
          onNotice: note,
        }),
      });
    }
    const json = (): string => safeJson({ audits: audits.map(({ run, audit }) => ({ run, ...audit })) }, 2);
    const page = (): string => audits.map(({ run, audit }) => renderMarkdown(auditDocument(audit, { run }))).join('\n');
    return {
      json,
      document: () => audits.map(({ run, audit }) => auditDocument(audit, { run, severity: lowest })),
      files: { out: extname(out ?? '').toLowerCase() === '.json' ? json : page },
      exit: strict !== undefined && audits.some(({ audit }) => openFindings(audit, strict).length > 0) ? 1 : 0,
    };
  },
});

/** A severity; without a value, an error. */
function severity(value: string, about: string): flag.Flag<Severity | undefined> {
  return {
    about,
    value,
    preset: 'error',
    read(written, name) {
      const known = SEVERITIES.find((level) => level === written);
      if (known !== undefined) return known;
      throw new UsageError(
        `${name} ${written}: unknown severity`,
        didYouMean(written, SEVERITIES) ?? `expected ${SEVERITIES.join(', ')}`,
      );
    },
  };
}

function refuseExtension(out: string | undefined): void {
  if (out !== undefined && !['.md', '.json'].includes(extname(out).toLowerCase()))
    throw new UsageError(`--out ${out}: expected a name that ends in .md or .json`);
}
