import { describe, expect, it } from 'vitest';

import { conceptNotes, exclusionNotes, runNotes } from '../../../src/stream/report/run-notes.ts';
import { madeUpRun } from '../../report/made-up-run.ts';

const cases = { total: 40, failed: 0, unanswered: 0 };

describe('notes of the runs behind a figure', () => {
  it('has nothing to say of forty cases without a fault', () => {
    expect(runNotes([{ name: 'V0', run: madeUpRun({ measures: { cases } }) }])).toEqual([]);
    expect(exclusionNotes([{ name: 'V0', run: madeUpRun() }])).toEqual([]);
  });

  it('names few cases, failed cases and answers of a stand-in', () => {
    const run = madeUpRun({
      measures: { cases: { total: 21, failed: 2, unanswered: 0 } },
      manifest: { notices: { heuristicLogs: 19, summariesNotInFaithfulness: 1234 } },
    });
    expect(runNotes([{ name: 'V0', run }])).toEqual([
      'From so few cases, resampling gives intervals too narrow.',
      'V0: 2 of 21 cases failed, in no mean.',
      'V0: answers of a heuristic stand-in, not of a language model.',
    ]);
    expect(exclusionNotes([{ name: 'V0', run }])).toEqual(['Summaries left out, their schema failed: V0 1,234.']);
  });

  it('names what found the concepts', () => {
    const run = madeUpRun({ resolved: { concepts: { name: 'linker' } } });
    expect(
      conceptNotes([
        { name: 'V0', run },
        { name: 'V1', run },
      ]),
    ).toEqual(['Concepts: linker.']);
    expect(conceptNotes([{ name: 'V0', run: madeUpRun() }])).toEqual([]);
  });
});
