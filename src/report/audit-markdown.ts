import type { Audit, Finding } from '../audit/finding.ts';
import {
  acceptanceYamls,
  acceptedFindings,
  auditCounts,
  behindText,
  itemText,
  openFindings,
  SEE_ABOVE,
  sentence,
  unusedText,
} from './audit-words.ts';
import { count } from '../text/figures.ts';
import { markdownBlock, markdownTable, markdownText } from './markdown-text.ts';

const SIGNS = { error: '❌', warning: '⚠️', note: 'ℹ️' } as const;

/** An audit as a page that can be kept with the run or sent to others. */
export function auditMarkdown(audit: Audit, run: string): string {
  const open = openFindings(audit);
  const skipped = audit.checks.filter((check) => check.skipped !== null);
  const accepted = acceptedFindings(audit);
  const unused = audit.unused ?? [];
  const entries = acceptanceYamls(open);
  const parts = [
    `# Audit of ${markdownText(run)}`,
    `${markdownText(auditCounts(audit))}.`,
    ...open.map((finding, at) => section(finding, entries[at] ?? null)),
    ...(accepted.length === 0
      ? []
      : [
          '## Accepted',
          markdownTable(
            ['check', 'severity', 'finding', 'because'],
            ['left', 'left', 'left', 'left'],
            accepted.map(({ name, severity, title, accepted: reason }) => [name, severity, title, reason ?? '']),
          ),
        ]),
    ...(unused.length === 0
      ? []
      : [
          '## Accepted, but not found',
          markdownTable(
            ['check', 'because'],
            ['left', 'left'],
            unused.map((one) => [unusedText(one), one.because]),
          ),
        ]),
    ...(skipped.length === 0
      ? []
      : [
          '## Not looked at',
          markdownTable(
            ['check', 'what it looks for', 'why it did not look'],
            ['left', 'left', 'left'],
            skipped.map(({ name, about, skipped: why }) => [name, about, why ?? '']),
          ),
        ]),
    '## Signature',
    markdownBlock('', audit.signature),
  ];
  return `${parts.join('\n\n')}\n`;
}

function section(finding: Finding, entry: readonly string[] | null): string {
  const { severity, name, title, why, todo, items, cases } = finding;
  const behind = behindText(finding);
  const more = items.total - items.shown.length;
  return [
    `## ${SIGNS[severity]} ${severity}: ${markdownText(name)}`,
    `**${markdownText(sentence(title))}**`,
    markdownText(why),
    `To do: ${markdownText(todo)}`,
    ...(behind === '' ? [] : [`Behind it: ${behind}.`]),
    ...(items.shown.length === 0
      ? []
      : [
          [
            ...items.shown.map(
              (item) => `- ${markdownText(itemText(item))}${item.note === null ? '' : ` (${markdownText(item.note)})`}`,
            ),
            ...(more > 0 ? [`- … and ${count(more)} more`] : []),
          ].join('\n'),
        ]),
    ...(cases.shown.length === 0
      ? []
      : [`Cases: ${cases.shown.map(markdownText).join(', ')}${cases.total > cases.shown.length ? ', …' : ''}`]),
    ...(entry === null ? [SEE_ABOVE] : ['To let it stand, in the recipe:', markdownBlock('yaml', entry.join('\n'))]),
  ].join('\n\n');
}
