import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';

import { UsageError } from '../../data/problems.ts';
import { shorten, visible } from '../../data/visible.ts';
import { AnswerCache } from '../../experiment/answer-cache.ts';
import { adaptiveLimit } from '../../experiment/limits/adaptive-limit.ts';
import { Budget } from '../../experiment/limits/budget.ts';
import { USUAL_POLICY } from '../../experiment/limits/call-with-limits.ts';
import { parseDuration } from '../../experiment/limits/duration.ts';
import type { PlainModelSpec } from '../../experiment/targets/model-target.ts';
import type { ResolvedPrompt } from '../../experiment/targets/prompt.ts';
import type { Document } from '../../report/document.ts';
import { safeJson } from '../../report/safe-json.ts';
import { shellWord } from '../../report/shell-word.ts';
import { type JudgingResult, judgeItems, nextAfter } from '../../review/judge/judge-items.ts';
import { judgeQuestion } from '../../review/judge/judge-question.ts';
import { expiringFigures, type Judge, type JudgePlan, openJudge, planJudging } from '../../review/judge/open-judge.ts';
import type { ReviewSnapshot } from '../../review/snapshot.ts';
import type { Store } from '../../store/store.ts';
import { count, counted } from '../../text/figures.ts';
import { localFolder } from '../backend-of.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { nameHint } from '../name-hint.ts';
import { shareBar } from '../progress.ts';
import { politeStop } from '../run/polite-stop.ts';
import { trustedEnvironment } from '../trusted-environment.ts';
import { dataOption, REVIEW_FLAGS, REVIEW_NAME, type StoreFlags, withReview } from './review-store.ts';

export const judgeCommand = command({
  name: 'judge',
  arguments: REVIEW_NAME,
  flags: {
    model: flag.required(flag.text('<name>', 'model as PROVIDER/NAME, such as openai/gpt-4o-mini')),
    field: flag.names(
      '<names>',
      'questions, separated by commas (default: all with answers to choose from)',
      'claims,safety',
    ),
    prompt: flag.text('<name>', 'stored prompt, or a file; may use {{ question }}, {{ material }}, {{ things }}'),
    temperature: flag.temperature('temperature; none for models that have none', 0),
    baseUrl: flag.text('<url>', 'address of the model’s server (default: the provider’s)'),
    maxItems: flag.integer('<n>', 'number of items to ask about, the first of the review', { from: 1 }),
    maxTokens: flag.integer('<n>', 'number of tokens after which no further call begins', { from: 1 }),
    maxTime: flag.duration('<time>', 'time after which no further call begins, such as 10m'),
    concurrency: flag.integer('<n>', 'most calls at once', { from: 1, to: 256 }, 4),
    timeout: flag.text('<time>', 'longest wait for one answer', '2m'),
    cache: flag.switchOff(
      'also ask again what was answered for another review (what this review has is never asked again)',
    ),
    yes: flag.toggle('make the calls without asking first'),
    ...REVIEW_FLAGS,
  },
  help: `
A model is not a reviewer: its labels enter no human measure, are hidden from
reviewers, and are reported with their agreement with reviewers (assay review
status). They count for one model, prompt and question; with another, they have
expired and everything is asked again.

It sees what a reviewer sees and nothing else. Every answer is kept before the
next question: after a kill the same command resumes and asks nothing twice. An
answer that the question does not allow is a failure; nothing is guessed, and
the same command asks again.

Keys come from the environment (OPENAI_API_KEY, GOOGLE_API_KEY,
ANTHROPIC_API_KEY) and are written nowhere.

Examples:
  $ assay review judge pilot --model openai/gpt-4o-mini --field claims
  $ assay review judge pilot --model local/llama3 \\
      --base-url http://127.0.0.1:8080/v1 \\
      --field claims,treatment_relevance --max-items 10 --yes
  $ assay review status pilot`,
  run(flags, terminal) {
    const { name, model, concurrency: most, maxTokens: tokens = null, maxTime: timeMs = null } = flags;
    const timeoutMs = parseDuration(flags.timeout, '--timeout');
    return withReview(flags, 'change', async (snapshot, store) => {
      const prompt = promptOf(store, flags.prompt);
      const spec: PlainModelSpec = {
        use: 'model',
        model,
        temperature: flags.temperature,
        ...flag.defined({ baseUrl: flags.baseUrl }),
        ...(prompt.file === null ? {} : { prompt: { file: prompt.file } }),
      };
      const context = {
        folder: process.cwd(),
        environment: trustedEnvironment(flags.baseUrl),
        prompt: prompt.stored,
        timeoutMs,
      };
      const judges: Judge[] = [];
      for (const field of fieldsOf(snapshot, flags.field))
        judges.push(await openJudge(spec, context, snapshot.form, field));
      const plan = planJudging(snapshot, judges, flags.maxItems ?? null);
      terminal.note(await estimate(plan, model));
      for (const { model: former, items, fields } of expiringFigures(snapshot, plan)) {
        const figures = `${former} on ${counted(items, 'item')} (${fields.join(', ')})`;
        terminal.note(`Note: the agreement of ${figures} expires with the first answer of another model or prompt.`);
      }
      if (plan.tasks.length > 0 && !flags.yes && !(await isConfirmed())) return;

      const cache = flags.cache ? new AnswerCache(localFolder(flags)) : null;
      const stop = politeStop(terminal.note);
      try {
        const judged = await judgeItems({
          store,
          form: snapshot.form,
          tasks: plan.tasks,
          cache,
          limit: adaptiveLimit(most),
          policy: { ...USUAL_POLICY, timeoutMs },
          budget: new Budget({ tokens, timeMs }),
          prices: null,
          most,
          stop: stop.stop,
          abort: stop.abort,
          onDone: (done) => terminal.progress.show(() => shareBar(done / plan.tasks.length)),
        });
        const fields = judges.map(({ name: field, id, model: used, promptHash }) => ({
          field,
          judge: id,
          model: used,
          promptHash,
        }));
        const { done, empty } = plan;
        return {
          document: () => judgedDocument(name, plan, judged, flags),
          json: () => safeJson({ review: name, fields, done, empty, ...judged }),
          after: () => refuseIfAllFailed(judged),
        };
      } finally {
        stop.end();
        cache?.close();
      }
    });
  },
});

function promptOf(
  store: Store,
  name: string | undefined,
): { readonly stored: ResolvedPrompt | null; readonly file: string | null } {
  if (name === undefined) return { stored: null, file: null };
  if (existsSync(name)) return { stored: null, file: name };
  const stored = store.prompts.get(name) ?? store.prompts.get(name, { label: 'latest' });
  if (stored === null)
    throw new UsageError(
      `there is no prompt ${visible(shorten(name))}, neither as a file nor in ${store.folder}`,
      `assay prompt create ${shellWord(name)} FILE makes one`,
    );
  const { name: known, version } = stored;
  const body =
    stored.type === 'text'
      ? { type: stored.type, prompt: stored.prompt }
      : { type: stored.type, prompt: stored.prompt };
  return { stored: { name: known, label: null, version, body }, file: null };
}

function fieldsOf({ form }: ReviewSnapshot, named: readonly string[]): ReadonlySet<string> {
  const possible = Object.entries(form.fields).flatMap(([name, field]) =>
    judgeQuestion(field) === null ? [] : [name],
  );
  const unknown = named.find((field) => !possible.includes(field));
  if (unknown !== undefined)
    throw new UsageError(
      `--field ${visible(shorten(unknown))}: the form has no such question that a model could be asked`,
      nameHint(unknown, possible, 'questions'),
    );
  return new Set(named.length === 0 ? possible : named);
}

const CHARACTERS_A_TOKEN = 4;

async function estimate({ tasks, done, empty }: JudgePlan, model: string): Promise<string> {
  let characters = 0;
  for (const { judge, given } of tasks) characters += (await judge.target.preview(given))?.length ?? 0;
  const items = new Set(tasks.map(({ item }) => item.id)).size;
  const tokens = count(Math.ceil(characters / CHARACTERS_A_TOKEN));
  const calls = `${counted(tasks.length, 'call')} to ${model}, about ${tokens} tokens to read, on ${counted(items, 'item')}`;
  const rest = [
    ...(done > 0 ? [`${counted(done, 'question')} answered before`] : []),
    ...(empty > 0 ? [`${counted(empty, 'question')} with nothing to label`] : []),
  ];
  return `${tasks.length === 0 ? 'Nothing to ask' : calls}${rest.length === 0 ? '' : `; ${rest.join(', ')}`}.`;
}

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError('nothing has been asked: these calls may cost money', 'add --yes to make them');
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  const reply = await dialog.question('Make these calls? [y/N] ').finally(() => dialog.close());
  return /^y(?:es)?$/i.test(reply.trim());
}

const SHOWN_FAILURES = 5;

function judgedDocument(name: string, { tasks, done }: JudgePlan, judged: JudgingResult, flags: StoreFlags): Document {
  const { answered, cached, failures, stopped } = judged;
  const free = cached > 0 ? `, ${count(cached)} of them without a call` : '';
  return {
    title:
      tasks.length === 0
        ? 'Nothing was asked'
        : `${counted(answered, 'question')} answered${free}, ${counted(failures.length, 'failure')}`,
    sections: [
      {
        title: 'Failures',
        blocks: [
          { list: failures.map(({ item, field, message }) => `${item}, ${field}: ${message}`), shown: SHOWN_FAILURES },
        ],
      },
      {
        blocks: [
          stopped === null ? null : { text: `Not everything was asked: ${stopped}. The same command resumes.` },
          answered + done === 0
            ? null
            : {
                text: `Agreement with reviewers: assay review status ${shellWord(name)}${dataOption(flags)}`,
                whole: true,
              },
        ],
      },
    ],
  };
}

function refuseIfAllFailed({ answered, failures }: JudgingResult): void {
  const [first] = failures;
  if (answered > 0 || first === undefined) return;
  const { kind, message } = first;
  const what =
    kind === 'schema' || kind === 'answer'
      ? `${counted(failures.length, 'answer')} can be used`
      : `${counted(failures.length, 'question')} was answered`;
  throw new UsageError(`none of ${what}: ${message}`, nextAfter(kind));
}
