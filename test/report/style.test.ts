import { describe, expect, it } from 'vitest';

import { makeStyle } from '../../src/report/style.ts';
import { terminalStyle } from '../../src/report/terminal-style.ts';

const RED = '\u001b[31mx\u001b[39m';
const painted = (stream: { isTTY?: boolean; columns?: number }, env: Record<string, string>): string =>
  terminalStyle(stream, env).paint('x', 'bad');

describe('terminalStyle', () => {
  it('colours on a terminal', () => expect(painted({ isTTY: true }, { TERM: 'xterm' })).toBe(RED));
  it('is plain in a pipe', () => expect(painted({}, {})).toBe('x'));
  it('respects NO_COLOR', () => expect(painted({ isTTY: true }, { NO_COLOR: '1' })).toBe('x'));
  it('takes an empty NO_COLOR as not set', () => expect(painted({ isTTY: true }, { NO_COLOR: '' })).toBe(RED));
  it('is plain on a dumb terminal', () => expect(painted({ isTTY: true }, { TERM: 'dumb' })).toBe('x'));
  it('colours in a pipe with FORCE_COLOR', () => expect(painted({}, { FORCE_COLOR: '1' })).toBe(RED));
  it('lets FORCE_COLOR go before NO_COLOR, as Node does', () =>
    expect(painted({}, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(RED));
  it('takes FORCE_COLOR=0 as no', () => expect(painted({ isTTY: true }, { FORCE_COLOR: '0' })).toBe('x'));

  it('takes the width of the stream, or 80', () => {
    expect(terminalStyle({ isTTY: true, columns: 123 }, {}).width).toBe(123);
    expect(terminalStyle({}, {}).width).toBe(80);
  });

  it('does not go under 40 columns', () => expect(terminalStyle({ columns: 3 }, {}).width).toBe(40));
});

describe('paint', () => {
  it('makes text safe with and without colour', () => {
    expect(makeStyle().paint('\u001b[2J', 'bad')).toBe('␛[2J');
    expect(makeStyle({ colour: true }).paint('\u001b[2J', 'bad')).toBe('\u001b[31m␛[2J\u001b[39m');
  });

  it('writes no codes around nothing', () => expect(makeStyle({ colour: true }).paint('', 'bad')).toBe(''));
});
