import { extname } from 'node:path';

import { Command } from 'commander';

import { UsageError } from '../data/problems.ts';
import { auditFolder } from '../report/audit-folder.ts';
import { auditDocument } from '../report/audit.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { openFindings } from '../report/audit-words.ts';
import { definitionList } from '../report/definition-list.ts';
import { safeJson } from '../report/safe-json.ts';
import { terminalStyle } from '../report/terminal-style.ts';
import { acceptanceLines } from '../audit/acceptance.ts';
import { CHECKS } from '../audit/checks.ts';
import { type Audit, SEVERITIES, type Severity } from '../audit/finding.ts';
import { AUDIT_CHECKS } from '../recipe/audit-section.ts';
import { nearestNames } from '../text/nearest.ts';
import { refusePlaces, writeWhole } from './write-whole.ts';

interface AuditFlags {
  readonly train?: readonly string[];
  readonly gate?: string;
  readonly cases?: string;
  readonly severity?: string;
  readonly strict?: boolean | string;
  readonly accept?: readonly string[];
  readonly json?: boolean;
  readonly out?: string;
}

interface NamedAudit {
  readonly run: string;
  readonly audit: Audit;
}

/** `end` is told the exit code: 1 where `--strict` finds something. */
export function auditCommand(end: (code: number) => void): Command {
  return new Command('audit')
    .argument('<run...>', 'folders that assay score --out made; the first is the baseline of the others')
    .option('--train <file...>', 'cases that the system was trained on, to look for them among the test cases')
    .option(
      '--gate <file>',
      'rules of a gate, to look for those that block nothing (default: gate.yaml beside the run)',
    )
    .option('--cases <file>', 'where the texts are now, if not where they were scored')
    .option('--severity <level>', `show nothing less severe: ${SEVERITIES.join(', ')}`)
    .option('--strict [level]', 'exit code 1 where an error stands; --strict=warning also for warnings')
    .option('--accept <name=reason...>', 'let findings of a check stand, for a look at what is left')
    .option('--json', 'print the audits as JSON')
    .option('--out <file>', 'write to a file: .md, or .json')
    .addHelpText('after', help)
    .action(async (folders: readonly string[], flags: AuditFlags) => {
      end(await audit(folders, flags));
    });
}

function help(): string {
  const about = new Map(CHECKS.map((check): [string, string] => [check.name, check.about]));
  const checks = AUDIT_CHECKS.flatMap((name): [string, string][] => {
    const text = about.get(name);
    return text === undefined ? [] : [[name, text]];
  });
  return `
Checks:
${definitionList(checks, 80).join('\n')}

A finding may stand if the recipe says why. It stays in the report with the reason:
  audit:
    accept:
      excused-hits: { because: agreed with the client, subjects: [ORG, DEM] }

Exit codes: 0 done, 1 with --strict where something stands, 2 the call is wrong.

Examples:
  $ assay audit runs/first
  $ assay audit runs/first --train train.jsonl --gate gate.yaml
  $ assay audit runs/old runs/new             were they scored alike?
  $ assay audit runs/first --strict --out audit.md
  $ assay audit runs/first --json | jq '.audits[0].findings[].title'`;
}

async function audit(folders: readonly string[], flags: AuditFlags): Promise<number> {
  const severity = severityOf(flags.severity, '--severity') ?? 'note';
  const strict =
    flags.strict === true ? 'error' : severityOf(flags.strict === false ? undefined : flags.strict, '--strict');
  const out = outOf(flags.out);
  const accept = acceptanceLines(flags.accept ?? []);
  const audits: NamedAudit[] = [];
  for (const [at, folder] of folders.entries()) {
    const found = await auditFolder(folder, {
      cases: flags.cases ?? null,
      train: flags.train ?? [],
      ...(flags.gate === undefined ? {} : { gate: flags.gate }),
      others: at === 0 ? folders.slice(1) : [],
      accept,
    });
    audits.push({ run: folder, audit: found });
  }
  write(audits, severity, flags.json === true, out);
  return strict !== null && audits.some((one) => openFindings(one.audit, strict).length > 0) ? 1 : 0;
}

function write(audits: readonly NamedAudit[], severity: Severity, json: boolean, out: OutFile | null): void {
  const asJson = safeJson({ audits: audits.map((one) => ({ run: one.run, ...one.audit })) }, 2);
  if (out !== null) {
    const text = out.json
      ? asJson
      : audits.map(({ audit: own, run }) => renderMarkdown(auditDocument(own, { run }))).join('\n');
    writeWhole(out.file, text, '--out');
  }
  if (json) {
    process.stdout.write(asJson);
    return;
  }
  const style = terminalStyle(process.stdout);
  const rule = `\n${style.paint('─'.repeat(style.width), 'quiet')}\n`;
  process.stdout.write(
    audits.map(({ audit: own, run }) => renderTerminal(auditDocument(own, { run, severity }), style)).join(rule),
  );
}

function severityOf(given: string | undefined, flag: string): Severity | null {
  if (given === undefined) return null;
  const found = SEVERITIES.find((severity) => severity === given);
  if (found !== undefined) return found;
  const near = nearestNames(given, SEVERITIES);
  throw new UsageError(
    `${flag} ${given}: there is no such severity`,
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : `say ${SEVERITIES.join(', ')}`,
  );
}

interface OutFile {
  readonly file: string;
  readonly json: boolean;
}

function outOf(file: string | undefined): OutFile | null {
  if (file === undefined) return null;
  refusePlaces([['--out', file]]);
  const end = extname(file).toLowerCase();
  if (end !== '.md' && end !== '.json')
    throw new UsageError(`--out ${file}: expected a name that ends in .md or .json`);
  return { file, json: end === '.json' };
}
