import { describe, expect, test } from 'vitest';

import { acceptanceYaml, acceptanceYamls, auditCounts } from '../../src/report/audit-words.ts';
import { auditDocument, type AuditDocumentOptions, auditNotices } from '../../src/report/audit.ts';
import { displayWidth } from '../../src/report/display-width.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal, terminalLines } from '../../src/report/render-terminal.ts';
import { makeStyle, type Style } from '../../src/report/style.ts';
import { planRecipe } from '../../src/recipe/plan.ts';
import { parseYaml } from '../../src/recipe/yaml-document.ts';
import type { Audit, Finding, Severity } from '../../src/audit/finding.ts';

function found(name: string, severity: Severity, more: Partial<Finding> = {}): Finding {
  return {
    name,
    severity,
    title: `${name} was found in 3 of 40 cases`,
    why: 'It makes the number mean something else than a reader would think when he reads it in a report.',
    todo: 'Mend it.',
    subjects: [],
    cases: { total: 0, shown: [] },
    items: { total: 0, shown: [] },
    accepted: null,
    ...more,
  };
}

const AUDIT: Audit = {
  format: 1,
  signature: 'assay:1|task:pii',
  checks: [
    { name: 'excused-hits', about: 'hits', skipped: null },
    { name: 'training-data-in-test', about: 'cases of both', skipped: 'no training cases were given (--train FILE)' },
  ],
  findings: [
    found('excused-hits', 'error', {
      title: 'Hits on ORG.',
      subjects: ['ORG'],
      cases: { total: 12, shown: ['D1', 'D2'] },
      items: {
        total: 30,
        shown: [{ case: 'D1', side: 'gold', label: 'ORG', text: 'Warsaw\u202e\u001b[2J Court <b>', note: 'by a rule' }],
      },
    }),
    found('dropped-data', 'warning'),
    found('too-few-cases', 'note'),
    found('copied-gold', 'warning', { accepted: 'the client does not want it' }),
  ],
};
const plain = makeStyle();
const auditText = (audit: Audit, style: Style, options: AuditDocumentOptions): string =>
  renderTerminal(auditDocument(audit, options), style);
const auditMarkdown = (audit: Audit, run: string): string => renderMarkdown(auditDocument(audit, { run }));
const noticeLines = (audit: Audit, folder: string): string[] => terminalLines(auditNotices(audit, folder), plain);

describe('in the terminal', () => {
  const text = auditText(AUDIT, plain, { run: 'runs/a' });

  test('the worst comes first, with its evidence, what to do and how to let it stand', () => {
    expect(text.split('\n')[0]).toBe('✗ Audit of runs/a: 1 error, 1 warning, 1 note; 1 accepted');
    expect(text).toContain('1 of 2 checks could look.');
    expect(text.indexOf('✗ error')).toBeLessThan(text.indexOf('! warning'));
    expect(text).toContain('  Hits on ORG.\n');
    expect(text).toContain('  Behind it: 30 items in 12 cases\n');
    expect(text).toContain('    … and 29 more\n  Cases: D1, D2, …\n');
    expect(text).toContain('  To do: Mend it.\n');
    expect(text).toContain('        excused-hits: { because: why it may stand, subjects: [ORG] }\n');
  });

  test('then what is accepted with its reason, then what nobody looked at', () => {
    expect(text).toMatch(
      /Accepted\n {2}copied-gold \(warning\): [^]*Because: the client does not want it\n\nNot looked at\n {2}training-data-in-test: no training cases/,
    );
  });

  test('nothing in it acts on the terminal, and lines fit 80 columns', () => {
    expect(text).toContain('Warsaw‹U+202E›\\u001b[2J Court');
    expect(text).not.toMatch(/[\u001b\u202e]/);
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(80);
  });

  test('less severe findings are only counted where that is asked for', () => {
    const short = auditText(AUDIT, plain, { run: 'runs/a', severity: 'error' });
    expect(short).toContain('2 findings less severe than error not shown.');
    expect(short).not.toContain(
      'To do: Mend it.\n  To let it stand, in the recipe:\n    audit:\n      accept:\n        dropped-data',
    );
  });

  test('an audit without findings says so', () => {
    const none = { ...AUDIT, findings: [] };
    expect(auditText(none, plain, { run: 'runs/a' })).toContain('✓ Audit of runs/a: nothing found\n');
    expect(auditCounts(none)).toBe('nothing found');
  });
});

describe('after scoring', () => {
  test('errors and warnings in a few lines, and where to see the rest', () => {
    expect(noticeLines(AUDIT, 'runs/a b')).toEqual([
      '✗ error: Hits on ORG.',
      '! warning: dropped-data was found in 3 of 40 cases',
      '· 1 warning accepted in the recipe: copied-gold (the client does not want it)',
      expect.stringMatching(/ audit 'runs\/a b' shows all$/),
    ]);
    const many = { ...AUDIT, findings: Array.from({ length: 6 }, () => found('dropped-data', 'warning')) };
    const lines = noticeLines(many, 'runs/a');
    expect(lines).toHaveLength(4);
    expect(lines[3]).toMatch(/^ {2}3 more findings; .* audit runs\/a shows all$/);
  });

  test('what is accepted is not silent, though nothing else stands', () => {
    const accepted = AUDIT.findings.slice(2);
    expect(noticeLines({ ...AUDIT, findings: accepted }, 'runs/a')).toEqual([
      '· 1 warning accepted in the recipe: copied-gold (the client does not want it)',
      expect.stringMatching(/ audit runs\/a shows all$/),
    ]);
  });

  test('the command to copy is one line, however long the name of the run', () => {
    const folder = `runs/${'far/'.repeat(40)}away`;
    expect(noticeLines(AUDIT, folder).at(-1)).toMatch(new RegExp(`^ {2}\\S.* audit ${folder} shows all$`));
  });

  test('an error, a warning and what is accepted each have their sign', () => {
    expect(noticeLines(AUDIT, '')).toEqual([
      '✗ error: Hits on ORG.',
      '! warning: dropped-data was found in 3 of 40 cases',
      '· 1 warning accepted in the recipe: copied-gold (the client does not want it)',
    ]);
  });

  test('nothing where there are only notes', () => {
    expect(noticeLines({ ...AUDIT, findings: AUDIT.findings.slice(2, 3) }, 'runs/a')).toEqual([]);
    expect(noticeLines({ ...AUDIT, findings: [] }, 'runs/a')).toEqual([]);
  });
});

describe('an acceptance that nothing was found for', () => {
  const unused = [
    { name: 'too-few-cases', subjects: [], because: 'a pilot' },
    { name: 'excused-hits', subjects: ['<DEM>'], because: 'agreed' },
  ];

  test('is told in the terminal and on the page', () => {
    const text = auditText({ ...AUDIT, unused }, plain, { run: 'runs/a' });
    expect(text).toContain(
      'Accepted, but not found\n  too-few-cases\n    Because: a pilot\n  excused-hits (<DEM>)\n    Because: agreed\n',
    );
    const page = auditMarkdown({ ...AUDIT, unused }, 'runs/a');
    expect(page).toContain('## Accepted, but not found');
    expect(page).toContain('- too-few-cases: Because: a pilot\n- excused-hits (&lt;DEM&gt;): Because: agreed');
  });
});

describe('as Markdown', () => {
  test('texts from data are text', () => {
    const page = auditMarkdown(AUDIT, 'runs/a');
    expect(page).toContain('## ❌ error: excused-hits');
    expect(page).toContain('Court &lt;b&gt;');
    expect(page).not.toMatch(/[\u001b\u202e]/);
    expect(page).toContain(
      '- copied-gold (warning): copied-gold was found in 3 of 40 cases. Because: the client does not want it',
    );
    expect(page).toContain('| training-data-in-test | cases of both | no training cases were given (--train FILE) |');
  });
});

describe('the lines for the recipe', () => {
  test.each([
    [[]],
    [['ORG', 'rule 1', '#x: [y]', 'a"b']],
    // What YAML would take for something else than a text.
    [['true', 'False', 'NULL', 'null', 'no', '12', '1e3', '0x1F', '.inf', '~', '2026-11-15']],
    [Array.from({ length: 30 }, (_, at) => `LABEL_${at}`)],
  ])('are YAML that a recipe takes: %j', async (subjects) => {
    const lines = acceptanceYaml({ name: 'excused-hits', subjects });
    const { value } = parseYaml(`task: pii\n${lines.join('\n')}\n`, 'made.yaml', 'a recipe');
    const { resolved } = await planRecipe(value as object);
    const reason = 'why it may stand';
    expect(resolved['audit']).toEqual({
      accept: { 'excused-hits': subjects.length === 0 ? reason : { because: reason, subjects } },
    });
  });

  test('are one entry for findings of one check that are shown together', async () => {
    const findings = [
      found('dropped-data', 'error', { subjects: ['failed'] }),
      found('too-few-cases', 'warning'),
      found('dropped-data', 'warning', { subjects: ['unanswered', 'failed'] }),
    ];
    const text = auditText({ ...AUDIT, findings }, plain, { run: 'runs/a' });
    expect(text).toContain('see above, one entry holds for all');
    const page = auditMarkdown({ ...AUDIT, findings }, 'runs/a');
    expect(page.match(/^ {4}dropped-data:/gm)).toHaveLength(1);
    // Pasted together under one `accept`, as somebody would.
    const lines = acceptanceYamls(findings).flatMap((entry) => entry?.slice(2) ?? []);
    const { value } = parseYaml(['task: pii', 'audit:', '  accept:', ...lines, ''].join('\n'), 'made.yaml', 'a recipe');
    const { resolved } = await planRecipe(value as object);
    expect(resolved['audit']).toEqual({
      accept: {
        'dropped-data': { because: 'why it may stand', subjects: ['failed', 'unanswered'] },
        'too-few-cases': 'why it may stand',
      },
    });
  });

  test('are for the whole check where one of them has no subject', () => {
    const findings = [found('dropped-data', 'error', { subjects: ['failed'] }), found('dropped-data', 'note')];
    expect(acceptanceYamls(findings)).toEqual([['audit:', '  accept:', '    dropped-data: why it may stand'], null]);
  });
});
