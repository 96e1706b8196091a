import { describe, expect, it } from 'vitest';

import { tellWaiting } from '../../../src/cli/stream/waiting.ts';

describe('a command that waits for standard input', () => {
  it('says so at a terminal, and only there', () => {
    const said = (quiet: boolean, isTTY: boolean | undefined): string => {
      let text = '';
      tellWaiting(quiet, { isTTY }, { write: (more) => (text += more) });
      return text;
    };
    expect(said(false, true)).toBe('Reading from standard input; Ctrl-D ends it.\n');
    expect([said(true, true), said(false, false), said(false, undefined)]).toEqual(['', '', '']);
  });
});
