import { createInterface } from 'node:readline/promises';

import {
  count,
  plural,
  type Document,
  parseDuration,
  safeJson,
  shellWord,
  shorten,
  UsageError,
  visible,
} from '../../plugin.ts';
import {
  type JudgePlan,
  judgeQuestion,
  type JudgingResult,
  nextAfter,
  openJudging,
  type ReviewSnapshot,
} from '../../review.ts';
import { withoutNeedOfKeys } from '../../experiment.ts';
import { localFolder } from '../backend-of.ts';
import { BATCH_FLAGS, batchOf, refuseBatchWithQueue, submittedText } from '../batch-flags.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { nameHint } from '../name-hint.ts';
import { shareBar } from '../progress.ts';
import { politeStop } from '../run/polite-stop.ts';
import { QUEUE_FLAGS, withQueue } from '../run/queue-flags.ts';
import { trustedEnvironment } from '../trusted-environment.ts';
import { dataOption, REVIEW_FLAGS, REVIEW_NAME, type StoreFlags, withReview } from './review-store.ts';

export const judgeCommand = command({
  name: 'judge',
  arguments: REVIEW_NAME,
  flags: {
    model: flag.required(flag.string('<name>', 'model as PROVIDER/NAME, such as openai/gpt-4o-mini')),
    field: flag.names(
      '<names>',
      'questions, separated by commas (default: all with answers to choose from)',
      'claims,safety',
    ),
    prompt: flag.string('<name>', 'stored prompt, or a file; may use {{ question }}, {{ material }}, {{ things }}'),
    temperature: flag.temperature('temperature; none for models that have none', 0),
    baseUrl: flag.string('<url>', 'address of the model’s server (default: the provider’s)'),
    maxItems: flag.integer('<n>', 'number of items to ask about, the first of the review', { from: 1 }),
    maxTokens: flag.integer('<n>', 'number of tokens after which no further call begins', { from: 1 }),
    maxTime: flag.duration('<time>', 'time after which no further call begins, such as 10m'),
    concurrency: flag.integer('<n>', 'most calls at once', { from: 1, to: 256 }, 4),
    timeout: flag.string('<time>', 'longest wait for one answer', '2m'),
    ...BATCH_FLAGS,
    cache: flag.switchOff(
      'also ask again what was answered for another review (what this review has is never asked again)',
    ),
    ...QUEUE_FLAGS,
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

With --batch the questions go to the batch endpoint of the provider: half the
price, hours of waiting. Ctrl-C and a kill leave a batch running, and the same
command takes its answers.

Keys come from the environment (OPENAI_API_KEY, GOOGLE_API_KEY,
ANTHROPIC_API_KEY) and are written nowhere.

Examples:
  $ assay review judge pilot --model openai/gpt-4o-mini --field claims
  $ assay review judge pilot --model local/llama3 \\
      --base-url http://127.0.0.1:8080/v1 \\
      --field claims,treatment_relevance --max-items 10 --yes
  $ assay review judge pilot --model openai/gpt-4o-mini --batch
  $ assay review judge pilot --model openai/gpt-4o-mini --yes \\
      --queue redis://localhost:6379             # and assay worker
  $ assay review status pilot`,
  run(flags, terminal) {
    const { name, model, maxTokens: tokens = null, maxTime: timeMs = null } = flags;
    const timeoutMs = parseDuration(flags.timeout, '--timeout');
    return withReview(flags, 'change', async (snapshot, store) => {
      const fields = fieldsOf(snapshot, flags.field);
      const trusted = trustedEnvironment(flags.baseUrl);
      // Workers have the keys.
      const environment = flags.queue === undefined ? trusted : withoutNeedOfKeys(trusted);
      const { batch: _, ...asked } = flags;
      const batch = batchOf(flags);
      refuseBatchWithQueue(batch !== null, flags.queue);
      const judging = await openJudging(store, snapshot, { ...asked, fields, environment, timeoutMs, batch });
      const { judges, plan } = judging;
      terminal.note(await estimate(plan, model));
      for (const { model: former, items, fields: ended } of plan.expiring) {
        const figures = `${former} on ${plural(items, 'item')} (${ended.join(', ')})`;
        terminal.note(`Note: the agreement of ${figures} expires with the first answer of another model or prompt.`);
      }
      if (plan.tasks.length > 0 && !flags.yes && !(await isConfirmed())) return;

      const signals = politeStop(terminal.note, { batches: batch !== null });
      const onDone = (done: number): void => terminal.progress.show(() => shareBar(done / plan.tasks.length));
      const onNotice = (text: string): void => terminal.note(`Note: ${text}.`);
      const onSubmitted = (id: string, requests: number): void => onNotice(submittedText(id, requests));
      const cacheFolder = flags.cache ? localFolder(flags) : null;
      const judged = await withQueue(flags, terminal.note, (queue) =>
        judging.ask({ ...signals, cacheFolder, tokens, timeMs, onDone, onNotice, onSubmitted, queue }),
      ).finally(() => signals.end());
      const judgesOf = judges.map(({ name: field, id: judge, model: used, promptHash }) => ({
        field,
        judge,
        model: used,
        promptHash,
      }));
      const { done, empty } = plan;
      return {
        document: () => judgedDocument(name, plan, judged, flags),
        json: () => safeJson({ review: name, fields: judgesOf, done, empty, ...judged }),
        after: () => refuseIfAllFailed(judged),
      };
    });
  },
});

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
  const calls = `${plural(tasks.length, 'call')} to ${model}, about ${tokens} tokens to read, on ${plural(items, 'item')}`;
  const rest = [
    ...(done > 0 ? [`${plural(done, 'question')} answered before`] : []),
    ...(empty > 0 ? [`${plural(empty, 'question')} with nothing to label`] : []),
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
        : `${plural(answered, 'question')} answered${free}, ${plural(failures.length, 'failure')}`,
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
      ? `${plural(failures.length, 'answer')} can be used`
      : `${plural(failures.length, 'question')} was answered`;
  throw new UsageError(`none of ${what}: ${message}`, nextAfter(kind));
}
