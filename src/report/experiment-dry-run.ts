import type { Imported } from '../experiment/datasets/import-items.ts';
import { BATCH_FACTOR } from '../experiment/limits/budget.ts';
import type { DryRun } from '../experiment/run/dry-run.ts';
import type { LoadedExperiment } from '../experiment/run/load-experiment.ts';
import { summaryTarget } from '../experiment/run/run-experiment.ts';
import { shorten } from '../data/visible.ts';
import { costText, count, plural, durationText } from '../text/figures.ts';
import type { Document, Section } from './document.ts';
import { EXPERIMENT_FORMAT, namedTexts } from './experiment.ts';
import { datasetText, shortHash, targetParts } from './experiment-words.ts';
import { importTexts } from './import-words.ts';
import { safeJson } from './safe-json.ts';

/** What would be run. With repeats, an item counts once for each. */
export type DryRunPlan = ReturnType<typeof dryRunView>;

/** What a dry run found, as the report shows it. */
export function dryRunView(
  found: DryRun,
  { experiment }: LoadedExperiment,
  place: string | null,
  imported: Imported | null = null,
) {
  const { prepared, answered, failed, cached, toAsk } = found;
  const { record, settings } = prepared;
  const { cost, tokens, timeMs } = settings.budget;
  const { batch } = settings;
  const { repeats, target, prices } = experiment;
  const wanted = record.dataset.items * repeats;
  return {
    name: experiment.name,
    folder: found.folder,
    dataset: record.dataset,
    /** Left out if the experiment names a dataset, not a file of items. */
    ...(imported === null ? {} : { imported }),
    repeats,
    target: summaryTarget(prepared),
    /** Hash of everything that affects the answers. */
    identity: record.target,
    items: {
      answered,
      failed,
      cached,
      /** If none had to be repeated. */
      toCall: toAsk,
      /** By --limit or --only-failed. */
      leftOut: Math.max(0, wanted - answered - failed - cached - toAsk),
    },
    preview: found.preview,
    characters: found.characters,
    prices: prices ?? null,
    longestAnswer:
      'maxOutputTokens' in target && typeof target.maxOutputTokens === 'number' ? target.maxOutputTokens : null,
    limits: {
      concurrency: settings.most,
      retries: settings.policy.retries,
      timeoutSeconds: (batch?.single.timeoutMs ?? settings.policy.timeoutMs) / 1000,
    },
    /** By batch endpoints, at this share of the price; left out: by single calls. */
    ...(batch === null ? {} : { batch: { only: batch.only, factor: prices?.batch ?? BATCH_FACTOR } }),
    budget: { cost, tokens, seconds: timeMs === null ? null : timeMs / 1000 },
    recipe: prepared.plan?.name ?? null,
    publish: place,
  };
}

/** English text has about so many; other languages, and JSON, have fewer. */
const CHARACTERS_A_TOKEN = 4;
const PREVIEW_LINES = 12;
const PREVIEW_CHARACTERS = 1000;
const MILLION = 1_000_000;

/** What a run would do, before anything is called or written. */
export function dryRunDocument(plan: DryRunPlan): Document {
  return {
    title: plan.name,
    about: 'Nothing was called or written: this is what would be run.',
    sections: [{ blocks: [namedTexts(planRows(plan))] }, previewSection(plan)],
  };
}

function planRows(plan: DryRunPlan): [name: string, text: string][] {
  const { dataset, imported, repeats, target, identity } = plan;
  const asked = repeats > 1 ? `, each asked ${plural(repeats, 'time')}` : '';
  return [
    ['Dataset', `${datasetText(dataset)}, ${plural(dataset.items, 'item')}${asked}`],
    ...(imported === undefined
      ? []
      : [['File', importTexts(dataset.name, imported, true).join('; ')] satisfies [string, string]]),
    ['Target', targetParts(target).join(', ')],
    ['Identity', shortHash(identity)],
    ['Calls', callsText(plan)],
    ['Input', inputText(plan)],
    ['Cost', estimateText(plan)],
    ...(plan.batch === undefined ? [] : [['Batch', batchText(plan.batch)] satisfies [string, string]]),
    ['Limits', limitsText(plan)],
    ['Budget', budgetText(plan)],
    ['Scored by', plan.recipe ?? 'nothing: outputs only'],
    ['Published', plan.publish ?? 'nowhere'],
    ['Folder', plan.folder],
  ];
}

function batchText({ only, factor }: NonNullable<DryRunPlan['batch']>): string {
  const rest = only ? 'what a batch does not answer fails' : 'what a batch does not answer is asked by single calls';
  return `by the batch endpoint of the provider, at ${factor} of the price; ${rest}`;
}

function limitsText({ batch, limits }: DryRunPlan): string {
  const { concurrency, retries, timeoutSeconds } = limits;
  const tries = `${plural(retries, 'retry', 'retries')}, ${durationText(timeoutSeconds)} for an answer`;
  if (batch === undefined) return `${plural(concurrency, 'call')} at once, ${tries}`;
  const out = `${plural(concurrency, 'item')} in batches at once`;
  return batch.only ? out : `${out}; single calls: ${tries}`;
}

function callsText({ items: { answered, failed, cached, toCall, leftOut } }: DryRunPlan): string {
  const beside = [
    ...(answered > 0 ? [`${count(answered)} answered before`] : []),
    ...(failed > 0 ? [`${count(failed)} failed before`] : []),
    ...(cached > 0 ? [`${count(cached)} from the cache`] : []),
    ...(leftOut > 0 ? [`${count(leftOut)} left out`] : []),
  ];
  return `${count(toCall)} to make${beside.length === 0 ? '' : `; ${beside.join(', ')}`}`;
}

function inputText({ characters, items: { toCall } }: DryRunPlan): string {
  if (toCall === 0) return 'none';
  if (characters === null) return 'not known: the target does not say how it asks';
  return `about ${count(tokensOf(characters))} tokens, roughly: ${plural(characters, 'character')} at ${CHARACTERS_A_TOKEN} a token`;
}

function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_A_TOKEN);
}

function estimateText({ characters, prices, longestAnswer, batch, items: { toCall } }: DryRunPlan): string {
  const factor = batch?.factor ?? 1;
  if (toCall === 0) return 'none: no call is to be made';
  if (prices === null) return 'not known: no prices were given';
  if (characters === null) return 'not known: the size of the input is not';
  const input = (tokensOf(characters) / MILLION) * prices.input * factor;
  const answers = longestAnswer === null ? null : ((longestAnswer * toCall) / MILLION) * prices.output * factor;
  const rest =
    answers === null
      ? 'answers come on top'
      : `answers come on top, at most ${costText(answers)} if all are as long as they may be`;
  return `about ${costText(input)} for the input, roughly; ${rest}`;
}

function budgetText({ budget: { cost, tokens, seconds } }: DryRunPlan): string {
  const parts = [
    ...(cost === null ? [] : [`cost ${costText(cost)}`]),
    ...(tokens === null ? [] : [plural(tokens, 'token')]),
    ...(seconds === null ? [] : [durationText(seconds)]),
  ];
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function previewSection({ preview }: DryRunPlan): Section {
  if (preview === null) return { blocks: [] };
  const { item, text } = preview;
  const lines = shorten(text, PREVIEW_CHARACTERS).split(/\s*\n/);
  const isCut = lines.length > PREVIEW_LINES || text.length > PREVIEW_CHARACTERS;
  return {
    title: `How ${item} would be asked`,
    blocks: [
      ...lines.slice(0, PREVIEW_LINES).map((line) => ({ text: line })),
      isCut ? { text: `… shortened: ${plural(text.length, 'character')} in all`, tone: 'quiet' } : null,
    ],
  };
}

/** What a dry run found, told apart from the summary of a run by `dryRun`. */
export function dryRunJson(plan: DryRunPlan): string {
  return safeJson({ format: EXPERIMENT_FORMAT, dryRun: true, ...plan });
}
