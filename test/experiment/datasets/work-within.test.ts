import { afterEach, describe, expect, it, vi } from 'vitest';

import { OutOfTime, workWithin } from '../../../src/experiment/json-schema.ts';

const LIMIT_MS = 50;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Keeps the processor for as long as it is let. */
function forEver(): never {
  for (;;);
}

/** A processor that is given to us for a part of the time only. */
function machineThatGives(share: number): void {
  const start = performance.now();
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({
    user: (performance.now() - start) * 1000 * share,
    system: 0,
  }));
}

describe('work within a time', () => {
  it('gives what it found, and what it threw', () => {
    expect(workWithin(() => 42, LIMIT_MS)).toBe(42);
    expect(() =>
      workWithin(() => {
        throw new RangeError('too deep');
      }, LIMIT_MS),
    ).toThrow(new RangeError('too deep'));
  });

  it('is ended, and what comes after it is not', () => {
    expect(() => workWithin(forEver, LIMIT_MS)).toThrow(new OutOfTime(LIMIT_MS));
    expect(workWithin(() => 'next', LIMIT_MS)).toBe('next');
  });

  it('is begun anew where others had the processor, with four times the time', () => {
    machineThatGives(0.01);
    let begun = 0;
    // The first time the clock runs out; the second time there is room.
    const found = workWithin(() => {
      begun += 1;
      const until = performance.now() + LIMIT_MS * (begun === 1 ? 20 : 0.5);
      while (performance.now() < until);
      return begun;
    }, LIMIT_MS);
    expect(found).toBeGreaterThanOrEqual(2);
  });

  it('is given up after three times, however little it ran', () => {
    machineThatGives(0);
    let begun = 0;
    const start = performance.now();
    expect(() =>
      workWithin(() => {
        begun += 1;
        forEver();
      }, 10),
    ).toThrow(new OutOfTime(10));
    expect(begun).toBe(3);
    // 10, 40 and 160 ms.
    expect(performance.now() - start).toBeGreaterThanOrEqual(205);
  });
});
