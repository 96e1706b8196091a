import { Command } from 'commander';

import { lockFolder, unlockFolder } from '../../data/folder-lock.ts';
import { UsageError } from '../../data/problems.ts';
import { endsTheRun, TargetError } from '../../experiment/targets/target.ts';
import { programName } from '../../report/program-name.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { terminalStyle } from '../../report/terminal-style.ts';
import {
  finishedCases,
  type GeneratedFolder,
  generateFolder,
  type GenerateOptions,
} from '../../tasks/stream/generate/generate-folder.ts';
import { freeze, type Frozen } from '../../tasks/stream/record/freeze.ts';
import { count, counted, significant } from '../../text/figures.ts';
import { clearOnInterrupt } from '../interrupt.ts';
import { shareBar, Progress } from '../progress.ts';
import { type GenerateFlags, type GenerationPlan, planGeneration } from './generate-plan.ts';
import { noticesText } from './measure.ts';

const NOTHING_MADE = 2;
const BUDGET_ENDED = 3;

export function generateCommand(end: (code: number) => void): Command {
  return new Command('generate')
    .description('have agents discuss cases, record every discussion as a trace, and freeze the set')
    .requiredOption(
      '--output, --out <dir>',
      'traces are written to DIR/<case>.trace.jsonl.gz, the manifest beside them',
    )
    .option('--config <dir>', 'folder of dataset.yaml, mas_generation.yaml and mac_model_config.json')
    .option('--cases <file>', 'cases as CSV, JSON or JSON lines (default: cases.file of dataset.yaml)')
    .option('--model <who>', 'PROVIDER/NAME, scripted, or scripted:FILE (default: mac.base_model)')
    .option('--base-url <url>', 'address of the model’s server, where it is not the provider’s own')
    .option('--temperature <t>', 'default: mac.decoding.temperature, or 1; none for models that take none')
    .option('--seed <n>', 'seed that is sent to the model, and that a script draws by')
    .option('--timeout <seconds>', 'longest wait for one turn (default: 300)')
    .option('--limit <n>', 'only the first of the selected cases')
    .option('--concurrency <n>', 'cases at a time (default: 4; 1 for a script)')
    .option('--max-cost <amount>', 'begin no further case once this is spent')
    .option('--max-tokens <n>', 'begin no further case once so many tokens are used')
    .option('--max-time <time>', 'begin no further case after this time, such as 10m')
    .option('--price <in,out>', 'prices of a million input and output tokens, such as 0.1,0.4')
    .option('--dataset <id>', 'names the set and its files (default: made from the inputs)')
    .option('--run-id <id>', 'mas_run_id of the traces (default: made from the inputs)')
    .option('--dry-run', 'show which cases and agents there would be; ask nobody')
    .option('--force', 'make traces again that are there')
    .option('--json', 'print the result as JSON on standard output')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action((flags: GenerateFlags) => generate(flags, end));
}

const HELP = `
In each round the specialists (doctor0, doctor1, …) speak in their order, then
the supervisor, who ends the discussion with a word (TERMINATE) or asks for
another round. Every piece of text is kept with the time at which it arrived.

dataset.yaml         cases: { file: cases.csv, id: id, text: presentation }
                     mac_selection: { mode: all | fixed_subset, n_cases, seed,
                     explicit_cases, on_failure: log_stub | raise }; a seed takes
                     the cases that Python's random.sample takes
mas_generation.yaml  mac: { base_model, decoding: { temperature, top_p,
                     max_tokens, seed } }
                     conversation: { specialists: 3, roles: [cardiology, …],
                     max_rounds: 3, max_turns, termination_word, round_notes,
                     closing_summary }
Keys and files without an effect are reported. A flag goes before a file.

Models:
  PROVIDER/NAME   openai, google, anthropic, openai-compatible (any local server
                  that streams OpenAI's chat completions); keys come from the
                  environment and are written nowhere
  scripted        agents say sentences of the case by a fixed rule, on a virtual
                  clock: the same call gives the same bytes; traces say so
  scripted:FILE   lines {"agent": "doctor0", "text": "…"}, perhaps with "case"

A trace appears whole or not at all. After Ctrl-C or kill -9 the same command
keeps finished cases and does the rest; a case that failed is reported, the
others go on, and the same command tries it again.

Exit codes: 0 done, 2 the call is wrong or no case has a trace, 3 a budget ended
the run.

Examples:
  $ assay stream generate --config config --model scripted --out traces
  $ assay stream generate --config config --out traces --limit 1 \\
      --model openai-compatible/llama3 --base-url http://localhost:8080/v1
  $ assay stream generate --cases cases.csv --model gpt-4o-mini --out traces \\
      --price 0.15,0.6 --max-cost 2
  $ assay stream validate traces --complete
  $ assay stream replay --traces traces --model heuristic --out runs`;

async function generate(flags: GenerateFlags, end: (code: number) => void): Promise<void> {
  const plan = await planGeneration(flags);
  const line = new Progress(process.stderr, flags.quiet === true);
  const options: GenerateOptions = {
    ...plan,
    out: flags.out,
    force: flags.force === true,
    failureOf: (error) => (error instanceof TargetError && !endsTheRun(error) ? error.message : null),
    stop: () => plan.budget.reached(),
    done: ({ finished, total, caseId }) =>
      line.show(() => `${shareBar(finished / total)}  ${finished} of ${total} cases (${safeText(caseId)})`),
  };
  if (flags.dryRun === true) return tell(flags, dryRunOf(plan, await finishedCases(options)), dryRunLines);
  clearOnInterrupt(
    { abandon: () => unlockFolder(flags.out) },
    'finished cases are kept, and the same command goes on behind them.',
  );
  const unlock = lockFolder(flags.out, '--out');
  try {
    const made = await generateFolder(options)
      .catch((error: unknown) => {
        if (!(error instanceof TargetError)) throw error;
        throw new UsageError(error.message.split('\n'), 'finished cases are kept: give the same command again');
      })
      .finally(() => line.end());
    const isEmpty = made.made.length + made.kept.length === 0;
    const frozen = isEmpty ? null : await frozenSet(flags, plan);
    if (isEmpty || (plan.stopAtFailure && made.failed.length > 0)) end(NOTHING_MADE);
    else if (made.left !== null) end(BUDGET_ENDED);
    tell(flags, resultOf(plan, made, frozen), resultLines);
  } finally {
    unlock();
  }
}

function frozenSet(flags: GenerateFlags, plan: GenerationPlan): Promise<Frozen> {
  return freeze({
    folder: flags.out,
    dataset: plan.dataset,
    masRunId: plan.masRunId,
    force: flags.force === true,
    provenance: { ...plan.provenance, config_hash: plan.configHash },
  });
}

type Result = ReturnType<typeof resultOf>;

function resultOf(plan: GenerationPlan, { made, kept, failed, left }: GeneratedFolder, frozen: Frozen | null) {
  return {
    model: describeModel(plan),
    mas_run_id: plan.masRunId,
    cases: { available: plan.available, selected: plan.selected, wanted: plan.cases.length },
    made,
    kept,
    failed,
    left,
    spent: plan.budget.spent,
    frozen,
    notices: [
      ...plan.notices(),
      ...failed.map(({ case: id, error }) => `${id} failed and has no trace: ${error}`),
      ...(failed.length === 0 ? [] : ['the same command tries the failed cases again, and keeps the others']),
      ...(left === null ? [] : [`${counted(left.cases, 'case')} not begun: ${left.why}`]),
    ],
  };
}

function resultLines({ model, made, kept, failed, frozen, cases, spent }: Result, flags: GenerateFlags): string[] {
  const sum = (of: (one: (typeof made)[number]) => number): number => made.reduce((all, one) => all + of(one), 0);
  const cost = spent.cost === null ? '' : `, cost ${significant(spent.cost)}`;
  const traces = shellWord(flags.out);
  return [
    `Generate  ${counted(cases.wanted, 'case')} of ${count(cases.available)}, spoken by ${model.id} (${model.kind})`,
    `  ${count(made.length)} made, ${count(kept.length)} kept, ${count(failed.length)} failed; ` +
      `${counted(
        sum(({ turns }) => turns),
        'turn',
      )}, ${counted(
        sum(({ deltas }) => deltas),
        'delta',
      )}` +
      (spent.calls === 0 ? '' : `; ${counted(spent.calls, 'call')}, ${counted(spent.tokens, 'token')}${cost}`),
    ...(frozen === null
      ? []
      : [
          `  ${frozen.manifest}: ${counted(frozen.cases, 'trace')}, ${frozen.datasetHash}`,
          '',
          `Check them      ${programName()} stream validate ${traces} --complete`,
          `Replay them     ${programName()} stream replay --traces ${traces} --model heuristic --out DIR`,
        ]),
  ];
}

type DryRun = ReturnType<typeof dryRunOf>;

function dryRunOf(plan: GenerationPlan, kept: readonly string[]) {
  const { settings, cases } = plan;
  const turns = Math.min(settings.maxTurns ?? Infinity, settings.maxRounds * (settings.roles.length + 1));
  return {
    dry_run: true,
    model: describeModel(plan),
    mas_run_id: plan.masRunId,
    dataset_id: plan.dataset,
    provenance: { ...plan.provenance, config_hash: plan.configHash },
    cases: { available: plan.available, selected: plan.selected, wanted: cases.map(({ id }) => id), kept },
    agents: [...settings.roles.map((role, at) => ({ agent: `doctor${at}`, role })), { agent: 'supervisor', role: '' }],
    most_calls: (cases.length - kept.length) * (turns + (settings.closingSummary ? 1 : 0)),
    notices: [...plan.notices()],
  };
}

function dryRunLines({ model, mas_run_id: id, cases, agents, most_calls: calls }: DryRun): string[] {
  const shown = cases.wanted.slice(0, 10).join(', ');
  return [
    `Dry run: nobody is asked, nothing is written`,
    `  model   ${model.id} (${model.kind})`,
    `  agents  ${agents.map(({ agent, role }) => (role === '' ? agent : `${agent} (${role})`)).join(', ')}`,
    `  cases   ${count(cases.wanted.length)} of ${count(cases.available)}, ${count(cases.kept.length)} finished: ${shown}${cases.wanted.length > 10 ? ', …' : ''}`,
    `  calls   at most ${count(calls)}`,
    `  run     ${id}`,
  ];
}

function describeModel({ model }: GenerationPlan): { id: string; kind: string; note: string | null } {
  return { id: model.id, kind: model.kind, note: model.note };
}

function tell<T extends { readonly notices: readonly string[] }>(
  flags: GenerateFlags,
  result: T,
  lines: (result: T, flags: GenerateFlags) => string[],
): void {
  if (flags.json === true) process.stdout.write(safeJson(result));
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  stream.write(
    `${lines(result, flags)
      .map((line) => safeText(line))
      .join('\n')}\n`,
  );
  stream.write(noticesText(result.notices, terminalStyle(stream)));
}
