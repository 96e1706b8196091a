import type { VerdictKind } from '../judge/verdict.ts';
import { safeText } from './safe-text.ts';

export type Tone = 'strong' | 'quiet' | 'good' | 'warn' | 'bad';

/** How to write for the reader: a person at a terminal, or a pipe. */
export interface Style {
  readonly width: number;
  /** A person is looking: bars are drawn and long cells cut to fit. A pipe gets every word. */
  readonly terminal: boolean;
  /** Colours a text, where colours are wanted, and makes it safe to print in any case. */
  paint(text: string, tone?: Tone | null): string;
}

const NARROWEST = 40;
export const USUAL_WIDTH = 80;

const CODES: Readonly<Record<Tone, readonly [number, number]>> = {
  strong: [1, 22],
  quiet: [2, 22],
  good: [32, 39],
  warn: [33, 39],
  bad: [31, 39],
};

export function makeStyle(options: { colour?: boolean; terminal?: boolean; width?: number } = {}): Style {
  const { colour = false, terminal = false, width = USUAL_WIDTH } = options;
  return {
    width: Math.max(NARROWEST, width),
    terminal,
    paint(text, tone = null) {
      const safe = safeText(text);
      if (!colour || tone === null || safe === '') return safe;
      const [on, off] = CODES[tone];
      return `\u001b[${on}m${safe}\u001b[${off}m`;
    },
  };
}

/** How a verdict looks, so that it can be recognised without colour too: its symbol and the line that marks its place. */
export const VERDICT_LOOKS: Readonly<
  Record<VerdictKind, { readonly symbol: string; readonly tone: Tone; readonly line: string }>
> = {
  hit: { symbol: '✓', tone: 'good', line: '─' },
  missed: { symbol: '✗', tone: 'warn', line: '╌' },
  spurious: { symbol: '+', tone: 'bad', line: '═' },
  excused: { symbol: '~', tone: 'quiet', line: '·' },
};
