import { beforeAll, describe, expect, it } from 'vitest';

import { displayWidth } from '../../src/report/display-width.ts';
import { safeJson } from '../../src/report/safe-json.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { repeatsDocument } from '../../src/report/repeats.ts';
import { makeStyle, type Style } from '../../src/report/style.ts';
import { compareRepeats, repeatFiles, type Repeats } from '../../src/compare/repeats/repeats.ts';
import { example } from '../cli/run-assay.ts';
import { object } from '../pair/items.ts';
import { questionOf, runOf } from '../compare/repeats/questions.ts';
import { dangerous, HOSTILE } from './made-up-run.ts';

const repeatsText = (found: Repeats, style: Style, most?: number): string =>
  renderTerminal(repeatsDocument(found, most), style);
const repeatsMarkdown = (found: Repeats): string => renderMarkdown(repeatsDocument(found));
const lines = (text: string): string[] => text.split('\n');

describe('the report on repeated runs', () => {
  let repeats: Repeats;
  beforeAll(async () => {
    repeats = await repeatFiles('journal/ashwam', {
      cases: example('journal/journals.jsonl'),
      gold: example('journal/gold.jsonl'),
      predictions: [1, 2, 3].map((at) => example(`journal/repeats/run${at}.jsonl`)),
    });
  });

  it('shows the spread, what comes and goes, what flips and which gold is found', () => {
    const text = repeatsText(repeats, makeStyle());
    expect(text).toMatch(/^ {2}f1 +0\.788 {2}0\.046 {2}0\.750–0\.839 {2}0\.173 {3}22 % {2}0\.279$/m);
    expect(text).toMatch(/^ {2}\(all\) +36 +25 +69 %$/m);
    expect(text).toContain('Come and go  11 of 36 objects');
    expect(text).toContain('  D01   mind     + · ·  "took notes by hand"');
    expect(text).toMatch(/^ {2}polarity +31 +2 +6 % +1$/m);
    expect(text).toContain('  D02   symptom  polarity   present, absent, present  "cramps at all"');
    expect(text).toContain('Gold items\n  22 found in every run, 6 in some, 4 in none.');
    expect(text).toMatch(/such a\s+difference means/);
  });

  it('fits a terminal of 80 columns, and a narrower one', () => {
    for (const width of [80, 60]) {
      const text = repeatsText(repeats, makeStyle({ terminal: true, width }));
      const tooWide = lines(text).filter((line) => displayWidth(line) > width && !line.includes('.jsonl'));
      expect(tooWide).toEqual([]);
    }
  });

  it('cuts long lists and says how many rows are left', () => {
    const text = repeatsText(repeats, makeStyle(), 3);
    expect(text).toContain('… and 8 more: --limit, --markdown FILE or --json');
    expect(text).toContain('took notes by hand');
    expect(text).not.toContain('"Mild back ache"');
  });

  it('has the values of each run on its Markdown page, and every row', () => {
    const page = repeatsMarkdown(repeats);
    expect(page).toContain('# Repeated runs: journal/ashwam');
    expect(page).toContain('| f1 | 0.750 | 0.839 | 0.774 |');
    expect(page).toContain('| D07 | food | polarity | present, present, absent | "Skipped lunch" |');
    expect(page.match(/^\| D\d+ \| \w+ \| [✓+·] [✓+·] [✓+·] \|/gm)).toHaveLength(11);
  });

  it('gives the same bytes again', async () => {
    const again = await repeatFiles('journal/ashwam', {
      cases: example('journal/journals.jsonl'),
      gold: example('journal/gold.jsonl'),
      predictions: [1, 2, 3].map((at) => example(`journal/repeats/run${at}.jsonl`)),
    });
    expect(safeJson(again)).toBe(safeJson(repeats));
    expect(repeatsMarkdown(again)).toBe(repeatsMarkdown(repeats));
  });

  it('says where there is no gold and where nothing moves', async () => {
    const question = await questionOf('journal/ashwam');
    const run = { a: [object('food', 'rice', { polarity: 'present' })] };
    const text = repeatsText(
      compareRepeats({ ...question, runs: [runOf('one', run), runOf('two', run)], notices: [] }),
      makeStyle(),
    );
    expect(text).toContain('No measures: no gold was given');
    expect(text).toContain('No objects come and go: all 1 are in every run');
  });

  it('numbers more than nine runs by their place', async () => {
    const question = await questionOf('journal/ashwam');
    const runs = Array.from({ length: 12 }, (_, at) =>
      runOf(`run ${at + 1}`, { a: at === 4 ? [] : [object('food', 'rice')] }),
    );
    const text = repeatsText(compareRepeats({ ...question, runs, notices: [] }), makeStyle());
    expect(text).toContain('runs 1 to 12');
    expect(text).toContain('●●●●·●●●●●●●  "rice"');
  });
});

describe('hostile data', () => {
  let hostile: Repeats;
  beforeAll(async () => {
    const { plan, hasGold } = await questionOf('journal/ashwam');
    const question = { plan: { ...plan, name: HOSTILE }, hasGold };
    const found = (polarity: string) => object(HOSTILE, HOSTILE, { polarity });
    const runs = [
      runOf(HOSTILE, { [HOSTILE]: [found(HOSTILE), object('food', HOSTILE)], other: [] }),
      runOf('two', { [HOSTILE]: [found('absent')] }),
    ];
    hostile = compareRepeats({ ...question, runs, notices: [HOSTILE] });
  });

  it('reaches the terminal only as something to look at', () => {
    expect(hostile.items?.comeAndGo).toHaveLength(1);
    expect(hostile.items?.flips).toHaveLength(1);
    for (const terminal of [true, false]) {
      const text = repeatsText(hostile, makeStyle({ terminal, colour: true }));
      expect(dangerous(text.replaceAll('\n', ''))).toEqual([]);
    }
  });

  it('is no markup on the Markdown page', () => {
    const page = repeatsMarkdown(hostile);
    expect(dangerous(page.replaceAll('\n', ''))).toEqual([]);
    expect(page).not.toContain('<img');
    expect(page).not.toMatch(/^# b/m);
    expect(page).not.toMatch(/(?<!\\)\[x\]/);
  });

  it('is escaped in the JSON, and comes back as it was', () => {
    const json = safeJson(hostile);
    expect(dangerous(json.replaceAll('\n', ''))).toEqual([]);
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(hostile)));
  });
});
