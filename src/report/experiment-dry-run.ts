import type { DryRun as FoundRun } from '../experiment/run/dry-run.ts';
import type { LoadedExperiment } from '../experiment/run/load-experiment.ts';
import { summaryTarget } from '../experiment/run/run-experiment.ts';
import type { SummaryTarget } from '../experiment/summary.ts';
import { shorten } from '../data/visible.ts';
import { costText, count, counted, durationText } from '../text/figures.ts';
import type { Document, Section } from './document.ts';
import { namedTexts } from './experiment.ts';
import { datasetText, shortHash, targetParts } from './experiment-words.ts';

/** What would be run. With repeats, an item counts once for each. */
export interface DryRun {
  readonly name: string;
  readonly folder: string;
  readonly dataset: { readonly name: string; readonly version: string; readonly items: number };
  readonly repeats: number;
  readonly target: SummaryTarget;
  /** Hash of everything that affects the answers. */
  readonly identity: string;
  readonly items: {
    /** In the folder already. */
    readonly answered: number;
    readonly failed: number;
    readonly cached: number;
    /** Calls that would be made if none had to be repeated. */
    readonly toCall: number;
    /** Left out by --limit or --only-failed. */
    readonly leftOut: number;
  };
  /** How the first item would be asked; null where there is nothing to show. */
  readonly preview: { readonly item: string; readonly text: string } | null;
  /** Characters of all that would be sent; null if it is not known. */
  readonly characters: number | null;
  /** Of a million tokens; null where no prices are known. */
  readonly prices: { readonly input: number; readonly output: number; readonly currency?: string } | null;
  /** The longest answer that a model may give, in tokens; null where nothing limits it. */
  readonly longestAnswer: number | null;
  readonly limits: {
    readonly concurrency: number;
    readonly retries: number;
    readonly timeoutSeconds: number | null;
  };
  readonly budget: { readonly cost: number | null; readonly tokens: number | null; readonly seconds: number | null };
  /** Recipe that would score it; null for none. */
  readonly recipe: string | null;
  /** Where it would be published; null for nowhere. */
  readonly publish: string | null;
}

/** What a dry run found, as the report shows it. */
export function dryRunView(found: FoundRun, { experiment }: LoadedExperiment, place: string): DryRun {
  const { prepared, answered, failed, cached, toAsk } = found;
  const { record, settings } = prepared;
  const { cost, tokens, timeMs } = settings.budget;
  const { repeats, target, prices } = experiment;
  const wanted = record.dataset.items * repeats;
  return {
    name: experiment.name,
    folder: found.folder,
    dataset: record.dataset,
    repeats,
    target: summaryTarget(prepared),
    identity: record.target,
    items: {
      answered,
      failed,
      cached,
      toCall: toAsk,
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
      timeoutSeconds: settings.policy.timeoutMs / 1000,
    },
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
export function dryRunDocument(plan: DryRun): Document {
  return {
    title: plan.name,
    about: 'Nothing was called or written: this is what would be run.',
    sections: [{ blocks: [namedTexts(planRows(plan))] }, previewSection(plan)],
  };
}

function planRows(plan: DryRun): [name: string, text: string][] {
  const { dataset, repeats, target, identity, limits } = plan;
  const asked = repeats > 1 ? `, each asked ${counted(repeats, 'time')}` : '';
  const timeout = limits.timeoutSeconds === null ? '' : `, ${durationText(limits.timeoutSeconds)} for an answer`;
  return [
    ['Dataset', `${datasetText(dataset)}, ${counted(dataset.items, 'item')}${asked}`],
    ['Target', targetParts(target).join(', ')],
    ['Identity', shortHash(identity)],
    ['Calls', callsText(plan)],
    ['Input', inputText(plan)],
    ['Cost', estimateText(plan)],
    [
      'Limits',
      `${counted(limits.concurrency, 'call')} at once, ${counted(limits.retries, 'retry', 'retries')}${timeout}`,
    ],
    ['Budget', budgetText(plan)],
    ['Scored by', plan.recipe ?? 'nothing: outputs only'],
    ['Published', plan.publish ?? 'nowhere'],
    ['Folder', plan.folder],
  ];
}

function callsText({ items: { answered, failed, cached, toCall, leftOut } }: DryRun): string {
  const beside = [
    ...(answered > 0 ? [`${count(answered)} answered before`] : []),
    ...(failed > 0 ? [`${count(failed)} failed before`] : []),
    ...(cached > 0 ? [`${count(cached)} from the cache`] : []),
    ...(leftOut > 0 ? [`${count(leftOut)} left out`] : []),
  ];
  return `${count(toCall)} to make${beside.length === 0 ? '' : `; ${beside.join(', ')}`}`;
}

function inputText({ characters, items: { toCall } }: DryRun): string {
  if (toCall === 0) return 'none';
  if (characters === null) return 'not known: the target does not say how it asks';
  return `about ${count(tokensOf(characters))} tokens, roughly: ${counted(characters, 'character')} at ${CHARACTERS_A_TOKEN} a token`;
}

function tokensOf(characters: number): number {
  return Math.ceil(characters / CHARACTERS_A_TOKEN);
}

function estimateText({ characters, prices, longestAnswer, items: { toCall } }: DryRun): string {
  if (toCall === 0) return 'none: no call is to be made';
  if (prices === null) return 'not known: no prices were given';
  if (characters === null) return 'not known: the size of the input is not';
  const currency = prices.currency ?? '';
  const input = (tokensOf(characters) / MILLION) * prices.input;
  const answers = longestAnswer === null ? null : ((longestAnswer * toCall) / MILLION) * prices.output;
  const rest =
    answers === null
      ? 'answers come on top'
      : `answers come on top, at most ${costText(answers, currency)} if all are as long as they may be`;
  return `about ${costText(input, currency)} for the input, roughly; ${rest}`;
}

function budgetText({ budget: { cost, tokens, seconds } }: DryRun): string {
  const parts = [
    ...(cost === null ? [] : [`cost ${costText(cost)}`]),
    ...(tokens === null ? [] : [counted(tokens, 'token')]),
    ...(seconds === null ? [] : [durationText(seconds)]),
  ];
  return parts.length === 0 ? 'none' : parts.join(', ');
}

function previewSection({ preview }: DryRun): Section {
  if (preview === null) return { blocks: [] };
  const { item, text } = preview;
  const lines = shorten(text, PREVIEW_CHARACTERS).split(/\s*\n/);
  const isCut = lines.length > PREVIEW_LINES || text.length > PREVIEW_CHARACTERS;
  return {
    title: `How ${item} would be asked`,
    blocks: [
      ...lines.slice(0, PREVIEW_LINES).map((line) => ({ text: line })),
      isCut ? { text: `… shortened: ${counted(text.length, 'character')} in all`, tone: 'quiet' } : null,
    ],
  };
}
