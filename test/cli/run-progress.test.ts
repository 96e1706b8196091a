import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { plainLine, runLine, RunProgress } from '../../src/cli/run-progress.ts';
import type { RunState } from '../../src/experiment.ts';
import { ROOT } from './run-assay.ts';

const STATE: RunState = {
  total: 1000,
  done: 450,
  failed: 3,
  cached: 20,
  inFlight: 8,
  allowed: 16,
  pausedForMs: 0,
  cost: 0.42,
  tokens: 90_000,
  ratePerSecond: 12.34,
  secondsLeft: 44.6,
};

describe('the line on a terminal', () => {
  it('shows bar, share, rate, failures, cost, time left, cache and calls at once', () => {
    expect(runLine(STATE, 200)).toBe(
      '[=========           ] 45 %  450/1,000  12.3/s  3 failed  0.420 spent  45 s left  20 from cache  8/16 at once',
    );
  });

  it('says for how long it waits, and why', () => {
    expect(runLine({ ...STATE, pausedForMs: 11_200 }, 200)).toContain('  waiting 12 s: rate limit  ');
  });

  it('shows how many are submitted and done, in which state and since when', () => {
    vi.setSystemTime(1_000_000);
    const batches = { batches: 1, submitted: 1000, done: 400, state: 'in_progress', since: 1_000_000 - 125_000 };
    const line = 'batch in_progress for 2 min 5 s: 400 of 1,000 done';
    expect(runLine({ ...STATE, batches }, 200)).toContain(`  ${line}  `);
    expect(plainLine({ ...STATE, batches })).toContain(`, ${line}, `);
    expect(plainLine({ ...STATE, batches: { ...batches, batches: 3 } })).toContain('3 batches, the first in_progress');
    vi.useRealTimers();
  });

  it('says no wait in absurd figures, and none once nothing is left to ask', () => {
    const long = { ...STATE, pausedForMs: 1e14 };
    expect(runLine(long, 200)).toContain('  waiting more than a year: rate limit  ');
    expect(runLine({ ...long, done: 1000 }, 200)).not.toContain('waiting');
    expect(plainLine({ ...long, done: 1000 })).not.toContain('waiting');
  });

  it('leaves out what there is none of', () => {
    const early = { ...STATE, failed: 0, cached: 0, cost: null, tokens: 0, ratePerSecond: null, secondsLeft: null };
    expect(runLine({ ...early, done: 0, total: 10 }, 200)).toBe('[                    ] 0 %  0/10  8/16 at once');
    expect(runLine({ ...early, tokens: 1234 }, 200)).toContain('1,234 tokens');
    expect(runLine({ ...STATE, total: 0 }, 200)).toContain('100 %');
  });

  it('gives slow rates by the minute and long times in hours', () => {
    const line = runLine({ ...STATE, ratePerSecond: 0.2, secondsLeft: 7260 }, 200);
    expect(line).toContain('12.0/min');
    expect(line).toContain('2 h 1 min left');
  });

  it('fits whatever the width, and keeps how far it is for last', () => {
    for (let width = 1; width < 160; width += 1) {
      const line = runLine({ ...STATE, pausedForMs: 5000 }, width);
      expect(line.length).toBeLessThan(width);
      expect(line).toContain('450/1,000'.slice(0, width - 1));
    }
    expect(runLine(STATE, 31)).toBe('450/1,000  3 failed  45 s left');
    expect(runLine(STATE, 30)).toBe('450/1,000  3 failed');
  });
});

it('the line in a pipe is a sentence without a bar', () => {
  expect(plainLine(STATE)).toBe('450 of 1,000 done, 3 failed, 20 from the cache, 0.420 spent, 12.3/s, 45 s left');
  expect(plainLine({ ...STATE, failed: 0, cached: 0, done: 1000, cost: null, secondsLeft: 0 })).toBe(
    '1,000 of 1,000 done, 90,000 tokens, 12.3/s',
  );
});

/** What was written, and when. */
class Screen {
  readonly columns = 60;
  readonly isTTY: boolean;
  readonly written: { readonly at: number; readonly text: string }[] = [];

  constructor(isTTY: boolean) {
    this.isTTY = isTTY;
  }

  write(text: string): boolean {
    this.written.push({ at: Date.now(), text });
    return true;
  }

  get texts(): string[] {
    return this.written.map(({ text }) => text);
  }
}

function progressOn(screen: Screen, quiet = false): RunProgress {
  return new RunProgress(screen as unknown as NodeJS.WriteStream, quiet);
}

describe('on the clock', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('a terminal is drawn on at most ten times a second, and cleared at the end', () => {
    const screen = new Screen(true);
    const progress = progressOn(screen);
    for (let ms = 0; ms < 5000; ms += 5) {
      progress.at(STATE);
      vi.advanceTimersByTime(5);
    }
    progress.end();
    expect(screen.written.length).toBeGreaterThan(30);
    expect(screen.written.length).toBeLessThanOrEqual(45);
    expect(screen.texts.every((text) => text.startsWith('\r\u001b[2K') && !text.includes('\n'))).toBe(true);
    expect(screen.texts.at(-1)).toBe('\r\u001b[2K');
    for (const text of screen.texts) expect(text.replace('\r\u001b[2K', '').length).toBeLessThan(60);
  });

  it('a terminal sees the wait grow shorter while nothing happens', () => {
    const screen = new Screen(true);
    const progress = progressOn(screen);
    vi.advanceTimersByTime(1000);
    progress.at({ ...STATE, pausedForMs: 12_000 });
    vi.advanceTimersByTime(5000);
    expect(screen.texts[0]).toContain('waiting 12 s');
    expect(screen.texts.at(-1)).toContain('waiting 7 s');
    progress.end();
  });

  it('a pipe gets a line every ten seconds and one at the end, each once', () => {
    const screen = new Screen(false);
    const progress = progressOn(screen);
    for (let second = 0; second < 35; second += 1) {
      progress.at({ ...STATE, done: second });
      vi.advanceTimersByTime(1000);
    }
    expect(screen.written).toHaveLength(3);
    const [first, second] = screen.written;
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(10_000);
    progress.end();
    progress.end();
    expect(screen.written).toHaveLength(4);
    expect(screen.texts.at(-1)).toMatch(/^34 of 1,000 done, .*\n$/);
    vi.advanceTimersByTime(60_000);
    expect(screen.written).toHaveLength(4);
  });

  it('a pipe that hears nothing new for long is told that it goes on', () => {
    const screen = new Screen(false);
    const progress = progressOn(screen);
    progress.at({ ...STATE, pausedForMs: 60_000 });
    vi.advanceTimersByTime(10_000);
    expect(screen.texts[0]).toContain('waiting 50 s: rate limit');
    progress.end();
  });

  it('a note stays above the line, and nothing in it reaches the terminal', () => {
    const screen = new Screen(true);
    const progress = progressOn(screen);
    vi.advanceTimersByTime(1000);
    progress.at(STATE);
    progress.note('4 calls at once from now on\u001b[2J');
    vi.advanceTimersByTime(1000);
    progress.end();
    expect(screen.texts.slice(1, 3)).toEqual(['\r\u001b[2K', '4 calls at once from now on␛[2J\n']);
    expect(screen.texts[3]).toContain('450/1,000');
  });

  it('quiet is quiet', () => {
    for (const screen of [new Screen(true), new Screen(false)]) {
      const progress = progressOn(screen, true);
      progress.at(STATE);
      progress.note('hello');
      vi.advanceTimersByTime(30_000);
      progress.end();
      expect(screen.texts).toEqual([]);
    }
  });
});

it('a real pipe gets its line, and the clock holds no process', () => {
  const program = `
    import { RunProgress } from ${JSON.stringify(join(ROOT, 'src/cli/run-progress.ts'))};
    const progress = new RunProgress(process.stderr, false);
    progress.at(${JSON.stringify(STATE)});
    if (process.argv[1] !== 'forget') progress.end();`;
  const run = (arg: string) =>
    spawnSync(process.execPath, ['--conditions=assay-source', '--input-type=module', '--eval', program, arg], {
      encoding: 'utf8',
      timeout: 20_000,
    });
  const done = run('end');
  expect([done.status, done.stdout, done.stderr]).toEqual([0, '', `${plainLine(STATE)}\n`]);
  expect([run('forget').status, run('forget').stderr]).toEqual([0, '']);
});
