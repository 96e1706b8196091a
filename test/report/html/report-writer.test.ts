import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { makeItem } from '../../../src/data/item.ts';
import { makeVerdict } from '../../../src/judge/verdict.ts';
import { hidingOf, recipeValues } from '../../../src/report/html/hide-texts.ts';
import type { ReportCase, ReportHead, Texts } from '../../../src/report/html/report-data.ts';
import { readViewer, reportPolicy } from '../../../src/report/html/report-file.ts';
import { ReportWriter } from '../../../src/report/html/report-writer.ts';
import { runView } from '../../../src/report/html/run-view.ts';
import { madeUpRun, measure, temporaryFolder } from '../made-up-run.ts';
import { type OpenedReport, openReport } from './open-report.ts';

const VIEWER = { script: 'let a = 1;', style: 'p { margin: 0 }' };

function detail(id: string, over: Partial<ReportCase> = {}): ReportCase {
  const base = { case: id, scheme: null, kind: 'span' as const };
  const ida = { kind: 'span' as const, index: 0, label: 'PERSON', text: 'Ida Holm', start: 0, end: 8 };
  return {
    case: id,
    text: 'Ida Holm lives in Aarhus',
    noText: null,
    runs: [
      {
        result: { case: id, counts: { hit: 1, missed: 1, spurious: 0, excused: 0 }, measures: { f1: 2 / 3 } },
        verdicts: [
          makeVerdict({
            ...base,
            verdict: 'hit',
            rule: 'pair',
            label: 'PERSON',
            similarity: 1,
            gold: makeItem(ida),
            predicted: makeItem({ ...ida, fields: { confidence: 0.9 } }),
          }),
          makeVerdict({
            ...base,
            verdict: 'missed',
            rule: 'no-match',
            label: 'LOC',
            gold: makeItem({ kind: 'span', index: 1, label: 'LOC', text: 'Aarhus', start: 18, end: 24 }),
            because: 'nearest is "Ida Holm"',
          }),
        ],
      },
    ],
    ...over,
  };
}

async function written(
  details: readonly ReportCase[],
  { texts = 'full', mostBytes }: { texts?: Texts; mostBytes?: number } = {},
  runs?: ReportHead['runs'],
): Promise<OpenedReport & { readonly html: string }> {
  const pieces: string[] = [];
  const writer = new ReportWriter({
    viewer: VIEWER,
    title: 'A <b>title</b>',
    texts,
    columns: [['f1']],
    write: (piece) => pieces.push(piece),
    ...(mostBytes === undefined ? {} : { sizes: { mostBytes } }),
  });
  for (const one of details) writer.add(one);
  const run = madeUpRun({ measures: { measures: [measure('f1', 0.5)] } });
  await writer.finish({ runs: runs ?? [runView('first', run, null, null)], comparison: null });
  const html = pieces.join('');
  return { html, ...openReport(html) };
}

describe('a report file', () => {
  it('holds every case in full, in the order in which they came', async () => {
    const details = Array.from({ length: 1200 }, (_, at) => detail(`D${at}`, { text: null, runs: [null] }));
    const { details: found, head } = await written(details);
    expect(found).toEqual(details);
    // A page has at most 500 cases, however short they are.
    expect(head.pages).toEqual([0, 500, 1000]);
    expect(head.cases).toBe(1200);
    expect(head.detailsUntil).toBeNull();
  });

  it('has columns to filter and sort by', async () => {
    const { index } = await written([
      detail('D1'),
      detail('D2', {
        runs: [
          {
            result: {
              case: 'D2',
              counts: { hit: 0, missed: 0, spurious: 0, excused: 0 },
              measures: {},
              failed: 'timeout',
              slices: { court: 'north' },
            },
            verdicts: [],
          },
        ],
      }),
      detail('D3', { runs: [null] }),
    ]);
    expect(index.ids).toEqual(['D1', 'D2', 'D3']);
    expect(index.labels).toEqual(['LOC']);
    expect(index.rules).toEqual(['pair', 'no-match']);
    expect(index.slices).toEqual({ court: { values: ['north'], of: [-1, 0, -1] } });
    // Errors: bit 6 is `missed`, the seventh of the types.
    expect(index.runs).toEqual([
      {
        hit: [1, 0, 0],
        missed: [1, 0, 0],
        spurious: [0, 0, 0],
        excused: [0, 0, 0],
        state: [0, 1, 3],
        errors: [64, 0, 0],
        wrongLabels: [[0], [], []],
        rules: [[0, 1], [], []],
        print: [],
        measures: { f1: [2 / 3, null, null] },
      },
    ]);
  });

  it('keeps the list of all cases where their texts would make it too large, and says from where on', async () => {
    const details = Array.from({ length: 1500 }, (_, at) => detail(`D${at}`));
    const { head, index, details: found } = await written(details, { mostBytes: 12_000 });
    expect(index.ids).toHaveLength(1500);
    expect(head.detailsUntil).toBe(found.length);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(1500);
  });

  it('lets nothing in the data end its element or begin another', async () => {
    const hostile = '</script><script>alert(1)</script><!--';
    const { html, details, head } = await written([detail(hostile, { text: hostile })]);
    expect(details[0]!.text).toBe(hostile);
    expect(head.runs[0]!.name).toBe('first');
    // Four blocks (page, index, head, noscript has none) and the one that runs.
    expect(html.match(/<script/g)).toHaveLength(4);
    expect(html.match(/<\/script>/g)).toHaveLength(4);
    expect(html).not.toContain('alert');
    expect(html).toContain('<title>A &lt;b&gt;title&lt;/b&gt;</title>');
  });

  it('shows a head with markup in it as it is', async () => {
    const run = madeUpRun({ measures: { measures: [measure('<img src=x onerror=alert(1)>', 0.5)] } });
    const { html, head } = await written([], {}, [runView('</script>', run, null, null)]);
    expect(head.runs[0]!.name).toBe('</script>');
    expect(html).not.toContain('<img');
  });

  it('allows its own script and style by their hashes, and nothing else', async () => {
    const { policy } = await written([]);
    const named = (code: string): string => `'sha256-${hash('sha256', code, 'base64')}'`;
    expect(policy).toBe(reportPolicy(VIEWER));
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      `script-src ${named(VIEWER.script)}`,
      `style-src ${named(VIEWER.style)}`,
      'img-src data: blob:',
      "base-uri 'none'",
      "form-action 'none'",
    ]);
  });

  it('is the same file when written again', async () => {
    const details = Array.from({ length: 700 }, (_, at) => detail(`D${at}`));
    const [one, other] = [await written(details), await written(details)];
    expect(one.html).toBe(other.html);
  });
});

describe('texts that are not to leave the house', () => {
  const WORDS = ['Ida', 'Holm', 'Aarhus', 'lives', 'secret', 'timeout'];
  const failed = detail('D2', {
    runs: [
      {
        result: {
          case: 'D2',
          counts: { hit: 0, missed: 0, spurious: 0, excused: 1 },
          measures: {},
          failed: 'timeout at Holm',
        },
        verdicts: [
          makeVerdict({
            case: 'D2',
            scheme: null,
            kind: 'relationship',
            verdict: 'excused',
            rule: 'failed',
            label: 'lives_in',
            because: 'timeout at Holm',
            gold: {
              ...makeItem({ kind: 'relationship', index: 0, label: 'knows', text: 'Ida' }),
              source: 'Ida Holm',
              target: 'Aarhus',
              unresolved: ['secret'],
              fields: { note: 'secret', deep: [{ of: 'Aarhus' }], size: 3 },
            },
            rejected: {
              item: makeItem({ kind: 'relationship', index: 1, label: 'LOC', text: 'Aarhus', fields: { of: 'Holm' } }),
              similarity: 0.4,
              why: 'it went to gold "Ida \\"Holm" (similarity 0.9)',
            },
          }),
        ],
      },
    ],
  });

  it.each(['redacted', 'none'] as const)('are not in it (%s)', async (texts) => {
    const { everything } = await written([detail('D1'), failed], { texts });
    for (const word of WORDS.filter((one) => one !== 'lives')) expect(everything).not.toContain(word);
  });

  it('keep their shape when they are redacted, so that places still fit', async () => {
    const { details, head } = await written([detail('D1')], { texts: 'redacted' });
    expect(head.texts).toBe('redacted');
    expect(details[0]!.text).toBe('▒▒▒ ▒▒▒▒ ▒▒▒▒▒ ▒▒ ▒▒▒▒▒▒');
    const missed = details[0]!.runs[0]!.records[1]!;
    expect(missed.gold).toMatchObject({ text: '▒▒▒▒▒▒', start: 18, end: 24, label: 'LOC' });
    expect(missed.because).toBe('nearest is "▒▒▒ ▒▒▒▒"');
  });

  it('keep the values that the recipe lists, and no others', async () => {
    const listed = recipeValues({ data: { values: { polarity: ['present', 'absent'] } } });
    const fields = { polarity: 'absent', note: 'Holm' };
    const gold = makeItem({ kind: 'object', index: 0, label: 'symptom', text: 'Holm', fields });
    const base = { case: 'D1', scheme: null, kind: 'object', verdict: 'hit', rule: 'pair', label: 'symptom' } as const;
    const shown = hidingOf('none', listed)!.verdict(makeVerdict({ ...base, gold }));
    expect(shown.gold!.fields).toEqual({ polarity: 'absent', note: '' });
    expect(recipeValues({})).toEqual(new Set());
  });

  it('are gone when they are left out, and the report says why', async () => {
    const { details } = await written([detail('D1')], { texts: 'none' });
    expect(details[0]).toMatchObject({ text: null, noText: 'texts were left out of this report' });
    expect(details[0]!.runs[0]!.records[0]!.predicted).toMatchObject({ text: '', fields: { confidence: 0.9 } });
  });
});

describe('readViewer', () => {
  it('is nothing where the viewer has not been built', async () => {
    expect(readViewer(join(temporaryFolder(), 'nowhere'))).toBeNull();
  });

  it('cannot be ended by what the script itself says', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'report.js'), 'const x = "</script>";\r\nconst y = "<!--";');
    writeFileSync(join(folder, 'report.css'), '/* </style> */');
    expect(readViewer(folder)).toEqual({
      script: 'const x = "<\\/script>";\nconst y = "<\\!--";',
      style: '/* <\\/style> */',
    });
  });
});
