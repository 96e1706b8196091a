import { expect, test } from 'vitest';

import { CHECKS } from '../../src/audit/checks.ts';
import { type Case, makeCase } from '../../src/data/case.ts';
import { makeItem } from '../../src/data/item.ts';
import { look } from './audited.ts';
import { answered } from './content/answered.ts';
import { spanCase, STRICT, times } from './made-items.ts';

/** Words that no other text has. */
const rare = (at: number): string => `word${at} zebra${at * 7} quartz${at * 13} lemon${at * 3} tower${at * 11}`;
const textOf = (at: number): string => `Alice met Bob number ${at} in Oslo and ${rare(at)}.`;
const spansOf = (text: string, ...places: readonly (readonly [number, number])[]) =>
  places.map(([start, end], index) =>
    makeItem({ kind: 'span', index, label: 'P', text: text.slice(start, end), start, end }),
  );
const ALICE = [0, 5] as const;
const BOB = [10, 13] as const;
const advice = (all: number, faulty: number, fault: (at: number) => string): Case[] =>
  answered(
    Array.from({ length: all }, (_, at) => `What helps against the cold number ${at}?`),
    (_, at) => (at < faulty ? fault(at) : `Advice ${rare(at)} ${rare(at + 200)}`),
  );
const refuse = (): string => 'I’m sorry, but I can’t help with that.';

type Severity = 'error' | 'warning' | 'note';
/** The smallest number of faulty cases with which a severity is reached. */
type Limits = readonly (readonly [Severity, number])[];

const FAULTS: readonly [check: string, recipe: string | object, limits: Limits, cases: (faulty: number) => Case[]][] = [
  [
    'refused-answers',
    'consult/ayurmind',
    [
      ['warning', 10],
      ['error', 50],
    ],
    (faulty) => advice(100, faulty, refuse),
  ],
  [
    'refused-answers',
    'consult/ayurmind',
    [
      ['warning', 3],
      ['error', 5],
    ],
    (faulty) => advice(8, faulty, refuse),
  ],
  [
    'repeated-answers',
    'consult/ayurmind',
    [
      ['note', 1],
      ['warning', 5],
      ['error', 20],
    ],
    (faulty) => advice(100, faulty, (at) => `TODO ${rare(at)}`),
  ],
  [
    'repeated-answers',
    STRICT,
    [
      ['warning', 20],
      ['error', 50],
    ],
    (faulty) =>
      times(100, (at) => {
        const gold = [`A ${at * 10}`, `A ${at * 10 + 3000}`, `B ${at * 10 + 6000}`];
        return spanCase(`c${at}`, gold, at < faulty ? ['A 0', 'A 10', 'B 20'] : gold);
      }),
  ],
  [
    'untrimmed-spans',
    STRICT,
    [
      ['warning', 5],
      ['error', 25],
    ],
    (faulty) =>
      times(250, (at) => {
        const text = textOf(at);
        const predicted = spansOf(text, at < faulty ? [0, 6] : ALICE);
        return makeCase({ id: `c${at}`, text, gold: spansOf(text, ALICE), predicted });
      }),
  ],
  [
    'repeated-items',
    STRICT,
    [
      ['warning', 5],
      ['error', 50],
    ],
    (faulty) =>
      times(100, (at) =>
        spanCase(`c${at}`, ['A 0', 'A 10'], at < faulty ? ['A 0', 'A 0', 'A 10', 'A 10'] : ['A 0', 'A 10']),
      ),
  ],
  [
    'shifted-spans',
    STRICT,
    [
      ['warning', 4],
      ['error', 20],
    ],
    (faulty) =>
      times(400, (at) => {
        const text = textOf(at);
        const gold = spansOf(text, ALICE, BOB);
        return makeCase({ id: `c${at}`, text, gold, predicted: at < faulty ? spansOf(text, [1, 6], [11, 14]) : gold });
      }),
  ],
  [
    'whole-text-predictions',
    STRICT,
    [['warning', 6]],
    (faulty) =>
      times(20, (at) => {
        const text = `${'abcdefg hijk '.repeat(20)}${rare(at)}`;
        const gold = spansOf(text, [0, 7]);
        return makeCase({ id: `c${at}`, text, gold, predicted: at < faulty ? spansOf(text, [0, text.length]) : gold });
      }),
  ],
  [
    'gold-in-text',
    STRICT,
    [
      ['warning', 3],
      ['error', 30],
    ],
    (faulty) =>
      times(150, (at) => {
        const text = at < faulty ? `${textOf(at)}\nANSWER: Alice = P` : textOf(at);
        return makeCase({ id: `c${at}`, text, gold: spansOf(text, ALICE), predicted: spansOf(text, ALICE) });
      }),
  ],
  [
    'duplicate-cases',
    STRICT,
    [
      ['note', 1],
      ['warning', 2],
    ],
    (faulty) => times(100, (at) => makeCase({ id: `c${at}`, text: textOf(at < faulty ? 99 - at : at) })),
  ],
  [
    'swapped-labels',
    STRICT,
    [['error', 20]],
    // Two labels of 30 cases each: twice as often exchanged as right.
    (faulty) =>
      times(60, (at) => {
        const [own, other] = at % 2 === 0 ? ['A', 'B'] : ['B', 'A'];
        return spanCase(`c${at}`, [`${own} 0`], [`${at < 2 * faulty ? other : own} 0`]);
      }),
  ],
  [
    'excused-hits',
    { ...STRICT, judge: { 'excuse-missed': { labels: ['B'], because: 'not asked for' } } },
    [
      ['note', 1],
      ['error', 2],
    ],
    (faulty) => times(200, (at) => spanCase(`c${at}`, [at < faulty ? 'B 0' : 'A 0'], [at < faulty ? 'B 0' : 'A 0'])),
  ],
];

const ORDER = ['none', 'note', 'warning', 'error'];

test.each(FAULTS)('%s has the severities of its documented limits', async (name, recipe, limits, cases) => {
  const check = CHECKS.find((one) => one.name === name)!;
  const worst = async (faulty: number): Promise<string> => {
    const { findings } = await look(check, recipe, cases(faulty));
    return ORDER[Math.max(0, ...findings.map(({ severity }) => ORDER.indexOf(severity)))]!;
  };
  let below = 'none';
  for (const [severity, at] of limits) {
    expect([await worst(at - 1), await worst(at)], `${name} at ${at}`).toEqual([below, severity]);
    below = severity;
  }
});
