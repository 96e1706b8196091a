import { describe, expect, it } from 'vitest';

import { type CaseExplanation, explainDocument } from '../../src/report/explain.ts';
import { renderHtml } from '../../src/report/render-html.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { makeStyle } from '../../src/report/style.ts';
import { codePointLength } from '../../src/text/characters.ts';
import { dangerous, HOSTILE, verdict } from './made-up-run.ts';

const explain = (given: Partial<CaseExplanation>, style = makeStyle()): string[] =>
  renderTerminal(
    explainDocument({ caseId: 'A', records: [], text: null, offsets: 'codepoint', ...given }),
    style,
  ).split('\n');

describe('a case explained', () => {
  it('marks both sides in the text and gives each verdict with rule, similarity and the nearest candidate', () => {
    const text = 'Mr Emeka Halloway lives in Kars, not in Varna.';
    const records = [
      verdict({ verdict: 'missed', gold: { index: 1, label: 'LOC', text: 'Varna', start: 40, end: 45 } }),
      verdict({
        verdict: 'hit',
        label: 'PERSON',
        similarity: 8 / 17,
        gold: { index: 0, label: 'PERSON', text: 'Mr Emeka Halloway', start: 0, end: 17 },
        predicted: { index: 0, label: 'PERSON', text: 'Halloway', start: 9, end: 17, was: 'SURNAME' },
      }),
      verdict({
        verdict: 'spurious',
        label: 'ORG',
        predicted: { index: 1, label: 'ORG', text: 'Kars', start: 27, end: 31 },
        rejected: { index: 1, label: 'LOC', text: 'Varna', similarity: 0.25, why: 'label differs' },
      }),
    ];
    expect(explain({ records, text })).toEqual([
      'A',
      '✓ 1 hit  ✗ 1 missed  + 1 spurious',
      '',
      '     Mr Emeka Halloway lives in Kars, not in Varna.',
      'gold ├─1✓ PERSON─────┤                       ├╌╌╌┤3✗ LOC',
      'pred          ├──────┤1✓ PERSON ├══┤2+ ORG',
      '',
      '1  ✓ hit       PERSON  gold "Mr Emeka Halloway"',
      '                       pred "Halloway" (was SURNAME) · pair 0.471',
      '2  + spurious  ORG     pred "Kars" · no-match',
      '                       closest gold 3: LOC "Varna" 0.250: label differs',
      '3  ✗ missed    LOC     gold "Varna" · no-match',
      '',
    ]);
  });

  it.each([
    ['codepoint', 3, 5],
    ['utf16', 4, 6],
    ['byte', 7, 13],
  ] as const)('reads offsets as %s', (offsets, start, end) => {
    const records = [verdict({ verdict: 'missed', gold: { index: 0, label: 'LOC', text: '東京', start, end } })];
    // Two columns for each of the emoji and of the characters of Tokyo.
    expect(explain({ records, text: 'é🙂 東京', offsets }).slice(3, 5)).toEqual([
      '     é🙂 東京',
      'gold     ├╌╌┤1✗ LOC',
    ]);
  });

  it('marks each piece of a span that is not in one piece', () => {
    const text = 'left and 🙂 atrium';
    const fragments = [
      { start: 0, end: 4 },
      { start: 11, end: 17 },
    ];
    const gold = { index: 0, label: 'A', text: 'left atrium', start: 0, end: 17, fragments };
    expect(explain({ records: [verdict({ verdict: 'missed', gold })], text }).slice(3, 5)).toEqual([
      '     left and 🙂 atrium',
      'gold ├╌╌┤1✗ A    ├1✗ A┤',
    ]);
  });

  it('shows attributes, wrong ones first with both values, and what a missing one stands for', () => {
    const records = [
      verdict({
        verdict: 'hit',
        kind: 'object',
        label: 'symptom',
        similarity: 1,
        gold: {
          index: 0,
          label: 'symptom',
          text: 'no cough',
          fields: { polarity: 'absent', time_bucket: 'today', intensity_bucket: 'unknown' },
        },
        predicted: {
          index: 0,
          label: 'symptom',
          text: 'no cough',
          fields: { polarity: 'absent', time_bucket: 'past_week' },
        },
        attributes: { polarity: true, intensity: true, time: false },
      }),
    ];
    const attributes = {
      polarity: { field: 'polarity', missing: null },
      intensity: { field: 'intensity_bucket', missing: 'unknown' },
      time: { field: 'time_bucket', missing: 'unknown' },
    };
    expect(explain({ records, attributes }, makeStyle({ width: 120 })).slice(3)).toEqual([
      '1  ✓ hit  symptom  "no cough" · pair 1.000',
      '                   time ✗ gold today, pred past_week · polarity ✓ absent · intensity ✓ unknown',
      '',
    ]);
  });

  it('shows kinds apart, the kind of match, and reasons', () => {
    const text = (name: string): string => `A --${name}--> B`;
    const records = [
      verdict({
        verdict: 'missed',
        kind: 'entity',
        label: 'Person',
        gold: { index: 0, label: 'Person', text: 'Ilse' },
      }),
      verdict({
        verdict: 'hit',
        kind: 'relationship',
        label: 'employs',
        similarity: 0.976,
        match: 'inverse-fuzzy',
        gold: { index: 0, label: 'employs', text: text('employs') },
        predicted: { index: 2, label: 'employed_by', text: text('employed_by') },
      }),
      verdict({
        verdict: 'spurious',
        kind: 'relationship',
        label: 'owns',
        rule: 'unresolved',
        predicted: { index: 0, label: 'owns', text: 'A --owns--> n7' },
        because: '"n7" is no extracted entity',
      }),
    ];
    expect(explain({ records }).slice(3)).toEqual([
      'entity',
      '  1  ✗ missed  Person  gold "Ilse" · no-match',
      '',
      'relationship',
      '  2  ✓ hit       employs  gold "A --employs--> B"',
      '                          pred "A --employed_by--> B" · pair inverse-fuzzy 0.976',
      '  3  + spurious  owns     pred "A --owns--> n7" · unresolved',
      '                          "n7" is no extracted entity',
      '',
    ]);
  });

  it('says what a verdict weighs in tokens, and what a partial hit is worth', () => {
    const records = [
      verdict({ verdict: 'missed', weight: 3, gold: { index: -1, label: 'LOC', text: 'a b c' } }),
      verdict({
        verdict: 'hit',
        weight: 1,
        credit: 0.5,
        similarity: 0.8,
        predicted: { index: -1, label: 'LOC', text: 'd' },
      }),
    ];
    expect(explain({ records, unit: 'token' })).toEqual([
      'A',
      '✓ 1 hit  ✗ 3 missed  (in tokens)',
      '',
      '1  ✗ missed  LOC  gold "a b c" · no-match · 3 tokens',
      '2  ✓ hit     LOC  pred "d" · pair 0.800 · worth 0.500 · 1 token',
      '',
    ]);
  });

  it('lists an ungrounded quote without marking it', () => {
    const records = [
      verdict({
        verdict: 'hit',
        gold: { index: 0, label: 'LOC', text: 'x', grounded: true },
        predicted: { index: 0, label: 'LOC', text: 'X', grounded: false },
      }),
    ];
    const lines = explain({ records, text: 'some x' });
    expect(lines.some((line) => line.startsWith('pred'))).toBe(false);
    expect(lines).toContain('               pred "X" (not in the text) · pair');
  });

  it('does not mark a place where another text stands', () => {
    const records = [verdict({ verdict: 'missed', gold: { index: 0, label: 'LOC', text: 'Kars', start: 0, end: 4 } })];
    expect(explain({ records, text: 'Kiev fell' }).join('\n')).not.toContain('├');
    expect(explain({ records, text: 'Kars fell' }).join('\n')).toContain('├');
  });

  it('is a page too, with the marks under the text', () => {
    const records = [verdict({ verdict: 'missed', gold: { index: 0, label: 'LOC', text: 'Kars', start: 0, end: 4 } })];
    const document = explainDocument({ caseId: 'A', records, text: 'Kars fell', offsets: 'codepoint' });
    const marked = '     Kars fell\ngold ├╌╌┤1✗ LOC';
    expect(renderMarkdown(document)).toContain(
      `\`\`\`\n${marked}\n\`\`\`\n\n- 1: ✗ missed, LOC, gold "Kars" · no-match\n`,
    );
    expect(renderHtml(document)).toContain(`<pre>${marked}</pre>`);
  });

  it('cuts long stretches without marks short', () => {
    const text = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n');
    const start = text.indexOf('line 10');
    const records = [
      verdict({ verdict: 'missed', gold: { index: 0, label: 'LOC', text: 'line 10', start, end: start + 7 } }),
    ];
    expect(explain({ records, text }).slice(3, 10)).toEqual([
      '     ⋯ 9 lines without marks ⋯',
      '     line 9',
      '     line 10',
      'gold ├╌╌╌╌╌┤1✗ LOC',
      '     line 11',
      '     ⋯ 18 lines without marks ⋯',
      '',
    ]);
  });

  it('says so when there is nothing, and when a choice left nothing', () => {
    expect(explain({})).toEqual(['A', '', 'nothing was expected and nothing was predicted', '']);
    expect(explain({ hidden: 2 })).toEqual(['A', '(2 verdicts not shown)', '', 'no such verdict in this case', '']);
  });

  it('fits a narrow window', () => {
    const records = [
      verdict({
        verdict: 'missed',
        label: 'A_RATHER_LONG_LABEL',
        gold: { index: 0, label: 'A_RATHER_LONG_LABEL', text: 'Great Ostrey on the Water' },
      }),
    ];
    expect(explain({ records }, makeStyle({ width: 40 })).slice(3)).toEqual([
      '1  ✗ missed  A_RATHER_LONG_LABEL',
      '    gold "Great Ostrey on the Water" ·',
      '    no-match',
      '',
    ]);
  });

  it('sends nothing hostile to the terminal', () => {
    const item = {
      index: 0,
      label: HOSTILE,
      text: HOSTILE,
      was: HOSTILE,
      start: 0,
      end: codePointLength(HOSTILE),
      fields: { p: HOSTILE },
    };
    const records = [
      verdict({
        verdict: 'hit',
        case: HOSTILE,
        label: HOSTILE,
        rule: HOSTILE,
        match: HOSTILE,
        gold: item,
        predicted: { ...item, index: 1, text: `${HOSTILE}!` },
        because: HOSTILE,
        attributes: { p: false, [HOSTILE]: true },
        rejected: { index: 9, label: HOSTILE, text: HOSTILE, similarity: 0.1, why: HOSTILE },
      }),
    ];
    for (const style of [makeStyle(), makeStyle({ colour: true, terminal: true })]) {
      const shown = explain({ caseId: HOSTILE, records, text: HOSTILE, remark: HOSTILE }, style).join('\n');
      expect(dangerous(shown)).toEqual([]);
      expect(shown).toContain('␛[2J');
    }
  });
});
