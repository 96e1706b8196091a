import { UsageError } from '../../data/problems.ts';
import { type ClockOptions, USUAL_CLOCK } from '../../tasks/stream/record/event-clock.ts';
import { eventTime } from '../../tasks/stream/record/event-time.ts';
import { caseId } from '../../tasks/stream/trace-records.ts';
import { wholeNumber } from '../whole-number.ts';

export interface RecordFlags {
  readonly case: string;
  readonly out: string;
  readonly runId?: string;
  readonly model?: string;
  readonly gapMs?: string;
  readonly start?: string;
  readonly clock?: boolean;
  readonly resume?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** What becomes part of names of files, and of hashes that other programs make too. */
export function idFlag(flag: string, value: string): string {
  if (caseId.safeParse(value).success) return value;
  throw new UsageError(`${flag} ${value}: expected letters, digits, full stops, hyphens and underscores`);
}

/** Where times come from that events do not bring along. `live`: events are not read from a file. */
export function clockFlags({ clock, gapMs, start, resume }: RecordFlags, live: boolean): ClockOptions {
  const isMadeUp = gapMs !== undefined || start !== undefined;
  if (resume === true && (isMadeUp || clock === true))
    throw new UsageError('a recording that is resumed goes on as it began', 'leave out --gap-ms, --start and --clock');
  if (clock === true && isMadeUp)
    throw new UsageError(
      '--clock takes the time of arrival; --gap-ms and --start make one up',
      'leave out one of them',
    );
  if (clock === true && !live)
    throw new UsageError('--clock: a file does not arrive, it is there', 'leave out --clock');
  return {
    arrival: clock === true,
    gapMs: gapMs === undefined ? USUAL_CLOCK.gapMs : wholeNumber('--gap-ms', gapMs, 0, 1e9),
    startMs: start === undefined ? USUAL_CLOCK.startMs : startFlag(start),
  };
}

function startFlag(text: string): number {
  const moment = eventTime(/^\d+$/.test(text) ? Number(text) : text);
  if ('fault' in moment) throw new UsageError(`--start: ${moment.fault}`);
  return moment.ms;
}
