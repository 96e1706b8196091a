import { basename, dirname } from 'node:path';

import type { Fields } from '../../data/item.ts';
import type { Problems } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import type { ReadFile } from '../../data/read-rows.ts';
import { compareText } from '../../text/compare.ts';
import type { LogFile } from './log-file.ts';
import { filteredName, joinedFacts, metricFacts, NO_FILTER, TASK_COLUMN, taskMeans } from './lm-eval-metrics.ts';
import { fieldsText, finiteNumber, keptFields, recordOf, logText, wordOf } from './log-text.ts';
import type { LogReader, LogSample, LogScore, ScoreFacts, ScoreLog } from './score-log.ts';

const NAME = 'lm-eval';
/** `samples_TASK_DATE.jsonl` and `results_DATE.json`. */
const SAMPLES_NAME = /^samples_(.+)_(\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl/;
const RESULTS_NAME = /^(?:.*_)?(\d{4}-\d\d-\d\dT[\d.-]+)\.json/;

/**
 * Samples of lm-evaluation-harness (`--log_samples`), one file a task, and its results file, which has the direction of
 * each metric and its mean; lm_eval/result_schema.py there has their fields. The files of one folder and date are one system.
 */
export const lmEval: LogReader = {
  name: NAME,
  title: 'lm-evaluation-harness',
  about: 'samples_TASK_DATE.jsonl of --log_samples, with results_DATE.json if it is there',
  recognises: ({ first, entries }) => entries === null && first !== null && (isSample(first) || isResults(first)),
  async read(files, problems) {
    const read: ReadPart[] = [];
    for (const file of files) read.push(await partOf(file, problems));
    const groups = Map.groupBy(read, ({ group }) => group);
    return [...groups.values()].flatMap((parts) => logOf(parts, problems));
  },
};

function isSample(record: Fields): boolean {
  return 'doc_id' in record && 'filter' in record && Array.isArray(record['metrics']);
}

function isResults(record: Fields): boolean {
  return isRecord(record['results']) && isRecord(record['configs']) && 'versions' in record;
}

interface ReadPart {
  readonly file: ReadFile;
  readonly group: string;
  readonly folder: string;
  readonly task: string | null;
  /** Null for a file of samples. */
  readonly results: Fields | null;
  readonly rows: readonly Row[];
}

/** One document under one filter. */
interface Row {
  readonly id: string;
  readonly filter: string;
  readonly doc: string;
  readonly hash: string;
  readonly target: string | null;
  readonly output: string | null;
  readonly values: ReadonlyMap<string, unknown>;
  readonly line: number;
}

async function partOf(file: LogFile, problems: Problems): Promise<ReadPart> {
  const rows: Row[] = [];
  let results: Fields | null = null;
  for await (const { line, values } of file.records()) {
    if (isResults(values)) results = values;
    else {
      const row = rowOf(values, line, file.name, problems);
      if (row !== null) rows.push(row);
    }
  }
  const name = basename(file.name);
  const [, task = null, day] = SAMPLES_NAME.exec(name) ?? [];
  const date = day ?? RESULTS_NAME.exec(name)?.[1] ?? null;
  const folder = dirname(file.path ?? file.name);
  // A file of samples under another name does not tell which run it is of, and stands for itself.
  const group = task === null && results === null ? file.name : `${folder} ${date ?? ''}`;
  const done = await file.done(NAME, results === null ? rows.length : 0);
  return { file: done, group, folder: basename(folder), task, results, rows };
}

function rowOf(values: Fields, line: number, file: string, problems: Problems): Row | null {
  const { doc_id: id, filter, doc, target, metrics, filtered_resps: responses } = values;
  if ((typeof id !== 'number' && typeof id !== 'string') || !Array.isArray(metrics)) {
    const message = `expected a sample with doc_id and metrics, found ${describe(values)} with ${Object.keys(values).slice(0, 5).join(', ')}`;
    problems.add({ file, line, message });
    return null;
  }
  const names = metrics.filter((name) => typeof name === 'string');
  return {
    id: String(id),
    filter: wordOf(filter) ?? NO_FILTER,
    doc: isRecord(doc) ? fieldsText(doc) : (logText(doc) ?? ''),
    hash: wordOf(values['doc_hash']) ?? '',
    target: logText(target),
    output: outputText(responses),
    values: new Map(names.map((name) => [name, values[name]])),
    line,
  };
}

/** The output of the model after the filter; of multiple choice, the log-likelihoods of the choices. */
function outputText(responses: unknown): string | null {
  if (Array.isArray(responses) && responses.length === 1 && typeof responses[0] === 'string') return responses[0];
  return logText(responses);
}

function logOf(parts: readonly ReadPart[], problems: Problems): ScoreLog[] {
  const results = parts.find((part) => part.results !== null)?.results ?? {};
  const sampled = parts.filter((part) => part.results === null);
  if (sampled.length === 0) {
    const [only] = parts;
    problems.add({
      file: only!.file.name,
      line: null,
      message: 'a results file without samples: it has no score of a single item',
      next: 'run lm_eval with --log_samples, and name samples_….jsonl too',
    });
    return [];
  }
  const tasks = sampled.map(({ task }) => task);
  const samples = sampled.flatMap((part) => samplesOf(part, problems));
  const facts = new Map<string, ScoreFacts>();
  for (const { task, rows } of sampled)
    for (const [name, [metric, value]] of metricsOf(rows)) {
      const known = facts.get(name);
      const own = metricFacts(metric, value, task, results);
      facts.set(name, known === undefined ? own : joinedFacts(known, own));
    }
  const model = wordOf(results['model_name']) ?? modelIn(recordOf(results['config']));
  const config = recordOf(results['config']);
  const { batch_size: _, batch_sizes: _sizes, device: _device, use_cache: _cache, ...run } = config;
  const { system_instruction_sha, chat_template_sha, fewshot_as_multiturn } = results;
  return [
    {
      tool: NAME,
      version: wordOf(results['lm_eval_version']) ?? wordOf(results['git_hash']),
      task:
        tasks
          .filter((task) => task !== null)
          .sort(compareText)
          .join('+') || null,
      model,
      config: keptFields({ run, system_instruction_sha, chat_template_sha, fewshot_as_multiturn }),
      system: model ?? sampled[0]!.folder,
      scores: facts,
      samples,
      slices: tasks.length > 1 && !tasks.includes(null) ? [TASK_COLUMN] : [],
      reported: tasks.flatMap((task) => (task === null ? [] : taskMeans(task, tasks.length === 1, results, facts))),
      notices: parts.some((part) => part.results !== null)
        ? []
        : ['without results_….json the direction of the metrics is unknown: higher is assumed'],
      files: parts.map(({ file }) => file),
    },
  ];
}

/** Documents of all filters together: a filter is a way to read the same answer. */
function samplesOf({ task, rows, file }: ReadPart, problems: Problems): LogSample[] {
  const byId = Map.groupBy(rows, ({ id }) => id);
  return [...byId].map(([id, own]): LogSample => {
    const filters = own.map(({ filter }) => filter);
    const twice = own.find(({ filter }, at) => filters.indexOf(filter) < at);
    if (twice !== undefined)
      problems.add({
        file: file.name,
        line: twice.line,
        field: 'doc_id',
        message: `document ${describe(id)} with the filter ${describe(twice.filter)} was given before in this file`,
        next: 'name the samples of one run only; lm_eval appends to a file that is there',
      });
    const [first] = own;
    return {
      id: task === null ? id : `${task}/${id}`,
      attempt: null,
      input: first!.doc,
      target: first!.target,
      output: first!.output,
      failed: null,
      fields: {
        ...(task === null ? {} : { [TASK_COLUMN]: task }),
        ...(first!.hash === '' ? {} : { doc_hash: first!.hash }),
      },
      scores: own.flatMap(scoresOf),
      line: first!.line,
    };
  });
}

function scoresOf({ filter, values, output }: Row): LogScore[] {
  return [...values].flatMap(([metric, given]): LogScore[] => {
    const name = filteredName(metric, filter);
    if (name === null) return [];
    const value = typeof given === 'boolean' ? Number(given) : finiteNumber(given);
    if (value === null) return [{ name, value, missing: `found ${describe(given)}, not one number` }];
    return [{ name, value, ...(filter === NO_FILTER ? {} : { answer: output }) }];
  });
}

/** The metrics of a task by the names of their scores, each with its first value that is not missing. */
function metricsOf(rows: readonly Row[]): Map<string, [metric: string, value: unknown]> {
  const found = new Map<string, [string, unknown]>();
  for (const { filter, values } of rows)
    for (const [metric, value] of values) {
      const name = filteredName(metric, filter);
      if (name !== null && (found.get(name)?.[1] ?? null) === null) found.set(name, [metric, value]);
    }
  return found;
}

function modelIn({ model_args: args, model }: Fields): string | null {
  const written = isRecord(args) ? wordOf(args['pretrained'] ?? args['model']) : null;
  const named = typeof args === 'string' ? (/(?:^|,)(?:pretrained|model)=([^,]+)/.exec(args)?.[1] ?? null) : written;
  return named ?? wordOf(model);
}
