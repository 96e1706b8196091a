import { fstatSync } from 'node:fs';

import { Command } from 'commander';

import { InputError, type Problem, Problems, problemText, UsageError } from '../../data/problems.ts';
import { OpenSource, standardInput } from '../../data/source.ts';
import { harmless } from '../../data/visible.ts';
import { count, counted } from '../../text/figures.ts';
import { programName } from '../../report/program-name.ts';
import { safeJson } from '../../report/safe-json.ts';
import { safeText } from '../../report/safe-text.ts';
import { shellWord } from '../../report/shell-word.ts';
import { type RecordedTrace, Recording } from '../../tasks/stream/record/recording.ts';
import { tellWaiting } from './waiting.ts';
import { clockFlags, idFlag, type RecordFlags } from './record-flags.ts';

const WRONG_INPUT = 2;

/** `end` is told the exit code where it is not 0. */
export function recordCommand(end: (code: number) => void): Command {
  return new Command('record')
    .description('make a trace of the streamed events of a running conversation, read from standard input')
    .requiredOption('--case <id>', 'names the conversation and the file')
    .requiredOption('--out <dir>', 'the trace is written to DIR/<id>.trace.jsonl.gz')
    .option('--run-id <id>', 'what produced the conversation (mas_run_id)')
    .option('--model <name>', 'the model behind the agents')
    .option('--gap-ms <n>', 'without times: milliseconds from event to event (default: 20)')
    .option('--start <time>', 'without times: when the first event is (default: 2000-01-01T00:00:00Z)')
    .option('--clock', 'without times: take the time of arrival')
    .option('--resume', 'go on with a recording that was cut short, or finish it')
    .option('--force', 'replace a trace or a recording that is there')
    .option('--json', 'print what was recorded as JSON on standard output')
    .option('--quiet', 'print nothing but errors')
    .addHelpText('after', HELP)
    .action(async (flags: RecordFlags) => {
      if (!(await record(flags))) end(WRONG_INPUT);
    });
}

const HELP = `
Events are JSON lines; agent and text are needed:
  {"agent":"doctor0","text":"Based on","time":1766615129741}
  {"agent":"doctor0","text":" the findings","time":1766615129764}
  {"agent":"doctor1","text":"I agree.","time":1766615131002,"end_of_turn":true}
A turn ends where end_of_turn is true, where another agent speaks, or where
"turn" is another. "subtype" says what a piece is, such as message or
system_note. Times are milliseconds since 1970 or ISO 8601, in all events or in
none; without them the clock is virtual, so that the same events always give the
same trace, or with --clock that of arrival. The trace says which it was.

From a pipe, every event is on the disk before the next is read, in
DIR/<id>.trace.jsonl.partial. After Ctrl-C, kill -9 or a crash, --resume goes on
with what was kept: give it only what came after, or nothing to finish.
A line that is wrong is told and left out, and the trace is not finished; after
--resume the trace says how many there were (lines_left_out).

Examples:
  $ my-agents --stream | assay stream record --case case-1 --out traces
  $ my-agents --stream | assay stream record --case case-2 --out traces --clock
  $ assay stream record --case case-1 --out traces --resume < /dev/null
  $ assay stream validate traces && assay stream freeze traces`;

/** Whether the trace was written. */
async function record(flags: RecordFlags): Promise<boolean> {
  const live = !fstatSync(0).isFile();
  const recording = new Recording({
    caseId: idFlag('--case', flags.case),
    folder: flags.out,
    masRunId: flags.runId === undefined ? null : idFlag('--run-id', flags.runId),
    model: flags.model ?? null,
    ...clockFlags(flags, live),
    force: flags.force === true,
    live,
    now: () => performance.timeOrigin + performance.now(),
  });
  const problems = new Problems();
  let wrong = 0;
  const stop = live ? keepOnInterrupt(recording, flags) : () => undefined;
  try {
    if (flags.resume === true) recording.resume();
    else recording.begin();
    tellWaiting(flags.quiet === true || flags.resume === true);
    // Whoever resumes at a terminal wants to finish, not to type events.
    if (!(flags.resume === true && process.stdin.isTTY))
      await recording.take(
        live ? liveInput() : new OpenSource(standardInput()).bytes(),
        'standard input',
        (problem) => {
          wrong += 1;
          if (live) process.stderr.write(`${harmless(problemText(problem))}\n`);
          else problems.add(problem);
        },
      );
    problems.throwIfAny();
    if (wrong > 0 && recording.partial.exists) {
      process.stderr.write(`${counted(wrong, 'line')} of standard input left out. ${keptText(recording, flags)}\n`);
      return false;
    }
    if (wrong > 0) throw noneRight(wrong);
    const made = await recording.finish();
    tellUnused(recording, flags);
    report(made, flags);
    return true;
  } finally {
    stop();
    recording.partial.close();
  }
}

function noneRight(wrong: number): InputError {
  const only: Problem = { file: 'standard input', line: null, message: 'found no event that is right' };
  return new InputError([only], wrong);
}

/** A pipe as it comes: nothing waits for more to come. */
async function* liveInput(): AsyncGenerator<Buffer> {
  let first = true;
  for await (const chunk of process.stdin) {
    if (!Buffer.isBuffer(chunk)) continue;
    if (first && chunk[0] === 0x1f && chunk[1] === 0x8b)
      throw new UsageError('standard input is packed with gzip', 'unpack it on the way: zcat events.jsonl.gz | …');
    first = false;
    yield chunk;
  }
}

/** What was taken stays where it is; the shell sees the usual code of the signal. */
function keepOnInterrupt(recording: Recording, flags: RecordFlags): () => void {
  const handlers = (['SIGINT', 'SIGTERM'] as const).map((signal) => {
    const handler = (): void => {
      process.stderr.write(
        `\nStopped. ${recording.events === 0 ? 'There was no event yet.' : keptText(recording, flags)}\n`,
      );
      process.exit(signal === 'SIGINT' ? 130 : 143);
    };
    process.once(signal, handler);
    return () => void process.removeListener(signal, handler);
  });
  return () => handlers.forEach((remove) => remove());
}

function keptText(recording: Recording, flags: RecordFlags): string {
  const kept = `No trace was written; ${counted(recording.events, 'event')} kept in ${recording.partial.file}.`;
  const again = `${programName()} stream record --case ${shellWord(flags.case)} --out ${shellWord(flags.out)} --resume`;
  return `${safeText(kept)} To finish it, or to go on with what came after:\n  ${again} < /dev/null`;
}

function tellUnused({ unused, events }: Recording, flags: RecordFlags): void {
  if (unused.size === 0 || flags.quiet === true) return;
  const names = [...unused].slice(0, 10).map(([field, times]) => `${field} (${count(times)} of ${count(events)})`);
  process.stderr.write(
    `${safeText(`Fields of events that a trace has no place for: ${names.join(', ')}${unused.size > 10 ? ', …' : ''}`)}\n`,
  );
}

const CLOCK_TEXTS: Readonly<Record<RecordedTrace['clock'], string>> = {
  given: 'times as given',
  arrival: 'times of arrival',
  virtual: 'virtual clock',
};

function report(made: RecordedTrace, flags: RecordFlags): void {
  if (flags.json === true) process.stdout.write(safeJson(made));
  if (flags.quiet === true) return;
  const stream = flags.json === true ? process.stderr : process.stdout;
  const what = `${counted(made.deltas, 'delta')} in ${counted(made.turns, 'turn')} of ${counted(made.agents, 'agent')}`;
  const seconds = `${count(made.durationMs / 1000)} s, ${CLOCK_TEXTS[made.clock]}`;
  const missing = made.linesLeftOut === 0 ? '' : `; ${counted(made.linesLeftOut, 'wrong line')} left out`;
  stream.write(`${safeText(`${made.file}: ${what}, ${seconds}${missing}`)}\n`);
}
