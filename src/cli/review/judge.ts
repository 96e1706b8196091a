import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';

import { Command } from 'commander';

import { UsageError } from '../../data/problems.ts';
import { harmless, shorten, visible } from '../../data/visible.ts';
import { AnswerCache } from '../../experiment/answer-cache.ts';
import { adaptiveLimit } from '../../experiment/limits/adaptive-limit.ts';
import { Budget } from '../../experiment/limits/budget.ts';
import { USUAL_POLICY } from '../../experiment/limits/call-with-limits.ts';
import { parseDuration } from '../../experiment/limits/duration.ts';
import type { ResolvedPrompt } from '../../experiment/targets/prompt.ts';
import type { PlainModelSpec } from '../../experiment/targets/model-target.ts';
import { count, counted } from '../../text/figures.ts';
import { safeJson } from '../../report/safe-json.ts';
import { shellWord } from '../../report/shell-word.ts';
import type { ExpiringFigures, JudgePlan } from '../../review/judge/plan-judging.ts';
import { type Judged, nextAfter } from '../../review/judge/judge-items.ts';
import type { Judge } from '../../review/judge/open-judge.ts';
import { loadSnapshot, type ReviewSnapshot } from '../../review/snapshot.ts';
import type { Store } from '../../store/store.ts';
import { nearestNames } from '../../text/nearest.ts';
import { localFolder } from '../backend-of.ts';
import { politeStop } from '../run/polite-stop.ts';
import { shareBar, Progress } from '../progress.ts';
import { wholeNumber } from '../whole-number.ts';
import { type StoreFlags, storeOption, withStore } from './review-store.ts';

interface JudgeFlags extends StoreFlags {
  readonly model: string;
  readonly field?: string;
  readonly prompt?: string;
  readonly temperature: string;
  readonly baseUrl?: string;
  readonly maxItems?: string;
  readonly maxTokens?: string;
  readonly maxTime?: string;
  readonly concurrency: string;
  readonly timeout: string;
  readonly cache: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const CHARACTERS_A_TOKEN = 4;
const SHOWN_FAILURES = 5;

export function judgeCommand(): Command {
  return storeOption(
    new Command('judge')
      .description('ask a model the questions of the form; its answers are kept apart from people’s')
      .argument('<name>', 'of the review')
      .requiredOption('--model <name>', 'PROVIDER/NAME, such as openai/gpt-4o-mini')
      .option('--field <names>', 'questions, with commas between (default: all with answers to choose from)')
      .option('--prompt <name>', 'stored prompt, or a file; may use {{ question }}, {{ material }}, {{ things }}')
      .option('--temperature <t>', 'none for models that take none', '0')
      .option('--base-url <url>', 'address of the model’s server, where it is not the provider’s own')
      .option('--max-items <n>', 'only the first items of the review')
      .option('--max-tokens <n>', 'begin no further call once so many tokens are used')
      .option('--max-time <time>', 'begin no further call after this time, such as 10m')
      .option('--concurrency <n>', 'most calls at once', '4')
      .option('--timeout <time>', 'longest wait for one answer', '2m')
      .option(
        '--no-cache',
        'also ask anew what was answered for another review (what this review has is never asked again)',
      )
      .option('--yes', 'make the calls without asking first')
      .option('--json', 'print what came of it as JSON on standard output'),
  )
    .addHelpText('after', HELP)
    .action(judge);
}

const HELP = `
A model is no person: its labels enter no human measure, are hidden from
reviewers, and are reported with their agreement with people (assay review
status). They count for one model, prompt and question; with another, they have
expired and everything is asked anew.

It sees what a reviewer sees and nothing else. Every answer is kept before the
next question: after a kill the same command goes on and asks nothing twice. An
answer that the question does not allow is a failure; nothing is guessed, and
the same command asks again.

Keys come from the environment (OPENAI_API_KEY, GOOGLE_API_KEY,
ANTHROPIC_API_KEY) and are written nowhere.

Examples:
  $ assay review judge pilot --model openai/gpt-4o-mini --field claims
  $ assay review judge pilot --model local/llama3 \\
      --base-url http://127.0.0.1:8080/v1 \\
      --field claims,treatment_relevance --max-items 10 --yes
  $ assay review status pilot`;

async function judge(name: string, flags: JudgeFlags): Promise<void> {
  const limits = {
    most: wholeNumber('--concurrency', flags.concurrency, 1, 256),
    timeoutMs: parseDuration(flags.timeout, '--timeout'),
    items: flags.maxItems === undefined ? null : wholeNumber('--max-items', flags.maxItems, 1, Number.MAX_SAFE_INTEGER),
    tokens:
      flags.maxTokens === undefined ? null : wholeNumber('--max-tokens', flags.maxTokens, 1, Number.MAX_SAFE_INTEGER),
    timeMs: flags.maxTime === undefined ? null : parseDuration(flags.maxTime, '--max-time'),
  };
  const [{ openJudge }, { planJudging }, { judgeItems }, { expiringFigures }] = await Promise.all([
    import('../../review/judge/open-judge.ts'),
    import('../../review/judge/plan-judging.ts'),
    import('../../review/judge/judge-items.ts'),
    import('../../review/judge/plan-judging.ts'),
  ]);
  await withStore(flags, 'change', async (store) => {
    const snapshot = loadSnapshot(store, name);
    const prompt = promptOf(store, flags.prompt);
    const context = {
      folder: process.cwd(),
      environment: trusting(flags.baseUrl),
      prompt: prompt.stored,
      timeoutMs: limits.timeoutMs,
    };
    const spec = specOf(flags, prompt.file);
    const judges: Judge[] = [];
    for (const field of await fieldsOf(snapshot, flags.field))
      judges.push(await openJudge(spec, context, snapshot.form, field));
    const plan = planJudging(snapshot, judges, limits.items);
    process.stderr.write(`${await estimate(plan, spec.model)}\n`);
    for (const one of expiringFigures(snapshot, plan)) process.stderr.write(`${expiryText(one)}\n`);
    if (plan.tasks.length > 0 && !(await isWanted(flags))) return;

    const cache = flags.cache ? new AnswerCache(localFolder(flags)) : null;
    const stop = politeStop((text) => process.stderr.write(`${text}\n`));
    const line = new Progress(process.stderr, flags.json === true);
    try {
      const judged = await judgeItems({
        store,
        form: snapshot.form,
        tasks: plan.tasks,
        cache,
        limit: adaptiveLimit(limits.most),
        policy: { ...USUAL_POLICY, timeoutMs: limits.timeoutMs },
        budget: new Budget({ tokens: limits.tokens, timeMs: limits.timeMs }),
        prices: null,
        most: limits.most,
        stop: stop.stop,
        abort: stop.abort,
        onDone: (done) => line.show(() => shareBar(done / plan.tasks.length)),
      });
      line.end();
      tell(name, flags, judges, plan, judged);
    } finally {
      line.end();
      stop.end();
      cache?.close();
    }
  });
}

function specOf({ model, temperature, baseUrl }: JudgeFlags, file: string | null): PlainModelSpec {
  const heat = temperature === 'none' ? null : Number(temperature);
  if (heat !== null && !(temperature.trim() !== '' && heat >= 0 && heat <= 2))
    throw new UsageError(`--temperature ${temperature}: expected a number from 0 to 2, or none`);
  return {
    use: 'model',
    model,
    temperature: heat,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(file === null ? {} : { prompt: { file } }),
  };
}

/** An https server that is named on the command line may have the key. */
function trusting(baseUrl: string | undefined): NodeJS.ProcessEnv {
  const { protocol, origin } = URL.parse(baseUrl ?? '') ?? {};
  if (protocol !== 'https:' || origin === undefined) return process.env;
  const trusted = [process.env['ASSAY_KEY_SERVERS'] ?? '', origin].filter((server) => server.trim() !== '');
  return { ...process.env, ASSAY_KEY_SERVERS: trusted.join(',') };
}

function promptOf(
  store: Store,
  given: string | undefined,
): { readonly stored: ResolvedPrompt | null; readonly file: string | null } {
  if (given === undefined) return { stored: null, file: null };
  if (existsSync(given)) return { stored: null, file: given };
  const found = store.prompts.get(given) ?? store.prompts.get(given, { label: 'latest' });
  if (found === null)
    throw new UsageError(
      `there is no prompt ${visible(shorten(given))}, neither as a file nor in ${store.folder}`,
      `assay prompt create ${shellWord(given)} FILE makes one`,
    );
  const { name, version } = found;
  const body =
    found.type === 'text' ? { type: found.type, prompt: found.prompt } : { type: found.type, prompt: found.prompt };
  return { stored: { name, label: null, version, body }, file: null };
}

async function fieldsOf({ form }: ReviewSnapshot, given: string | undefined): Promise<string[]> {
  const { judgeQuestion } = await import('../../review/judge/judge-question.ts');
  const possible = Object.entries(form.fields).flatMap(([field, one]) => (judgeQuestion(one) === null ? [] : [field]));
  const wanted = given === undefined ? possible : given.split(',').map((field) => field.trim());
  for (const field of wanted) {
    if (possible.includes(field)) continue;
    const near = nearestNames(field, possible, 1);
    throw new UsageError(
      `--field ${visible(shorten(field))}: the form has no such question that a model could be asked`,
      near.length > 0 ? `did you mean ${near[0]!}?` : `questions: ${possible.join(', ')}`,
    );
  }
  return [...new Set(wanted)];
}

async function estimate({ tasks, done, empty }: JudgePlan, model: string): Promise<string> {
  let characters = 0;
  for (const { judge: one, given } of tasks) characters += (await one.target.preview(given))?.length ?? 0;
  const items = new Set(tasks.map(({ item }) => item.id)).size;
  const tokens = Math.ceil(characters / CHARACTERS_A_TOKEN);
  const rest = [
    ...(done > 0 ? [`${counted(done, 'question')} answered before`] : []),
    ...(empty > 0 ? [`${counted(empty, 'question')} with nothing to label`] : []),
  ];
  const calls =
    tasks.length === 0
      ? 'Nothing to ask'
      : `${counted(tasks.length, 'call')} to ${model}, about ${count(tokens)} tokens to read, on ${counted(items, 'item')}`;
  return `${harmless(calls)}${rest.length === 0 ? '' : `; ${rest.join(', ')}`}.`;
}

function expiryText({ model, items, fields }: ExpiringFigures): string {
  const former = `${model} on ${counted(items, 'item')} (${fields.join(', ')})`;
  return harmless(`Note: the agreement of ${former} expires with the first answer of another model or prompt.`);
}

async function isWanted({ yes }: JudgeFlags): Promise<boolean> {
  if (yes === true) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError('nothing has been asked: these calls may cost money', 'add --yes to make them');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const said = await terminal.question('Make these calls? [y/N] ').finally(() => terminal.close());
  return /^y(?:es)?$/i.test(said.trim());
}

function tell(name: string, flags: JudgeFlags, judges: readonly Judge[], plan: JudgePlan, judged: Judged): void {
  const { answered, cached, failures, stopped } = judged;
  const fields = judges.map(({ name: field, id, model, promptHash }) => ({ field, judge: id, model, promptHash }));
  const free = cached > 0 ? `, ${count(cached)} of them without a call` : '';
  const lines = [
    ...(plan.tasks.length === 0
      ? []
      : [`${counted(answered, 'question')} answered${free}, ${counted(failures.length, 'failure')}.`]),
    ...failures.slice(0, SHOWN_FAILURES).map(({ item, field, message }) => `  ${item}, ${field}: ${message}`),
    ...(failures.length > SHOWN_FAILURES ? [`  and ${count(failures.length - SHOWN_FAILURES)} more`] : []),
    ...(stopped === null ? [] : [`Not all was asked: ${stopped}. The same command goes on where it was.`]),
    ...(answered + plan.done > 0
      ? [`assay review status ${shellWord(name)} shows how far it agrees with people.`]
      : []),
  ];
  if (flags.json === true)
    process.stdout.write(
      safeJson({ review: name, fields, answered, cached, done: plan.done, empty: plan.empty, failures, stopped }),
    );
  else process.stdout.write(`${lines.map((line) => harmless(line)).join('\n')}\n`);
  if (answered === 0 && failures.length > 0) {
    const [{ kind, message }] = [failures[0]!];
    const isAnswer = kind === 'schema' || kind === 'answer';
    throw new UsageError(
      isAnswer
        ? `none of ${counted(failures.length, 'answer')} can be used: ${message}`
        : `none of ${counted(failures.length, 'question')} was answered: ${message}`,
      nextAfter(kind),
    );
  }
}
