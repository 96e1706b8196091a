import { endsTheRun, TargetError } from '../../experiment.ts';
import {
  commandTable,
  count,
  plural,
  type Document,
  type FolderLock,
  lockFolder,
  programName,
  safeJson,
  safeText,
  shellWord,
  significant,
} from '../../plugin.ts';
import * as stream from '../../stream.ts';
import { command } from '../command.ts';
import { EXIT } from '../group.ts';
import { shareBar } from '../progress.ts';
import { GENERATE_FLAGS, type GenerationPlan, planGeneration } from './generate-plan.ts';
import { keepFinishedCases, refusedCall } from './model-calls.ts';

export default command({
  name: 'generate',
  flags: GENERATE_FLAGS,
  help: `
In each round the specialists (doctor0, doctor1, …) speak in their order, then
the supervisor, who ends the discussion with a word (TERMINATE) or asks for
another round. Every piece of text is kept with the time at which it arrived.

dataset.yaml         cases: { file: cases.csv, id: id, text: presentation }
                     mac_selection: { mode: all | fixed_subset, n_cases, seed,
                     explicit_cases, on_failure: log_stub | raise }; a seed
                     takes the cases that Python's random.sample takes
mas_generation.yaml  mac: { base_model, decoding: { temperature, top_p,
                     max_tokens, seed } }
                     conversation: { specialists: 3, roles: [cardiology, …],
                     max_rounds: 3, max_turns, termination_word, round_notes,
                     closing_summary }
Keys and files without an effect are reported. A flag overrides a file.

Models:
  PROVIDER/NAME   openai, google, anthropic, openai-compatible (any local server
                  that streams OpenAI's chat completions); keys come from the
                  environment and are written nowhere
  scripted        agents say sentences of the case by a fixed rule, on a virtual
                  clock: the same call gives the same bytes; traces record it
  scripted:FILE   lines {"agent": "doctor0", "text": "…"}, perhaps with "case"

A trace appears whole or not at all. After Ctrl-C or kill -9 the same command
keeps finished cases and does the rest; a case that failed is reported, the
others continue, and the same command tries it again.

Exit codes: 0 done, 2 the call is wrong or no case has a trace, 3 a budget ended
the run.

Examples:
  $ assay stream generate --config config --model scripted --out traces
  $ assay stream generate --config config --out traces --limit 1 \\
      --model openai-compatible/llama3 --base-url http://localhost:8080/v1
  $ assay stream generate --cases cases.csv --model gpt-4o-mini --out traces \\
      --price 0.15,0.6 --max-cost 2
  $ assay stream validate traces --complete
  $ assay stream replay --traces traces --model heuristic --out runs`,
  async run(flags, { progress, note }) {
    const { out, force } = flags;
    const plan = await planGeneration(flags);
    let lock: FolderLock | null = null;
    const options: stream.GenerateOptions = {
      ...plan,
      out,
      force,
      failureOf: (error) => (error instanceof TargetError && !endsTheRun(error) ? error.message : null),
      stop() {
        lock?.check();
        return plan.budget.reached();
      },
      done: ({ finished, total, caseId }) =>
        progress.show(() => `${shareBar(finished / total)}  ${finished} of ${total} cases (${safeText(caseId)})`),
    };
    if (flags.dryRun) {
      const preview = previewOf(plan, await stream.finishedCases(options));
      return { document: () => previewDocument(preview), json: () => safeJson(preview) };
    }
    keepFinishedCases(out);
    lock = await lockFolder(out, '--out', note);
    try {
      const traces = await stream.generateFolder(options).catch(refusedCall);
      const isEmpty = traces.made.length + traces.kept.length === 0;
      const provenance = { ...plan.provenance, mac_fork_url: AGENTS_CODE, config_hash: plan.configHash };
      const { dataset, masRunId } = plan;
      const frozen = isEmpty ? null : await stream.freeze({ folder: out, dataset, masRunId, force, provenance });
      const generation = generationOf(plan, traces, frozen);
      const hasStopped = isEmpty || (plan.stopAtFailure && traces.failed.length > 0);
      return {
        document: () => generationDocument(generation, shellWord(out)),
        json: () => safeJson(generation),
        exit: hasStopped ? EXIT.usage : traces.left === null ? EXIT.done : EXIT.inconclusive,
      };
    } finally {
      lock.release();
    }
  },
});

/** Where the code of the generated agents is. */
const AGENTS_CODE = 'https://github.com/assay-eval/assay';

function generationOf(
  plan: GenerationPlan,
  { made, kept, failed, left }: stream.GeneratedFolder,
  frozen: stream.Frozen | null,
) {
  return {
    model: modelFacts(plan),
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
      ...(left === null ? [] : [`${plural(left.cases, 'case')} not begun: ${left.why}`]),
    ],
  };
}

function generationDocument(
  { model, made, kept, failed, frozen, cases, spent, notices }: ReturnType<typeof generationOf>,
  folder: string,
): Document {
  const turns = made.reduce((sum, trace) => sum + trace.turns, 0);
  const deltas = made.reduce((sum, trace) => sum + trace.deltas, 0);
  const cost = spent.cost === null ? '' : `, cost ${significant(spent.cost)}`;
  const calls = `; ${plural(spent.calls, 'call')}, ${plural(spent.tokens, 'token')}${cost}`;
  return {
    title: 'Generate',
    about: `${plural(cases.wanted, 'case')} of ${count(cases.available)}, spoken by ${model.id} (${model.kind})`,
    sections: [
      {
        blocks: [
          {
            text:
              `${count(made.length)} made, ${count(kept.length)} kept, ${count(failed.length)} failed; ` +
              `${plural(turns, 'turn')}, ${plural(deltas, 'delta')}${spent.calls === 0 ? '' : calls}`,
          },
          frozen === null
            ? null
            : { text: `${frozen.manifest}: ${plural(frozen.cases, 'trace')}, ${frozen.datasetHash}`, whole: true },
        ],
      },
      { blocks: [{ list: notices, mark: 'warning' }] },
      {
        blocks: [
          frozen === null
            ? null
            : commandTable([
                ['Check them', `${programName()} stream validate ${folder} --complete`],
                ['Replay them', `${programName()} stream replay --traces ${folder} --model heuristic --out DIR`],
              ]),
        ],
      },
    ],
  };
}

function previewOf(plan: GenerationPlan, kept: readonly string[]) {
  const { settings, cases } = plan;
  const turns = Math.min(settings.maxTurns ?? Infinity, settings.maxRounds * (settings.roles.length + 1));
  return {
    dry_run: true,
    model: modelFacts(plan),
    mas_run_id: plan.masRunId,
    dataset_id: plan.dataset,
    provenance: { ...plan.provenance, mac_fork_url: AGENTS_CODE, config_hash: plan.configHash },
    cases: { available: plan.available, selected: plan.selected, wanted: cases.map(({ id }) => id), kept },
    agents: [...settings.roles.map((role, at) => ({ agent: `doctor${at}`, role })), { agent: 'supervisor', role: '' }],
    most_calls: (cases.length - kept.length) * (turns + (settings.closingSummary ? 1 : 0)),
    notices: plan.notices(),
  };
}

function previewDocument(preview: ReturnType<typeof previewOf>): Document {
  const { model, mas_run_id: id, cases, agents, most_calls: calls, notices } = preview;
  const { wanted, available, kept } = cases;
  const first = `${wanted.slice(0, 10).join(', ')}${wanted.length > 10 ? ', …' : ''}`;
  const rows = {
    model: `${model.id} (${model.kind})`,
    agents: agents.map(({ agent, role }) => (role === '' ? agent : `${agent} (${role})`)).join(', '),
    cases: `${count(wanted.length)} of ${count(available)}, ${count(kept.length)} finished: ${first}`,
    calls: `at most ${count(calls)}`,
    run: id,
  };
  return {
    title: 'Dry run: no model is called, nothing is written',
    sections: [
      { blocks: [{ columns: [{ title: '' }, { title: '', wraps: true }], rows: Object.entries(rows) }] },
      { blocks: [{ list: notices, mark: 'warning' }] },
    ],
  };
}

function modelFacts({
  model: { id, kind, note },
}: GenerationPlan): Pick<GenerationPlan['model'], 'id' | 'kind' | 'note'> {
  return { id, kind, note };
}
