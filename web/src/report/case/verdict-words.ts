import { LOGGED_KINDS } from '../../../../src/data/item.ts';
import type { ViewRecord } from '../../../../src/report/html/report-data.ts';
import type { ErrorType } from '../../../../src/judge/error-type.ts';
import type { VerdictName } from './case-items.ts';

/** As the terminal shows them. */
export const VERDICT_SIGNS: Readonly<Record<VerdictName, string>> = {
  hit: '✓',
  missed: '✗',
  spurious: '+',
  excused: '~',
};

export const VERDICT_ORDER: readonly VerdictName[] = ['missed', 'spurious', 'excused', 'hit'];

const LOGGED: ReadonlySet<string> = new Set(LOGGED_KINDS);

/** What became of an item, in a sentence. */
export function verdictSentence(record: ViewRecord): string {
  const { verdict, kind, setAside, credit = 1 } = record;
  if (setAside === true) return 'Set aside before pairing: never part of the question.';
  if (LOGGED.has(kind)) {
    switch (verdict) {
      case 'hit':
        return 'Counted as right.';
      case 'spurious':
        return 'Counted as wrong.';
      case 'missed':
        return 'Counted as lacking.';
      case 'excused':
        return record.rule === 'logged' ? 'Noted, not judged: it records what the system did.' : 'Not counted.';
    }
  }
  switch (verdict) {
    case 'hit':
      return credit < 1 ? 'Found, though not in full.' : 'Found: gold and the system agree.';
    case 'missed':
      return 'Missed: gold has it, the system does not.';
    case 'spurious':
      return 'Wrong: the system has it, gold does not.';
    case 'excused':
      if (record.rule === 'inside') return 'Right: it is inside gold that is to be masked.';
      return record.gold === undefined
        ? 'Excused: the system has it, gold does not, and it is not counted.'
        : 'Excused: gold has it, the system does not, and it is not counted.';
  }
}

const ERRORS: Readonly<Record<ErrorType, string>> = {
  boundary: 'right label, but it begins or ends elsewhere',
  type: 'right place, but another label',
  both: 'it overlaps, but begins or ends elsewhere and has another label',
  split: 'one gold item was given in several pieces',
  merged: 'several gold items were given as one',
  duplicate: 'repeats gold that was already found',
  missed: 'nothing like it was given, or only for other gold',
  spurious: 'nothing like it is in gold, or only what something else was given for',
  ungrounded: 'nothing holds it up: no quote in the text, no known entity, no source',
};

export function errorWords(error: ErrorType): string {
  return ERRORS[error];
}

const RULES: Readonly<Record<string, string>> = {
  pair: 'gold and prediction were paired',
  'no-match': 'no candidate on the other side was accepted',
  unresolved: 'an end of it is no known entity',
  'bad-span': 'its place cannot be right',
  logged: 'kept for information',
};

/** A word on rules whose names do not speak for themselves. */
export function ruleWords(rule: string): string | null {
  return Object.hasOwn(RULES, rule) ? (RULES[rule] ?? null) : null;
}
