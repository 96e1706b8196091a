import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type Item, makeItem } from '../../../src/data/item.ts';
import { ERROR_TYPES, type ErrorType } from '../../../src/judge/error-type.ts';
import { makeVerdict, type Verdict } from '../../../src/judge/verdict.ts';
import { CasePageWriter } from '../../../src/report/html/case-page-writer.ts';
import { readCasePage } from '../../../src/report/html/case-page.ts';
import { EncodedPage } from '../../../src/report/html/encoded-page.ts';
import { PageBytes } from '../../../src/report/html/page-bytes.ts';
import type { ReportCase } from '../../../src/report/html/report-data.ts';
import { ledgerRecord } from '../../../src/score/ledger.ts';
import { anyVerdict, TEXT } from '../../score/any-verdict.ts';

const how = fc.record({
  isQuoted: fc.boolean(),
  isAlike: fc.boolean(),
  isPlain: fc.boolean(),
  index: fc.integer({ min: -1, max: 70_000 }),
  rejected: fc.option(fc.constantFrom(0, 1, 0.25)),
});

/** Any verdict, and those as they mostly are: items that quote the text, at the same place, with nothing rare. */
function verdictOf(id: string): fc.Arbitrary<Verdict> {
  return fc.tuple(anyVerdict, how).map(([any, { isQuoted, isAlike, isPlain, index, rejected }]) => {
    const shown = (item: Item): Item => {
      const text = isQuoted && item.start >= 0 ? TEXT.slice(item.start, item.end) : item.text;
      const { kind, label, start, end } = item;
      return isPlain ? makeItem({ kind, index, label: any.label, text, start, end }) : { ...item, index, label, text };
    };
    const gold = any.gold && shown(any.gold);
    const predicted = isAlike ? gold : any.predicted && shown(any.predicted);
    const item = gold ?? predicted;
    return makeVerdict({
      ...any,
      ...(isPlain ? { credit: 1, weight: 1, match: null, attributes: null, setAside: false, similarity: 1 } : {}),
      case: id,
      scheme: null,
      gold,
      predicted,
      rejected: rejected === null || item === null ? null : { item, similarity: rejected, why: `why ${any.rule}` },
    });
  });
}

const runOf = (id: string): fc.Arbitrary<ReportCase['runs'][number]> =>
  fc.option(
    fc.array(verdictOf(id), { maxLength: 6 }).map((verdicts) => ({
      result: { case: id, counts: { hit: 1, missed: 0, spurious: 0, excused: 0 }, measures: { f1: 0.5 } },
      verdicts,
    })),
  );

const cases = fc.array(
  fc
    .tuple(fc.string({ unit: 'grapheme' }), fc.constantFrom(TEXT, '', '\ufeffx', null), fc.option(fc.constant('why')))
    .chain(([id, text, why]) =>
      fc
        .tuple(runOf(id), runOf(id))
        .map((runs): ReportCase => ({ case: id, text, noText: text === null ? why : null, runs })),
    ),
  { maxLength: 5 },
);

/** Every third has one. */
function errorsOf({ runs }: ReportCase): Map<Verdict, ErrorType>[] {
  return runs.map(
    (run) => new Map(run?.verdicts.flatMap((own, at) => (at % 3 === 0 ? [[own, ERROR_TYPES[at % 9]!]] : []))),
  );
}

function pageOf(given: readonly ReportCase[]) {
  const writer = new CasePageWriter(null);
  for (const one of given) writer.add(one, errorsOf(one));
  return readCasePage(writer.take());
}

/** Each verdict as its line of the ledger. */
function expected(given: readonly ReportCase[]): unknown {
  return given.map((one) => {
    const errors = errorsOf(one);
    return {
      ...one,
      runs: one.runs.map((run, at) =>
        run === null
          ? null
          : {
              result: run.result,
              records: run.verdicts.map((own) => ({ ...ledgerRecord(own, null), error: errors[at]?.get(own) })),
            },
      ),
    };
  });
}

/** Through JSON, with U+FFFD for half of a surrogate pair, which a place or a text may begin or end with. */
function asShown(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed() : part,
  );
}

describe('a page of cases', () => {
  it('holds what the ledger has of each verdict, with places in UTF-16 units and its type of error', () => {
    fc.assert(
      fc.property(cases, (given) => {
        expect(asShown(pageOf(given))).toEqual(asShown(expected(given)));
      }),
      { numRuns: 150 },
    );
  });

  it('is the same if its cases are copied from pages that were cut elsewhere', () => {
    const halves = ['\ud83d', '\ude42', '\udc00', 'a'].map((text): ReportCase => {
      const gold = makeItem({ kind: 'span', index: 0, label: text, text });
      const base = { case: text, scheme: null, kind: 'span', rule: 'r', label: 'X' } as const;
      const verdict = makeVerdict({ ...base, verdict: 'missed', gold, because: text });
      const result = { case: text, counts: { hit: 0, missed: 1, spurious: 0, excused: 0 }, measures: {} };
      return { case: text, text: null, noText: text, runs: [{ result, verdicts: [verdict] }] };
    });
    const some = fc.oneof(cases, fc.array(fc.constantFrom(...halves), { maxLength: 6 }));
    fc.assert(
      fc.property(fc.array(some, { maxLength: 4 }), (parts) => {
        const [whole, copied] = [new CasePageWriter(null), new PageBytes()];
        for (const part of parts) {
          const cut = new CasePageWriter(null);
          for (const one of part) {
            whole.add(one, errorsOf(one));
            cut.add(one, errorsOf(one));
          }
          const from = new EncodedPage(Buffer.from(cut.take()));
          while (from.left > 0) copied.copy(from);
        }
        expect([copied.size, copied.ids.length]).toEqual([whole.size, whole.cases]);
        expect(copied.take().equals(whole.take())).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  it('begins again after it was taken', () => {
    const writer = new CasePageWriter(null);
    const [one, two] = ['D1', 'D2'].map((id): ReportCase => ({ case: id, text: id, noText: null, runs: [] }));
    writer.add(one!, []);
    writer.take();
    expect([writer.cases, writer.size]).toEqual([0, 0]);
    writer.add(two!, []);
    expect(readCasePage(writer.take())).toEqual([two]);
  });

  it('has texts of any length', () => {
    const long = 'ÅØ日'.repeat(400_000);
    const given = [long, 'short', long].map((text): ReportCase => ({ case: 'D', text, noText: null, runs: [] }));
    expect(pageOf(given)).toEqual(given);
  });

  it('has U+FFFD for half of a surrogate pair, and places still fit', () => {
    const text = 'a\ud83d b';
    const item = makeItem({ kind: 'span', index: 0, label: 'X', text: '\ud83d b', start: 1, end: 4 });
    const base = { case: 'D', scheme: null, kind: 'span', verdict: 'missed', rule: 'no-match', label: 'X' } as const;
    const result = { case: 'D', counts: { hit: 0, missed: 1, spurious: 0, excused: 0 }, measures: {} };
    const runs = [{ result, verdicts: [makeVerdict({ ...base, gold: item })] }];
    const [found] = pageOf([{ case: 'D', text, noText: null, runs }]);
    expect(found?.text).toBe('a\ufffd b');
    expect(found?.runs[0]?.records[0]?.gold).toEqual({ index: 0, label: 'X', text: '\ufffd b', start: 1, end: 4 });
  });

  it.each([
    ['before its lengths', 19, 'length'],
    ['inside its tables', 40, 'JSON'],
    ['inside its last part', -1, 'do not fit'],
  ])('is refused if it was cut off %s', (_, end, words) => {
    const writer = new CasePageWriter(null);
    writer.add({ case: 'D1', text: 'a text', noText: null, runs: [null] }, []);
    expect(() => readCasePage(new Uint8Array(writer.take().subarray(0, end)))).toThrow(words);
  });
});
