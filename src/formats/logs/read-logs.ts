import { type Problem, Problems, UsageError } from '../../data/problems.ts';
import { shorten } from '../../data/visible.ts';
import type { Source } from '../../data/source.ts';
import { closestNames } from '../../text/closest-names.ts';
import { deepeval } from './deepeval.ts';
import { inspect } from './inspect.ts';
import { langfuse } from './langfuse.ts';
import { lmEval } from './lm-eval.ts';
import { type LogFile, openLogFile } from './log-file.ts';
import { promptfoo } from './promptfoo.ts';
import type { LogReader, ScoreLog } from './score-log.ts';

/** A tool whose logs are read has a line here. */
const READERS: readonly LogReader[] = [inspect, promptfoo, deepeval, lmEval, langfuse];

/** What `--format` may be. */
export const LOG_FORMATS: readonly string[] = READERS.map(({ name }) => name);

/** What the files of each tool are, for help and messages. */
export const LOG_FILES: readonly (readonly [title: string, about: string])[] = READERS.map(({ title, about }) => [
  title,
  about,
]);

/**
 * Reads the logs of other evaluation tools, one for each system in them; the tool is recognised by what the files hold
 * unless it is named. What is wrong with any of them is thrown at once.
 */
export async function readLogs(sources: readonly Source[], format?: string): Promise<ScoreLog[]> {
  const named = format === undefined ? null : readerNamed(format);
  const problems = new Problems();
  const files: { readonly file: LogFile; readonly reader: LogReader }[] = [];
  try {
    for (const source of sources) {
      try {
        const file = await openLogFile(source, problems);
        if (file === null) continue;
        const reader = (named === null ? READERS : [named]).find((one) => one.recognises(file));
        if (reader !== undefined) files.push({ file, reader });
        else {
          problems.add(unrecognised(file, named));
          await file.close();
        }
      } catch (error) {
        problems.addThrown(error);
      }
    }
    problems.throwIfAny();
    const logs: ScoreLog[] = [];
    for (const [reader, own] of Map.groupBy(files, (one) => one.reader))
      logs.push(
        ...(await reader.read(
          own.map(({ file }) => file),
          problems,
        )),
      );
    problems.throwIfAny();
    return logs;
  } finally {
    for (const { file } of files) await file.close();
  }
}

function readerNamed(format: string): LogReader {
  const found = READERS.find(({ name }) => name === format);
  if (found !== undefined) return found;
  const [near] = closestNames(format, LOG_FORMATS, 1);
  throw new UsageError(
    `--format ${format}: no such log format`,
    near === undefined ? `one of ${LOG_FORMATS.join(', ')}` : `did you mean ${near}?`,
  );
}

const KEYS_SHOWN = 8;

function unrecognised({ name, first, entries, isTable }: LogFile, named: LogReader | null): Problem {
  const names = first === null ? (entries?.names ?? []) : Object.keys(first);
  const what = first === null ? 'a zip archive with' : isTable ? 'a table with the columns' : 'JSON with the keys';
  const shown = names
    .slice(0, KEYS_SHOWN)
    .map((one) => shorten(one))
    .join(', ');
  return {
    file: name,
    line: null,
    message: `not a log that is known: ${what} ${shown}${names.length > KEYS_SHOWN ? ', …' : ''}`,
    next:
      named === null
        ? `the files of ${READERS.map(({ title }) => title).join(', ')} are read: assay import --help lists them`
        : `expected ${named.title}: ${named.about}`,
  };
}
