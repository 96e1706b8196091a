import { describe, expect, it } from 'vitest';

import { parsingStatistics } from '../../src/stream/parsing-statistics.ts';
import { madeTrace, turn } from './made-trace.ts';

describe('parsing statistics', () => {
  it('count every delta once, by what became of it', () => {
    const { deltas } = madeTrace('t', [
      turn('doctor0', 'a@0', 'b@1'),
      { agent: 'doctor1', deltas: [['c', 2]], subtype: 'message' },
      turn('System', 'd@3'),
      // A speaker by its subtype, whatever the agent is called.
      { agent: 'meta', deltas: [['e', 4]], subtype: 'message' },
      {
        agent: 'doctor0',
        deltas: [
          ['f', 5],
          ['g', 6],
        ],
        subtype: 'orchestrator_summary',
      },
      { agent: 'doctor0', deltas: [['h', 7]], subtype: 'system_note' },
      { agent: 'doctor0', deltas: [['i', 8]], subtype: 'speaker' },
      { agent: 'doctor0', deltas: [['j', 9]], subtype: '__proto__' },
    ]);
    expect(deltas).toHaveLength(10);
    expect(parsingStatistics(deltas)).toEqual({
      included_message_chunks: 4,
      excluded_orchestrator_summary: 2,
      excluded_system_note: 1,
      excluded_other_subtype: 2,
      excluded_by_agent: 1,
      missing_event_subtype: 2,
    });
  });
});
