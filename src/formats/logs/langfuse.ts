import type { Fields } from '../../data/item.ts';
import type { Problems } from '../../data/problems.ts';
import { describe, isRecord } from '../../data/record-fields.ts';
import type { ReadFile } from '../../data/read-rows.ts';
import { compareText } from '../../text/compare.ts';
import { plural } from '../../text/figures.ts';
import type { LogFile } from './log-file.ts';
import { entriesOf, finiteNumber, keptFields, measureName, reasonText, recordOf, logText, wordOf } from './log-text.ts';
import type { LogReader, LogSample, LogScore, ScoreFacts, ScoreLog } from './score-log.ts';

const NAME = 'langfuse';

/**
 * Exports of Langfuse: scores, traces, dataset run items and dataset items, as the tables of its pages are exported (CSV,
 * JSON or JSONL) or its API answers. A case is an item of a dataset run where there are any, otherwise a trace. Each dataset
 * run is a system.
 */
export const langfuse: LogReader = {
  name: NAME,
  title: 'Langfuse',
  about: 'exported scores, or traces with scores (.csv, .json, .jsonl), with run items of a dataset if there are any',
  recognises: ({ first, entries }) =>
    entries === null && first !== null && rowsIn(first).some((row) => kindOf(row) !== null),
  async read(files, problems) {
    const parts = new Parts();
    for (const file of files) await parts.add(file, problems);
    return parts.logs(problems);
  },
};

type Kind = 'score' | 'run item' | 'dataset item' | 'trace';

function kindOf(row: Fields): Kind | null {
  if ('datasetItemId' in row && 'traceId' in row) return 'run item';
  if ('dataType' in row && 'name' in row && ('traceId' in row || 'subject' in row)) return 'score';
  if ('expectedOutput' in row && 'input' in row && ('datasetId' in row || 'datasetName' in row)) return 'dataset item';
  return 'id' in row && 'input' in row && 'output' in row && ('sessionId' in row || 'timestamp' in row)
    ? 'trace'
    : null;
}

/** A row by itself, or the rows of an answer of the API. */
function rowsIn(record: Fields): Fields[] {
  const { data, datasetRunItems: items } = record;
  if (Array.isArray(items)) return items.filter(isRecord).map((item) => ({ datasetRunName: record['name'], ...item }));
  return Array.isArray(data) ? data.filter(isRecord) : [record];
}

/** Columns of an exported trace that are no scores. */
const TRACE_COLUMNS = new Set(
  'id projectId timestamp createdAt updatedAt externalId tags bookmarked release version userId sessionId environment public name input output metadata latency usage inputCost outputCost totalCost level errorCount warningCount defaultCount debugCount observationCount inputTokens outputTokens totalTokens comments scores htmlPath observations'.split(
    ' ',
  ),
);

interface RunItem {
  readonly item: string;
  readonly trace: string;
  readonly run: string | null;
  readonly line: number;
}

interface Trace {
  readonly input: string;
  readonly output: string | null;
  readonly failed: string | null;
  readonly fields: Fields;
  readonly line: number;
}

/** What some files hold, gathered by trace. */
class Parts {
  readonly #files: ReadFile[] = [];
  readonly #scores = new Map<string, LogScore[]>();
  readonly #traces = new Map<string, Trace>();
  readonly #items = new Map<string, { readonly input: string; readonly target: string | null }>();
  readonly #runItems: RunItem[] = [];
  readonly #facts = new Map<string, ScoreFacts>();
  readonly #others = { withoutTrace: 0 };
  #dataset: string | null = null;

  async add(file: LogFile, problems: Problems): Promise<void> {
    let rows = 0;
    for await (const { line, values } of file.records())
      for (const row of rowsIn(values)) {
        rows += 1;
        const kind = kindOf(row);
        this.#dataset ??= wordOf(row['datasetName']);
        switch (kind) {
          case 'score':
            this.#addScore(row, traceIdOf(row));
            break;
          case 'trace':
            this.#addTrace(row, line);
            break;
          case 'run item':
            this.#addRunItem(row, line);
            break;
          case 'dataset item':
            this.#items.set(String(row['id']), {
              input: logText(row['input']) ?? '',
              target: logText(row['expectedOutput']),
            });
            break;
          case null:
            problems.add({
              file: file.name,
              line,
              message: `expected a score, a trace or an item of a dataset, found ${describe(row)}`,
            });
        }
      }
    this.#files.push(await file.done(NAME, rows));
  }

  #addScore(row: Fields, trace: string | null): void {
    const name = measureName(row['name']);
    if (name === null || trace === null) {
      this.#others.withoutTrace += 1;
      return;
    }
    const type = wordOf(row['dataType'])?.toUpperCase() ?? 'NUMERIC';
    const { value: given, comment, source } = row;
    const value = typeof given === 'boolean' ? Number(given) : finiteNumber(given);
    const isNumber = type === 'NUMERIC' || type === 'BOOLEAN';
    const reason = reasonText(comment);
    this.#keepFacts(name, type, wordOf(source));
    const score: LogScore =
      isNumber && value !== null
        ? { name, value, reason }
        : {
            name,
            value: null,
            missing: isNumber ? `found ${describe(given)}` : `a ${type.toLowerCase()} score, not a number`,
            reason,
          };
    this.#scores.set(trace, [...(this.#scores.get(trace) ?? []), score]);
  }

  #keepFacts(name: string, type: string, source: string | null): void {
    const known = this.#facts.get(name);
    const sources = new Set([...entriesOf(known?.settings['sources']).map(String), source ?? 'unknown']);
    const isNumber = type === 'NUMERIC' || type === 'BOOLEAN';
    this.#facts.set(name, {
      direction: null,
      settings: { type, sources: [...sources].sort(compareText) },
      ...(type === 'BOOLEAN' ? { binary: true, range: [0, 1] } : {}),
      ...(isNumber ? {} : { leftOut: `its values are ${type.toLowerCase()}, not numbers` }),
    });
  }

  #addTrace(row: Fields, line: number): void {
    const id = String(row['id']);
    const output = logText(row['output']);
    const isFailed = wordOf(row['level']) === 'ERROR' && (output === null || output === '');
    this.#traces.set(id, {
      input: logText(row['input']) ?? '',
      output,
      failed: isFailed ? 'the trace has the level ERROR and no output' : null,
      fields: { ...keptFields(parsed(row['metadata'])), name: row['name'] ?? null },
      line,
    });
    if (!this.#scores.has(id)) this.#scores.set(id, []);
    const { scores } = row;
    for (const score of entriesOf(scores)) if (isRecord(score)) this.#addScore(score, id);
    for (const [column, cell] of Object.entries(row)) {
      const values = TRACE_COLUMNS.has(column) ? null : parsed(cell);
      if (!Array.isArray(values)) continue;
      for (const value of values)
        this.#addScore({ name: column, value, dataType: finiteNumber(value) === null ? 'CATEGORICAL' : 'NUMERIC' }, id);
    }
  }

  #addRunItem(row: Fields, line: number): void {
    const [item, trace] = [wordOf(row['datasetItemId']), wordOf(row['traceId'])];
    const run = wordOf(row['datasetRunName']) ?? wordOf(row['datasetRunId']);
    if (item !== null && trace !== null) this.#runItems.push({ item, trace, run, line });
  }

  logs(problems: Problems): ScoreLog[] {
    const all: RunItem[] =
      this.#runItems.length > 0
        ? this.#runItems
        : [...this.#scores.keys()].map((trace) => ({
            item: trace,
            trace,
            run: null,
            line: this.#traces.get(trace)?.line ?? 0,
          }));
    const runs = [...Map.groupBy(all, ({ run }) => run)];
    if (this.#facts.size === 0)
      problems.add({
        file: this.#files.map(({ name }) => name).join(', '),
        line: null,
        message: 'no score of a trace was found',
        next: 'export the scores table, or the traces table with its score columns',
      });
    return runs.map(([run, items]): ScoreLog => ({
      tool: NAME,
      version: null,
      task: this.#dataset,
      model: run,
      config: {},
      system: run ?? this.#dataset ?? NAME,
      scores: this.#facts,
      samples: this.#samplesOf(items),
      slices: [],
      reported: [],
      notices: this.#notices(items),
      files: this.#files,
    }));
  }

  #samplesOf(items: readonly RunItem[]): LogSample[] {
    const seen = new Map<string, number>();
    return items.map(({ item, trace, line }): LogSample => {
      const attempts = (seen.get(item) ?? 0) + 1;
      seen.set(item, attempts);
      const [known, of] = [this.#items.get(item), this.#traces.get(trace)];
      return {
        id: item,
        attempt: attempts === 1 ? null : `repeat ${attempts}`,
        input: known?.input ?? of?.input ?? '',
        target: known?.target ?? null,
        output: of?.output ?? null,
        failed: of?.failed ?? null,
        fields: of?.fields ?? {},
        scores: this.#scores.get(trace) ?? [],
        line,
      };
    });
  }

  #notices(items: readonly RunItem[]): string[] {
    const { withoutTrace } = this.#others;
    const again = items.length - new Set(items.map(({ item }) => item)).size;
    return [
      ...(withoutTrace === 0
        ? []
        : [`${plural(withoutTrace, 'score')} of sessions or of whole runs left out: a case is a trace`]),
      ...(again === 0 ? [] : [`${plural(again, 'item')} with more than one trace: taken as repeats of one run`]),
    ];
  }
}

function traceIdOf(row: Fields): string | null {
  const { id, kind, traceId } = recordOf(row['subject']);
  return wordOf(row['traceId']) ?? (kind === 'trace' ? wordOf(id) : wordOf(traceId));
}

/** A cell of a table that holds JSON, as what it holds. */
function parsed(cell: unknown): unknown {
  if (typeof cell !== 'string' || !/^\s*[[{]/.test(cell)) return cell;
  try {
    return JSON.parse(cell);
  } catch {
    return cell;
  }
}
