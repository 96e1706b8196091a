import { describe, expect, it } from 'vitest';

import { makeCase } from '../../../src/data/case.ts';
import { makeItem } from '../../../src/data/item.ts';
import { makeVerdict, type Verdict } from '../../../src/judge/verdict.ts';
import type { CaseResult } from '../../../src/measure/results.ts';
import { CaseBytes, NO_TEXT } from '../../../src/report/html/case-bytes.ts';
import { offsetMap } from '../../../src/text/offsets.ts';

const TEXT = '👋 "Zoë"\tmet\nBo \ud800 in Oslo';

const ZOE = { ...makeItem({ kind: 'span', index: 0, label: 'PERSON', text: 'Zoë', start: 4, end: 7 }), was: 'NAME' };
const BO = makeItem({ kind: 'span', index: 1, label: 'PERSON', text: 'Bo', start: 13, end: 15, fields: { sure: 0.5 } });

function verdict(over: Partial<Verdict>): Verdict {
  return makeVerdict({
    case: 'D1',
    scheme: null,
    kind: 'span',
    verdict: 'hit',
    rule: 'pair',
    label: 'PERSON',
    ...over,
  });
}

const HIT = verdict({ similarity: 0.75, credit: 0.5, gold: ZOE, predicted: BO, attributes: { sure: true } });
const MISSED = verdict({
  verdict: 'missed',
  rule: 'no-match',
  gold: BO,
  because: 'nearest is "Zoë"',
  rejected: { item: ZOE, similarity: 0.25, why: 'similarity 0.25 is below 0.5' },
});

const RESULT: CaseResult = {
  case: 'D1',
  counts: { hit: 1, missed: 1, spurious: 0, excused: 0 },
  kinds: null,
  measures: { f1: 2 / 3, recall: null },
  failed: null,
  answered: false,
  slices: { court: 'north' },
  cluster: null,
};

function read(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}

describe('a case that was just scored, as JSON', () => {
  const scored = {
    given: { ...makeCase({ id: 'D1', text: TEXT }), offsets: offsetMap(TEXT, 'codepoint') },
    result: RESULT,
    verdicts: [HIT, MISSED],
    types: new Map([[MISSED, 'boundary' as const]]),
  };

  it('has its text, what it adds up to, and each verdict with its places in UTF-16 units and its type of error', () => {
    expect(read(new CaseBytes().ofScored(scored))).toEqual({
      case: 'D1',
      text: TEXT,
      noText: null,
      runs: [
        {
          result: {
            case: 'D1',
            counts: { hit: 1, missed: 1, spurious: 0, excused: 0 },
            measures: { f1: 2 / 3, recall: null },
            answered: false,
            slices: { court: 'north' },
          },
          records: [
            {
              case: 'D1',
              kind: 'span',
              verdict: 'hit',
              rule: 'pair',
              label: 'PERSON',
              similarity: 0.75,
              credit: 0.5,
              gold: { index: 0, label: 'PERSON', text: 'Zoë', start: 4, end: 7, was: 'NAME' },
              predicted: { index: 1, label: 'PERSON', text: 'Bo', start: 13, end: 15, fields: { sure: 0.5 } },
              attributes: { sure: true },
            },
            {
              case: 'D1',
              kind: 'span',
              verdict: 'missed',
              rule: 'no-match',
              label: 'PERSON',
              gold: { index: 1, label: 'PERSON', text: 'Bo', start: 13, end: 15, fields: { sure: 0.5 } },
              because: 'nearest is "Zoë"',
              rejected: {
                index: 0,
                label: 'PERSON',
                text: 'Zoë',
                similarity: 0.25,
                why: 'similarity 0.25 is below 0.5',
              },
              error: 'boundary',
            },
          ],
        },
      ],
    });
  });

  it('says where there is no text, and stands for no case before it', () => {
    const bytes = new CaseBytes();
    bytes.ofScored({ ...scored, given: makeCase({ id: 'D0', text: 'long '.repeat(200_000) }) });
    const empty = { ...scored, given: makeCase({ id: 'D1' }), verdicts: [] };
    expect(read(bytes.ofScored(empty))).toMatchObject({ text: null, noText: NO_TEXT, runs: [{ records: [] }] });
  });

  it('is to the byte what a case in full gives', () => {
    const bytes = new CaseBytes();
    const first = Buffer.from(bytes.ofScored(scored));
    expect(first.equals(Buffer.from(bytes.ofScored(scored)))).toBe(true);
    const whole = JSON.stringify(read(first));
    expect(first.toString('utf8')).toBe(whole);
  });
});
