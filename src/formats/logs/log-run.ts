import { hash } from 'node:crypto';

import { type Case, type Logged, makeCase, variantOf } from '../../data/case.ts';
import { makeItem } from '../../data/item.ts';
import { noNotices } from '../../data/item-check.ts';
import { InputError, Problems, UsageError } from '../../data/problems.ts';
import type { CaseReader } from '../../data/read-cases.ts';
import { describe } from '../../data/record-fields.ts';
import { sortedJson } from '../../data/sorted-json.ts';
import { harmless, shorten } from '../../data/visible.ts';
import { fieldValue } from '../../measure/case-facts.ts';
import type { Direction } from '../../measure/measure.ts';
import { suggestion } from '../../prepare/setting-error.ts';
import { type Plan, planRecipe, type ScoresSection } from '../../recipe/plan.ts';
import { compareNatural, compareText } from '../../text/compare.ts';
import type { LogSample, LogScore, ScoreFacts, ScoreLog } from './score-log.ts';

/** What is taken of a log. */
export interface LogChoice {
  /** Only these scores; none: all that have a mean. */
  readonly scores?: readonly string[];
  /** Scores of which less, or more, is better, despite what the log states. */
  readonly lower?: readonly string[];
  readonly higher?: readonly string[];
  /** Fields of the samples to slice by, beside those by which the log itself states means. */
  readonly slices?: readonly string[];
  /** Lines laid over the recipe that the log becomes, as `--set` does: `['interval.resamples=2000']`. */
  readonly set?: readonly string[];
}

/** A log as a run: the plan with one measure for each score, and its samples as cases. */
export interface LogRun {
  readonly plan: Plan;
  readonly cases: CaseReader;
  /** Scores that are no measures, with the reason. */
  readonly leftOut: readonly (readonly [name: string, why: string])[];
  /** Scores whose direction is unknown: higher is assumed. */
  readonly assumed: readonly string[];
}

const LIMITS =
  'The scores are the other tool’s: Assay averages and compares them and quantifies the uncertainty; whether they are right is not checked.';
const MOST_SCORES = 200;
const LONGEST_WORDS = 200;

export async function logRun(
  log: ScoreLog,
  { scores: asked = [], lower = [], higher = [], slices = [], set = [] }: LogChoice = {},
): Promise<LogRun> {
  const names = [...log.scores.keys()].sort(compareText);
  for (const [flag, list] of [
    ['--score', asked],
    ['--lower', lower],
    ['--higher', higher],
  ] as const)
    for (const name of list)
      if (!log.scores.has(name))
        throw new UsageError(`${flag} ${name}: the log has no such score`, suggestion(name, names, 'it has'));
  const facts = names.map((name) => [name, log.scores.get(name)!] as const);
  const leftOut = facts.flatMap(([name, { leftOut: why }]) =>
    asked.includes(name)
      ? []
      : asked.length > 0
        ? [[name, 'not asked for'] as const]
        : why === undefined
          ? []
          : [[name, why] as const],
  );
  const without = new Set(leftOut.map(([name]) => name));
  const taken = facts.filter(([name]) => !without.has(name));
  if (taken.length === 0) throw nothingLeft(log, leftOut);
  if (taken.length > MOST_SCORES)
    throw new UsageError(
      `the log has ${taken.length} scores, at most ${MOST_SCORES} become measures`,
      'name some with --score NAME',
    );
  const directions = new Map([
    ...higher.map((name) => [name, 'higher'] as const),
    ...lower.map((name) => [name, 'lower'] as const),
  ]);
  const section = sectionOf(log, taken, directions);
  const cases = casesOf(log, section);
  const columns = [...new Set([...log.slices, ...slices])];
  refuseColumns(columns, cases);
  const about = [
    'Scores that',
    log.tool,
    'logged',
    ...(log.task === null ? [] : ['for', log.task]),
    ...(log.model === null ? [] : ['by', log.model]),
  ].join(' ');
  const plan = await planRecipe(
    { task: 'scores', about, limits: LIMITS, scores: section, measure: {}, slice: columns },
    set,
  );
  const assumed = taken
    .filter(([name, { direction }]) => direction === null && !directions.has(name))
    .map(([name]) => name);
  return { plan: { ...plan, name: `${log.tool} log` }, cases: readerOf(cases, log), leftOut, assumed };
}

function nothingLeft(log: ScoreLog, leftOut: LogRun['leftOut']): Error {
  const [file] = log.files;
  const why = leftOut.map(([name, because]) => `${name} (${because})`).join(', ');
  return new InputError([
    {
      file: file?.name ?? log.tool,
      line: null,
      message: `the log has no score that is one number per sample${why === '' ? '' : `: ${why}`}`,
      ...(leftOut.length === 0 ? {} : { next: '--score NAME takes one anyway, if it has numbers' }),
    },
  ]);
}

function refuseColumns(columns: readonly string[], cases: readonly Case[]): void {
  for (const column of columns) {
    if (cases.some((one) => fieldValue(one, column) !== null)) continue;
    const names = [...new Set(cases.flatMap(({ fields }) => Object.keys(fields)))];
    throw new UsageError(
      `--slice ${column}: no sample has this field`,
      suggestion(column, names, 'fields of the samples'),
    );
  }
}

function sectionOf(
  { tool, version, task, model, config, reported }: ScoreLog,
  taken: readonly (readonly [string, ScoreFacts])[],
  directions: ReadonlyMap<string, Direction>,
): ScoresSection {
  const scores: ScoresSection['scores'] = {};
  for (const [name, { direction, range: [low, high] = [null, null], settings }] of taken)
    scores[name] = { direction: directions.get(name) ?? direction ?? 'higher', range: [low, high], settings };
  return {
    tool,
    task: oneLine(task),
    scores,
    version: oneLine(version),
    model: oneLine(model),
    config: Object.keys(config).length === 0 ? null : hash('sha256', sortedJson(config)),
    reported: reported.filter(({ score }) => Object.hasOwn(scores, score)),
  };
}

/** Words of a log as a signature and a title can have them. */
function oneLine(text: string | null): string | null {
  return text === null ? null : shorten(harmless(text), LONGEST_WORDS);
}

/** In the order of their ids: tools write samples in the order in which they ended. */
function casesOf(log: ScoreLog, section: ScoresSection): Case[] {
  const problems = new Problems();
  const seen = new Set<string>();
  const repeated = new Set(log.samples.flatMap(({ id, attempt }) => (attempt === null ? [] : [id])));
  const [file] = log.files;
  const cases = log.samples.map((sample) => {
    const made = caseOf(sample, log, section);
    const { id, attempt, line } = sample;
    if (seen.has(`${id} ${attempt ?? ''}`))
      problems.add({
        file: file?.name ?? log.tool,
        line: line === 0 ? null : line,
        message: `the sample ${describe(id)}${attempt === null ? '' : `, ${attempt},`} is in this log twice`,
        next: 'name the log of one run only',
      });
    seen.add(`${id} ${attempt ?? ''}`);
    if (attempt !== null) return variantOf(made, attempt);
    return repeated.has(id) ? { ...made, from: id } : made;
  });
  problems.throwIfAny();
  return cases.sort((a, b) => compareNatural(a.from ?? a.id, b.from ?? b.id) || compareNatural(a.id, b.id));
}

function caseOf(sample: LogSample, log: ScoreLog, section: ScoresSection): Case {
  const { id, input, target, output, failed, fields, scores, line } = sample;
  const answer: Logged[] =
    output === null
      ? []
      : [
          {
            item: makeItem({ kind: 'answer', index: 0, label: 'answer', text: output, line }),
            verdict: 'excused',
            rule: 'logged',
          },
        ];
  const taken = scores.filter(({ name }) => Object.hasOwn(section.scores, name));
  return makeCase({
    id,
    // The target is part of the question: another one makes another case.
    text:
      [input, ...(target === null || target === '' ? [] : [`Target: ${target}`])].filter(Boolean).join('\n\n') || null,
    fields,
    failed,
    logged: [...answer, ...taken.map((score, index) => loggedScore(score, index, line, log, section))],
  });
}

function loggedScore(score: LogScore, index: number, line: number, log: ScoreLog, section: ScoresSection): Logged {
  const { name, value, missing, answer, reason } = score;
  const fields = {
    score: name,
    ...(value === null ? { missing: missing ?? 'no value' } : { value }),
    ...(answer === undefined || answer === null ? {} : { answer }),
  };
  const text = value === null ? 'no value' : String(value);
  const item = makeItem({ kind: 'score', index, label: name, text, fields, line });
  const because = value === null ? missing : (reason ?? undefined);
  return {
    item,
    verdict: verdictOf(score, log, section),
    rule: 'logged',
    ...(because === undefined ? {} : { because }),
  };
}

/** The tool's own verdict, or 1 and 0 of scores that mean right and wrong; anything between is neither. */
function verdictOf({ name, value, passed }: LogScore, log: ScoreLog, section: ScoresSection): Logged['verdict'] {
  if (value === null) return 'excused';
  const isBest = value === (section.scores[name]?.direction === 'lower' ? 0 : 1);
  const isBinary = log.scores.get(name)?.binary === true && (value === 0 || value === 1);
  const isRight = passed ?? (isBinary ? isBest : null);
  return isRight === null ? 'excused' : isRight ? 'hit' : 'spurious';
}

function readerOf(cases: readonly Case[], { files }: ScoreLog): CaseReader {
  return {
    async *[Symbol.asyncIterator]() {
      yield* cases;
    },
    files: () => files,
    notices: noNotices(),
  };
}
