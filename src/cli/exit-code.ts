import { type Command, CommanderError } from 'commander';

import { harmless, InputError, notJson, UsageError } from '../plugin.ts';
import { fileSystemProblem } from './file-system-problem.ts';
import { EXIT } from './group.ts';
import { callHint } from './suggestions.ts';

interface Call {
  readonly program: Command;
  readonly argv: readonly string[];
  /** What Commander said of it. */
  readonly refusals: readonly string[];
}

/** Reports an error; the only place where one becomes an exit code. */
export function exitCodeFor(thrown: unknown, { program, argv, refusals }: Call): number {
  // It repeats what was written on the command line, which may hold line breaks and worse.
  for (const text of refusals) process.stderr.write(`${harmless(text.trimEnd())}\n`);
  // Deno throws what other runtimes emit on standard output; bin/assay.js reports it.
  if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOSPC' && !('syscall' in thrown)) throw thrown;
  const error = fileSystemProblem(thrown) ?? thrown;
  if (error instanceof CommanderError) {
    // Commander has said what is wrong; here is where to look.
    process.stderr.write(callHint(error, program, argv));
    return EXIT.usage;
  }
  if (error instanceof InputError) {
    const problems = error.total === 1 ? '1 problem' : `${error.total} problems`;
    process.stderr.write(`${error.message}\n${problems} in the input; nothing was written.\n`);
    return EXIT.usage;
  }
  if (error instanceof UsageError) {
    process.stderr.write(`assay: ${error.message}\n${error.next === null ? '' : `${error.next}\n`}`);
    return EXIT.usage;
  }
  const detail =
    error instanceof Error && process.env['ASSAY_DEBUG'] !== undefined
      ? (error.stack ?? error.message)
      : harmless(error instanceof Error ? wordsOf(error) : String(error));
  process.stderr.write(`assay: a bug of ours: ${detail}\nPlease report it; ASSAY_DEBUG=1 shows where it happened.\n`);
  return EXIT.bug;
}

/** Node's messages quote the text that is not JSON, and that may be a key. */
function wordsOf(error: Error): string {
  return error instanceof SyntaxError && error.message.includes('JSON') ? notJson(error) : error.message;
}
