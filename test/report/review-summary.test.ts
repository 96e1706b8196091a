import { describe, expect, it } from 'vitest';

import type { ReviewLine } from '../../src/review/review-lines.ts';
import { reviewSection } from '../../src/recipe/review-section.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { reviewDocument, reviewSummary, reviewSummaryJson } from '../../src/report/review-summary.ts';
import { makeStyle } from '../../src/report/style.ts';
import { snapshotOfLines } from '../../src/review/line-snapshot.ts';

const form = reviewSection.parse({
  title: 'Letters',
  people: { annotator: { title: 'annotators', raters: 2 } },
  show: [{ field: 'text', title: 'The letter' }],
  fields: {
    spans: {
      type: 'items',
      title: 'Is each span right?',
      by: ['annotator'],
      from: 'predicted',
      labels: { right: 'Right', wrong: 'Wrong' },
    },
    clear: { type: 'scale', title: 'Is it clear?', from: 1, to: 5, dimensions: { words: 'Words', order: 'Order' } },
    kind: { type: 'choice', title: 'What is it?', options: { letter: 'A letter', bill: 'A bill' } },
    has: {
      type: 'checklist',
      title: 'What has it?',
      items: { date: 'A date', name: 'A name' },
      notApplicable: ['name'],
    },
  },
});

function line(
  reviewer: string,
  caseId: string,
  field: string,
  part: string | null,
  value: ReviewLine['value'],
): ReviewLine {
  return {
    case_id: caseId,
    system: 'one',
    language: null,
    reviewer,
    role: 'reviewer',
    field,
    part,
    value,
    text: null,
    because: null,
    at: null,
  };
}

const both = (
  caseId: string,
  field: string,
  part: string | null,
  ann: ReviewLine['value'],
  ben = ann,
): ReviewLine[] => [line('ann', caseId, field, part, ann), line('ben', caseId, field, part, ben)];

const LINES = [
  // Of five spans three are right, one is wrong, and on one the two differ.
  ...both('1', 'spans', '0-3', 'right'),
  ...both('1', 'spans', '5-8', 'right'),
  ...both('2', 'spans', '0-4', 'right'),
  ...both('2', 'spans', '6-9', 'wrong'),
  ...both('2', 'spans', '12-15', 'wrong', 'right'),
  // Words 4, 4, 2, 3; order 5, 5, 1, 1: sum 25 of 8.
  ...both('1', 'clear', 'words', 4),
  ...both('2', 'clear', 'words', 2, 3),
  ...both('1', 'clear', 'order', 5),
  ...both('2', 'clear', 'order', 1),
  ...both('1', 'kind', null, 'letter'),
  ...both('2', 'kind', null, 'bill'),
  ...both('1', 'has', 'date', true),
  ...both('2', 'has', 'date', false),
  ...both('1', 'has', 'name', 'na'),
  ...both('2', 'has', 'name', true),
];

const summary = reviewSummary(snapshotOfLines(LINES, form));
const figuresOf = (question: string) => summary.questions.find((one) => one.question === question)!;

describe('the summary of a review that no recipe scores', () => {
  it('counts the labels that were settled, and apart from them what was not', () => {
    const spans = figuresOf('spans');
    expect(spans.rows).toMatchObject([
      { name: 'right', count: 3, n: 4, value: 0.75, items: 2 },
      { name: 'wrong', count: 1, n: 4, value: 0.25 },
    ]);
    expect(spans.unsettled).toBe(1);
    // Item 1 has 2 of 2 right, item 2 has 1 of 2: resamples give 0.5, 0.75 or 1.
    expect(spans.rows[0]!.interval).toMatchObject({ low: 0.5, high: 1, level: 0.95 });
    expect(figuresOf('kind').rows).toMatchObject([
      { name: 'letter', count: 1, n: 2 },
      { name: 'bill', count: 1, n: 2 },
    ]);
  });

  it('leaves what does not apply out of a share of ticks', () => {
    expect(figuresOf('has').rows).toMatchObject([
      { name: 'date', count: 1, n: 2, value: 0.5 },
      { name: 'name', count: 1, n: 1, value: 1, interval: null, noInterval: expect.stringContaining('one value') },
    ]);
  });

  it('takes means over the ratings, all together and by dimension', () => {
    expect(figuresOf('clear').rows).toMatchObject([
      { name: null, kind: 'mean', value: 25 / 8, n: 8, items: 2 },
      { name: 'words', value: 13 / 4, n: 4 },
      { name: 'order', value: 3, n: 4 },
    ]);
  });

  it('is a document with the answers, agreement, conflicts and what is missing', () => {
    const document = reviewDocument(summary);
    const markdown = renderMarkdown(document);
    expect(markdown).toContain('# Review summary: lines');
    expect(markdown).toContain('| Right (right) | 3 of 4: 0.750 (0.500 to 1.000), n 4 in 2 items |');
    expect(markdown).toContain('| all together | 3.13 (1.75 to 4.50), n 8 in 2 items |');
    expect(markdown).toContain('- one: 1 not settled, in no share');
    expect(markdown).toContain('1 conflict is open and 0 decided by adjudicators.');
    expect(markdown).toContain('Nothing: every reviewer whom the form asks for has answered every question.');
    expect(JSON.parse(reviewSummaryJson(summary))).toMatchObject({ format: 1, conflicts: { open: 1, decided: 0 } });
    expect(renderTerminal(document, makeStyle())).toMatch(/Right \(right\) +3 of 4: 0\.750/);
  });

  it('says why there is nothing where nobody has answered', () => {
    const [first] = LINES;
    const snapshot = snapshotOfLines([first!], form);
    const empty = reviewSummary({ ...snapshot, states: [] });
    expect(empty.questions.flatMap(({ rows }) => rows.map(({ value }) => value)).every((value) => value === null)).toBe(
      true,
    );
    const markdown = renderMarkdown(reviewDocument(empty));
    expect(markdown).toContain('nobody has committed an answer yet: nothing has a value');
    expect(markdown).toMatch(/\[1\\\] nothing is settled yet/);
    // One span question, asked of one person; the scale has two parts, and so has the checklist.
    expect(empty.missing.map(({ question, given, expected }) => [question, given, expected])).toEqual([
      ['spans', 0, 1],
      ['clear', 0, 2],
      ['kind', 0, 1],
      ['has', 0, 2],
    ]);
  });
});
