import type { Fields } from '../../data/item.ts';
import type { Problems } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import type { ReportedValue } from '../../recipe/plan.ts';
import { compareNatural } from '../../text/compare.ts';
import { plural } from '../../text/figures.ts';
import { type InspectParts, inspectParts, isInspectArchive } from './inspect-parts.ts';
import type { LogFile } from './log-file.ts';
import { entriesOf, finiteNumber, keptFields, measureName, reasonText, recordOf, logText, wordOf } from './log-text.ts';
import type { LogReader, LogSample, LogScore, ScoreFacts, ScoreLog } from './score-log.ts';

const NAME = 'inspect';

/**
 * Logs of Inspect (inspect_ai), `.json` or `.eval`: src/inspect_ai/log/_log.py has their fields. The value of a score is
 * what its `value_to_float` makes of it: C 1, P 0.5, I and N 0, yes and true 1, no and false 0, numbers themselves.
 */
export const inspect: LogReader = {
  name: NAME,
  title: 'Inspect',
  about: 'a log, .eval or .json',
  recognises: ({ first, entries }) =>
    entries === null
      ? isRecord(first?.['eval']) && 'task' in first['eval'] && 'model' in first['eval']
      : isInspectArchive(entries),
  async read(files, problems) {
    const logs: ScoreLog[] = [];
    for (const file of files) {
      const parts = await inspectParts(file, problems);
      if (parts !== null) logs.push(await logOf(file, parts, problems));
    }
    return logs;
  },
};

const SINGLE_SCORE = 'score';
const MOST_SAMPLES = 1_000_000;

async function logOf(file: LogFile, { header, samples }: InspectParts, problems: Problems): Promise<ScoreLog> {
  const spec = recordOf(header['eval']);
  const results = recordOf(header['results']);
  const listed = entriesOf(results['scores']).filter(isRecord);
  const found = samples.map((value) => sampleOf(value, file.name, problems)).filter((one) => one !== null);
  const missing = missingSamples(spec, found);
  const names = new Set(found.flatMap(({ scores }) => scores.map(({ name }) => name)));
  const scorers = [...entriesOf(spec['scorers']), ...listed].filter(isRecord);
  const status = wordOf(header['status']);
  const packages = recordOf(spec['packages']);
  const model = wordOf(spec['model']);
  const task = wordOf(spec['task']);
  return {
    tool: NAME,
    version: wordOf(packages['inspect_ai']),
    task,
    model,
    config: configOf(spec, header),
    system: [task, model].filter((word) => word !== null).join(' ') || NAME,
    scores: new Map([...names].map((name) => [name, factsOf(name, scorers)])),
    samples: [...found, ...missing],
    slices: [],
    reported: listed.flatMap((score) => reportedOf(score, names)),
    notices: [
      ...(status === null || status === 'success' ? [] : [`the log has the status ${status}, not success`]),
      ...(missing.length === 0
        ? []
        : [`${plural(missing.length, 'sample')} of the dataset not in the log: counted as failed`]),
      ...unread(found),
    ],
    files: [await file.done(NAME, found.length)],
  };
}

function sampleOf(value: unknown, file: string, problems: Problems): LogSample | null {
  const bad = (field: string, expected: string, found: unknown): null => {
    problems.add({ file, line: null, field, message: `expected ${expected}, found ${describe(found)}` });
    return null;
  };
  if (!isRecord(value)) return bad('samples', 'a sample', value);
  const { id, epoch = 1, input, target, output, scores, score, error, invalidation, metadata } = value;
  if (typeof id !== 'string' && typeof id !== 'number') return bad('samples.id', 'the id of a sample', id);
  if (typeof epoch !== 'number' || !Number.isSafeInteger(epoch)) return bad('samples.epoch', 'a whole number', epoch);
  const attachments = recordOf(value['attachments']);
  const given = isRecord(scores) ? scores : isRecord(score) ? { [SINGLE_SCORE]: score } : {};
  const failed =
    reasonText(error) ??
    (isRecord(invalidation) ? `invalidated: ${reasonText(invalidation['reason']) ?? 'no reason given'}` : null);
  const limit = wordOf(recordOf(value['limit'])['type']);
  return {
    id: String(id),
    attempt: epoch === 1 ? null : `epoch ${epoch}`,
    input: attached(logText(input) ?? '', attachments),
    target: logText(Array.isArray(target) && target.length === 1 ? target[0] : target),
    output: outputText(output, attachments),
    failed,
    fields: { ...keptFields(metadata), ...(limit === null ? {} : { limit }) },
    scores: Object.entries(given).flatMap(([name, own]) => scoresOf(name, own)),
    line: 0,
  };
}

/** Long texts are stored apart, under a hash that the text has instead. */
function attached(text: string, attachments: Fields): string {
  return text.replaceAll(/attachment:\/\/([0-9a-f]{8,64})/g, (whole, key: string) => {
    const found = Object.hasOwn(attachments, key) ? attachments[key] : undefined;
    return typeof found === 'string' ? found : whole;
  });
}

function outputText(output: unknown, attachments: Fields): string | null {
  if (!isRecord(output)) return null;
  const [choice] = entriesOf(output['choices']);
  const { message } = recordOf(choice);
  const ofMessage = isRecord(message) ? logText([message])?.replace(/^assistant: /, '') : undefined;
  const text = typeof output['completion'] === 'string' ? output['completion'] : ofMessage;
  return text === undefined ? null : attached(text, attachments);
}

/** One score, or one for each entry of a mapping. */
function scoresOf(written: string, score: unknown): LogScore[] {
  const name = measureName(written);
  if (name === null || !isRecord(score)) return [];
  const { value, answer, explanation } = score;
  const shared = { answer: logText(answer), reason: reasonText(explanation) };
  if (!isRecord(value)) return [{ name, ...numberOf(value), ...shared }];
  return Object.entries(value).flatMap(([key, part]) => {
    const inner = measureName(`${written}/${key}`);
    return inner === null ? [] : [{ name: inner, ...numberOf(part), ...shared }];
  });
}

const WORDS: ReadonlyMap<string, number> = new Map([
  ['C', 1],
  ['P', 0.5],
  ['I', 0],
  ['N', 0],
]);
const YES_OR_NO: ReadonlyMap<string, number> = new Map([
  ['yes', 1],
  ['true', 1],
  ['no', 0],
  ['false', 0],
]);

function numberOf(value: unknown): Pick<LogScore, 'value' | 'missing'> {
  if (value === null || value === undefined) return { value: null, missing: 'not scored (NaN in the log)' };
  if (typeof value === 'boolean') return { value: Number(value) };
  if (typeof value === 'string') {
    const number = WORDS.get(value) ?? YES_OR_NO.get(value.toLowerCase()) ?? finiteNumber(value);
    return number === null ? { value: null, missing: `${describe(value)} stands for no number` } : { value: number };
  }
  const number = finiteNumber(value);
  return number === null ? { value: null, missing: `found ${describe(value)}, not one number` } : { value: number };
}

function factsOf(name: string, scorers: readonly Fields[]): ScoreFacts {
  const scorer = name.split('/')[0]!;
  const own = scorers.find((one) => one['name'] === name || one['name'] === scorer || one['scorer'] === scorer);
  const settings = keptFields(own?.['options'] ?? own?.['params']);
  return { direction: null, binary: true, settings: { scorer: wordOf(own?.['name']) ?? scorer, ...settings } };
}

/** Metrics that are the mean of the samples; with another reducer than the mean of the epochs they are something else. */
const MEANS = new Set(['accuracy', 'mean']);

function reportedOf(score: Fields, names: ReadonlySet<string>): ReportedValue[] {
  const { name, scorer, reducer, metrics, scored_samples: n } = score;
  const inner = measureName(name);
  const key = inner !== null && names.has(inner) ? inner : measureName(`${String(scorer)}/${String(name)}`);
  if (key === null || !names.has(key) || (reducer !== null && reducer !== undefined && reducer !== 'mean')) return [];
  return Object.values(recordOf(metrics)).flatMap((metric) => {
    if (!isRecord(metric) || (metric['group'] ?? null) !== null) return [];
    const title = wordOf(metric['name'])?.replace(/^inspect_ai\//, '') ?? '';
    const value = finiteNumber(metric['value']);
    const options = keptFields(metric['params'] ?? metric['options']);
    if (!MEANS.has(title) || value === null || Object.keys(options).length > 0) return [];
    return [{ score: key, metric: title, value, n: typeof n === 'number' ? n : null }];
  });
}

/** Samples that the dataset has and the log does not: the run was stopped, or crashed. */
function missingSamples(spec: Fields, found: readonly LogSample[]): LogSample[] {
  const { sample_ids: ids } = recordOf(spec['dataset']);
  const { epochs } = recordOf(spec['config']);
  const listed = entriesOf(ids).filter((id) => typeof id === 'string' || typeof id === 'number');
  const times = typeof epochs === 'number' ? epochs : 1;
  // A log that claims more than this is not to be believed.
  if (listed.length === 0 || listed.length * times > MOST_SAMPLES) return [];
  const seen = new Set(found.map(({ id, attempt }) => `${id} ${attempt ?? ''}`));
  const attempts = Array.from({ length: times }, (_, at) => (at === 0 ? null : `epoch ${at + 1}`));
  const inputs = new Map(found.map((sample) => [sample.id, sample]));
  return listed
    .map(String)
    .sort(compareNatural)
    .flatMap((id) =>
      attempts
        .filter((attempt) => !seen.has(`${id} ${attempt ?? ''}`))
        .map((attempt) => {
          const known = inputs.get(id);
          const { input = '', target = null } = known ?? {};
          return {
            id,
            attempt,
            input,
            target,
            output: null,
            failed: 'not in the log',
            fields: {},
            scores: [],
            line: 0,
          };
        }),
    );
}

function unread(samples: readonly LogSample[]): string[] {
  const lists = samples.flatMap(({ scores }) => scores.filter(({ missing }) => missing?.includes('a list') === true));
  const names = [...new Set(lists.map(({ name }) => name))];
  return names.map((name) => `${name} has lists for values: they are not one number per sample and have no mean`);
}

/** How the model was run: what may differ between two systems under the same task. */
function configOf(spec: Fields, header: Fields): Fields {
  const { task_args, task_version, solver, solver_args, model_args, model_generate_config, model_roles, config } = spec;
  const { steps, config: generate } = recordOf(header['plan']);
  const { limit, epochs, epochs_reducer, message_limit, token_limit, time_limit } = recordOf(config);
  return keptFields({
    task_args,
    task_version,
    solver,
    solver_args,
    model_args,
    model_generate_config,
    model_roles,
    steps,
    generate,
    limits: { limit, epochs, epochs_reducer, message_limit, token_limit, time_limit },
  });
}
