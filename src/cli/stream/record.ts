import { fstatSync } from 'node:fs';

import {
  count,
  plural,
  harmless,
  InputError,
  OpenSource,
  Problems,
  problemText,
  programName,
  safeJson,
  safeText,
  shellWord,
  standardInput,
  UsageError,
} from '../../plugin.ts';
import * as stream from '../../stream.ts';
import { command } from '../command.ts';
import * as flag from '../flags.ts';
import { EXIT } from '../group.ts';
import { clearOnInterrupt } from '../interrupt.ts';
import { idFlag, noteWaiting } from './stream-flags.ts';

const FLAGS = {
  case: flag.required(idFlag('id of the conversation, which names the file')),
  out: flag.required(flag.string('<folder>', 'folder to write <id>.trace.jsonl.gz to')),
  runId: idFlag('id of what produced the conversation (mas_run_id)'),
  model: flag.string('<name>', 'model behind the agents'),
  macCommit: flag.parsed(
    '<commit>',
    'commit of the agents’ code, in full (default: that of the first event)',
    commitOf,
  ),
  gapMs: flag.integer('<n>', 'without times: milliseconds from event to event (default: 20)', { from: 0, to: 1e9 }),
  start: flag.parsed('<time>', 'without times: time of the first event (default: 2000-01-01T00:00:00Z)', timeOf),
  clock: flag.toggle('without times: use the time of arrival'),
  resume: flag.toggle('continue a recording that was cut short, or finish it'),
  force: flag.toggle('replace an existing trace or recording'),
  json: flag.JSON,
  quiet: flag.QUIET,
};

type RecordFlags = flag.FlagValues<typeof FLAGS>;

export default command({
  name: 'record',
  flags: FLAGS,
  help: `
Events are JSON lines; agent and text are required:
  {"agent":"doctor0","text":"Based on","time":1766615129741}
  {"agent":"doctor0","text":" the findings","time":1766615129764}
  {"agent":"doctor1","text":"I agree.","time":1766615131002,"end_of_turn":true}
A turn ends when end_of_turn is true, when another agent speaks, or when "turn"
changes. "subtype" is the kind of a piece, such as message or system_note. Times
are milliseconds since 1970 or ISO 8601, in all events or in none; without them
the clock is virtual, so that the same events always give the same trace, or
that of arrival with --clock. The trace records which. "mac_commit" is the
commit of the agents' code, as --mac-commit: traces of two commits are neither
frozen nor replayed together.

From a pipe, every event is on the disk before the next is read, in
FOLDER/<id>.trace.jsonl.partial. After Ctrl-C, kill -9 or a crash, --resume
continues with what was kept: pipe in only what came after, or nothing.
A wrong line is reported and left out, and the trace is not finished; after
--resume the trace records how many there were (lines_left_out).

Examples:
  $ my-agents --stream | assay stream record --case case-1 --out traces
  $ my-agents --stream | assay stream record --case case-2 --out traces --clock
  $ my-agents --stream | assay stream record --case case-3 --out traces \\
      --mac-commit $(git -C my-agents rev-parse HEAD)
  $ assay stream record --case case-1 --out traces --resume < /dev/null
  $ assay stream validate traces && assay stream freeze traces`,
  async run(flags, terminal) {
    const live = !fstatSync(0).isFile();
    const recording = new stream.Recording({
      caseId: flags.case,
      folder: flags.out,
      masRunId: flags.runId ?? null,
      model: flags.model ?? null,
      macCommit: flags.macCommit ?? null,
      ...clockOptions(flags, live),
      force: flags.force,
      live,
      now: () => performance.timeOrigin + performance.now(),
    });
    const problems = new Problems();
    let wrong = 0;
    const stop = live
      ? clearOnInterrupt({ abandon: () => undefined }, () => keptText(recording, flags))
      : () => undefined;
    try {
      if (flags.resume) recording.resume();
      else {
        recording.begin();
        noteWaiting(terminal);
      }
      // To resume at a terminal is to finish, not to type events.
      if (!(flags.resume && process.stdin.isTTY))
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
      if (wrong > 0 && !recording.partial.exists)
        throw new InputError([{ file: 'standard input', line: null, message: 'found no valid event' }], wrong);
      if (wrong > 0) {
        process.stderr.write(`${plural(wrong, 'line')} of standard input left out; ${keptText(recording, flags)}\n`);
        return EXIT.usage;
      }
      const trace = await recording.finish();
      if (recording.unused.size > 0) terminal.note(unusedText(recording));
      terminal.print(`${safeText(traceText(trace))}\n`);
      return { json: () => safeJson(trace) };
    } finally {
      stop();
      recording.partial.close();
    }
  },
});

function commitOf(written: string, name: string): string {
  if (stream.commitHash.safeParse(written).success) return written;
  throw new UsageError(
    `${name} ${written}: expected the 40 hexadecimal digits of a commit`,
    'git rev-parse HEAD prints them',
  );
}

function timeOf(written: string, name: string): number {
  const moment = stream.eventTime(/^\d+$/.test(written) ? Number(written) : written);
  if ('fault' in moment) throw new UsageError(`${name}: ${moment.fault}`);
  return moment.ms;
}

/** Where times come from if events have none. `live`: events are not read from a file. */
export function clockOptions(
  { clock, gapMs, start, resume }: Pick<RecordFlags, 'clock' | 'gapMs' | 'start' | 'resume'>,
  live: boolean,
): stream.ClockOptions {
  const isMadeUp = gapMs !== undefined || start !== undefined;
  if (resume && (isMadeUp || clock))
    throw new UsageError('a recording that is resumed keeps its clock', 'leave out --gap-ms, --start and --clock');
  if (clock && isMadeUp)
    throw new UsageError('--clock uses the time of arrival; --gap-ms and --start make one up', 'leave out one of them');
  if (clock && !live) throw new UsageError('--clock: a file has no time of arrival', 'leave out --clock');
  return { arrival: clock, gapMs: gapMs ?? stream.DEFAULT_CLOCK.gapMs, startMs: start ?? stream.DEFAULT_CLOCK.startMs };
}

/** A pipe as it comes: nothing waits for more to come. */
async function* liveInput(): AsyncGenerator<Buffer> {
  let first = true;
  for await (const chunk of process.stdin) {
    if (!Buffer.isBuffer(chunk)) continue;
    if (first && chunk[0] === 0x1f && chunk[1] === 0x8b)
      throw new UsageError('standard input is compressed', 'decompress it on the way: zcat events.jsonl.gz | …');
    first = false;
    yield chunk;
  }
}

/** What was taken stays on the disk. */
function keptText({ events, partial }: stream.Recording, { case: caseId, out }: RecordFlags): string {
  if (events === 0) return 'there was no event yet.';
  const again = `${programName()} stream record --case ${shellWord(caseId)} --out ${shellWord(out)} --resume`;
  const kept = safeText(`no trace was written; ${plural(events, 'event')} kept in ${partial.file}.`);
  return `${kept} To finish it, or to continue with what came after:\n  ${again} < /dev/null`;
}

function unusedText({ unused, events }: stream.Recording): string {
  const names = [...unused].slice(0, 10).map(([field, times]) => `${field} (${count(times)} of ${count(events)})`);
  return `Fields of events that a trace has no place for: ${names.join(', ')}${unused.size > 10 ? ', …' : ''}`;
}

const CLOCK_TEXTS: Readonly<Record<stream.RecordedTrace['clock'], string>> = {
  given: 'times as in the events',
  arrival: 'times of arrival',
  virtual: 'virtual clock',
};

function traceText({ file, deltas, turns, agents, durationMs, clock, linesLeftOut }: stream.RecordedTrace): string {
  const spoken = `${plural(deltas, 'delta')} in ${plural(turns, 'turn')} of ${plural(agents, 'agent')}`;
  const missing = linesLeftOut === 0 ? '' : `; ${plural(linesLeftOut, 'wrong line')} left out`;
  return `${file}: ${spoken}, ${count(durationMs / 1000)} s, ${CLOCK_TEXTS[clock]}${missing}`;
}
