import { noticeSentence } from '../audit/checks/read-notices.ts';
import { describe } from '../data/record-fields.ts';
import { visible } from '../data/visible.ts';
import type { DifferingScore } from '../experiment/backend.ts';
import { ABSENT_LISTS, type ExperimentSummary, type Published, type SummaryTarget } from '../experiment/summary.ts';
import type { FailureKind } from '../experiment/targets/target.ts';
import { FEW_UNITS } from '../stats/interval.ts';
import { count, plural } from '../text/figures.ts';
import { present } from './document.ts';

const HASH_SHOWN = 12;

/** The beginning of a hash, which distinguishes two as well; anything else as it is. */
export function shortHash(text: string): string {
  const digits = /^(?:sha256:)?([0-9a-f]{40,})$/.exec(text)?.[1];
  return digits === undefined ? text : digits.slice(0, HASH_SHOWN);
}

/** `name@version`, the version short enough to be read. */
export function datasetText({ name, version }: ExperimentSummary['dataset']): string {
  return `${name}@${shortHash(version)}`;
}

/** What was asked, in parts: the target, the model, its temperature, the prompt. */
export function targetParts({
  kind,
  model,
  promptName,
  promptLabel,
  promptVersion,
  temperature,
}: SummaryTarget): string[] {
  const which = present([
    promptLabel !== null && promptLabel,
    promptVersion !== null && `version ${promptVersion}`,
  ]).join(', ');
  return present([
    kind,
    model !== null && model,
    temperature !== null && `temperature ${temperature}`,
    (promptName !== null || which !== '') &&
      `prompt ${[promptName ?? '', which === '' ? '' : `(${which})`].filter((part) => part !== '').join(' ')}`,
  ]);
}

/** What the traces of the run carry, in parts. */
export function tracePartsOf({ traces = {} }: Pick<ExperimentSummary, 'traces'>): string[] {
  const { sessionId, userId, tags = [], release, environment } = traces;
  return present([
    sessionId !== undefined && `session ${sessionId}`,
    userId !== undefined && `user ${userId}`,
    release !== undefined && `release ${release}`,
    environment !== undefined && `environment ${environment}`,
    tags.length > 0 && `tags ${tags.join(', ')}`,
  ]);
}

/** What each kind of failure means. */
export const FAILURE_MEANINGS: Readonly<Record<FailureKind, string>> = {
  access: 'the key, the account, the model’s name or a setting is refused',
  rate: 'too many calls',
  server: 'the server failed',
  connection: 'the server was not reached, or hung up',
  timeout: 'no answer in time',
  request: 'the server refuses this call',
  answer: 'something came back that is no answer',
  aborted: 'given up before it was answered',
  schema: 'the answer is not what was asked for',
  program: 'the command, function or server under test failed',
};

const STOPS = {
  budget: 'Stopped by the budget',
  interrupt: 'Interrupted',
  limit: 'Stopped at the limit',
  access: 'Stopped because no call can succeed',
  unread: 'Stopped at answers that cannot be read',
  submitted: 'Batches are with the provider',
  cancelled: 'Batches are cancelled',
} as const;

export function stopText({ by, text }: NonNullable<ExperimentSummary['stopped']>): string {
  return text === '' ? STOPS[by] : `${STOPS[by]}: ${text}`;
}

/** One outcome of an item, or of an item in one repeat. */
export function outcomeWord({ repeats }: Pick<ExperimentSummary, 'repeats'>, n: number): string {
  const word = repeats > 1 ? 'answer' : 'item';
  return n === 1 ? word : `${word}s`;
}

/** Why there are no averages to show; null if there are. */
export function noScores({ scores, measures, notScored, answered }: ExperimentSummary): string | null {
  if (notScored !== null) return `Nothing was scored: ${notScored}`;
  if (answered === 0) return 'Nothing was answered: there is nothing to average';
  if (scores === null) return 'Nothing was scored';
  return scores.length === 0 && (measures ?? []).length === 0 ? 'The recipe measures nothing' : null;
}

/** Over what the averages are, and what is in none of them. */
export function overText(summary: ExperimentSummary): string {
  const { answered, failed, notRun } = summary;
  const over = countsFailed(summary) ? answered + failed : answered;
  const parts = present([
    `over ${count(over)} ${outcomeWord(summary, over)}`,
    failed > 0 && `${count(failed)} ${failedText(summary)}`,
    notRun > 0 && `${count(notRun)} ${notRun === 1 ? 'was' : 'were'} not run`,
  ]);
  return parts.join('; ');
}

/** Whether failed items are in the averages, as empty answers (data.failed: empty). */
function countsFailed({ scores, failed }: ExperimentSummary): boolean {
  return failed > 0 && scores !== null && scores.length > 0 && scores.every((average) => average.failed === 0);
}

/** What became of items that failed. */
export function failedText(summary: ExperimentSummary): string {
  const one = summary.failed === 1;
  if (countsFailed(summary)) return `failed and ${one ? 'counts as an empty answer' : 'count as empty answers'}`;
  return `failed and ${one ? 'is' : 'are'} in no average`;
}

/** What the values of a score are. */
export function averageText(summary: ExperimentSummary, pooled: boolean): string {
  const average = `average: every ${outcomeWord(summary, 1)} counts the same`;
  if (!pooled) return average;
  const judged = summary.gate === null ? '' : ', which the gate judges';
  return `${average}; pooled: the counts of all ${outcomeWord(summary, 2)} together${judged}`;
}

/** What to know before believing the averages, one sentence each. */
export function scoreNotices(summary: ExperimentSummary): string[] {
  const { scores, answered, failed, rejected = 0, takenOff = 0 } = summary;
  if (scores === null) return [];
  const rest = itemsWithValues(summary, Math.max(0, ...scores.map(({ n }) => n)));
  const scored = scores.find((average) => average.failed < failed && average.n + average.without > answered);
  return present([
    rejected !== 0 && noticeSentence('rejectedBySystem', rejected),
    takenOff !== 0 && noticeSentence('fieldsTakenOff', takenOff),
    ...ABSENT_LISTS.map((name) => (summary[name] ?? 0) !== 0 && noticeSentence(name, summary[name] ?? 0)),
    scored !== undefined &&
      `the averages are over ${count(scored.n + scored.without)} ${outcomeWord(summary, 2)}, but ${count(answered)} were answered: those without an answer were scored as if they had said nothing`,
    scores.some(({ interval }) => interval !== null) &&
      rest.least < FEW_UNITS &&
      `intervals rest on ${rest.text}: from so few, resampling gives them too narrow`,
  ]);
}

/**
 * Answers of one item are drawn together: it is items that an interval rests on. How many have a value at all follows
 * from the number of values, unless so many are missing that they may be of few items or of many.
 */
function itemsWithValues(
  { repeats, dataset }: Pick<ExperimentSummary, 'repeats' | 'dataset'>,
  values: number,
): { readonly least: number; readonly text: string } {
  const least = Math.ceil(values / repeats);
  const most = Math.max(least, Math.min(values, dataset.items));
  return { least, text: least === most ? plural(least, 'item') : `${count(least)} to ${plural(most, 'item')}` };
}

const BACKENDS = { local: 'the local store', langfuse: 'Langfuse' } as const;

export function backendText({ backend, place }: Published): string {
  return `${BACKENDS[backend]} (${place})`;
}

/** Whether all that was sent is there. */
export function isIncomplete({ expected, found, differing = [], problem }: Published): boolean {
  if ((problem ?? null) !== null || found === null || differing.length > 0) return true;
  return found.traces < expected.traces || found.scores < expected.scores;
}

/** "1,000 of 1,000 traces, 9,000 of 9,000 scores read back". */
export function readBackText({ expected, found }: Published): string {
  if (found === null)
    return `${plural(expected.traces, 'trace')} and ${plural(expected.scores, 'score')} could not be read back`;
  return `${count(found.traces)} of ${plural(expected.traces, 'trace')}, ${count(found.scores)} of ${plural(expected.scores, 'score')} read back`;
}

/** What did not arrive, as one sentence. */
export function shortfallText(published: Published): string {
  const { expected, found, differing = [], problem = null } = published;
  const differingInItems = differing.filter(({ item }) => item !== null).length;
  const lostScores = found === null ? 0 : expected.scores - found.scores - differingInItems;
  const lost = present([
    found !== null && found.traces < expected.traces && plural(expected.traces - found.traces, 'trace'),
    lostScores > 0 && plural(lostScores, 'score'),
  ]);
  const one = lost.length === 1 && lost[0]?.startsWith('1 ') === true;
  const missing = lost.length === 0 ? '' : `: ${lost.join(' and ')} ${one ? 'is' : 'are'} not there`;
  const [first] = differing;
  const others = first === undefined ? '' : `; ${differingText(differing.length, first)}`;
  return `Not all of it is in ${backendText(published)}: ${readBackText(published)}${missing}${others}${problem === null ? '' : `; ${problem}`}`;
}

function differingText(many: number, { item, name, sent, shown }: DifferingScore): string {
  const example = `${visible(name)} of ${item === null ? 'the run' : visible(item)} is ${describe(shown)} there, ${sent} was sent`;
  return `${plural(many, 'score')} ${many === 1 ? 'has' : 'have'} another value there (${example})`;
}

const GO_ON = {
  budget: 'the same command with more budget',
  interrupt: 'the same command again',
  limit: 'the same command with a larger --limit, or none',
  access: 'the same command, once access is right',
  unread: 'the same command looks again; --ask-again asks and pays again',
  submitted: 'the same command without --submit-only',
  cancelled: 'the same command without --cancel',
} as const;

/** What is left to do, and how. */
export function remainingRows(summary: ExperimentSummary): [what: string, how: string][] {
  const { failed, notRun, stopped, published } = summary;
  const rows: [string, string][] = [];
  if (notRun > 0)
    rows.push([`Run the other ${count(notRun)}`, stopped === null ? 'the same command again' : GO_ON[stopped.by]]);
  if (failed > 0) rows.push([`Ask the ${count(failed)} failed again`, 'the same command with --only-failed']);
  if (published !== null && isIncomplete(published))
    rows.push(['Publish again', 'the same command: nothing is asked or sent twice']);
  return rows;
}
