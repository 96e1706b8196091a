import type { Check } from '../compare/gate/check.ts';
import type { Gate } from '../compare/gate/judge-gate.ts';
import { count, levelText } from '../text/figures.ts';
import { shownCases } from './gate-cases.ts';
import { endsText, foundText } from './gate-figures.ts';
import { countsText, gateNotices, gateTitle } from './gate-summary.ts';
import { demandText, nextText, whyText } from './gate-words.ts';
import { markdownBlock, markdownText } from './markdown-text.ts';

/** A comment on a pull request takes 65,536 characters. */
const MOST_ROWS = 40;
const CASES_SHOWN = 10;

const SIGNS: Readonly<Record<Check['verdict'], string>> = {
  passed: '✅',
  failed: '❌',
  'cannot tell': '❔',
  skipped: '➖',
};

/** The gate for a pull request: the verdict in the first line, what was not passed first, the rest folded away. */
export function gateMarkdown(gate: Gate): string {
  const { checks, run, baseline, rules } = gate;
  const bad = checks.filter(({ verdict }) => verdict === 'failed' || verdict === 'cannot tell');
  const good = checks.filter((check) => !bad.includes(check));
  const against = baseline === null ? '' : ` against ${name(baseline)}`;
  const parts = [
    `## ${SIGNS[gate.verdict]} ${gateTitle(gate.verdict)}: ${countsText(gate)}`,
    `Rules ${name(rules.file)} on ${name(run.folder)}${against}.`,
    ...notices(gate),
    ...(bad.length === 0 ? [] : [table(bad), reasons(bad)]),
    ...(good.length === 0
      ? []
      : bad.length === 0
        ? [table(good)]
        : [folded(countsText({ checks: good }), table(good))]),
    ...gate.cases.map((list) => {
      const { title, rows, more, command } = shownCases(list, run.folder, CASES_SHOWN);
      const lines = rows.map(([id, what]) => `- ${name(id)}${what === '' ? '' : ` ${plain(what)}`}`);
      const rest = more > 0 ? [`- … and ${count(more)} more`] : [];
      return folded(plain(title), [[...lines, ...rest].join('\n'), markdownBlock('sh', command)].join('\n\n'));
    }),
    folded('Signature', markdownBlock('', run.manifest.signature)),
  ];
  return `${parts.join('\n\n')}\n`;
}

function notices(gate: Gate): string[] {
  const found = gateNotices(gate);
  return found.length === 0 ? [] : [found.map((notice) => `- ⚠️ ${plain(notice)}`).join('\n')];
}

function table(checks: readonly Check[]): string {
  const level = checks.find(({ found }) => found.interval !== null)?.found.interval?.level ?? null;
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rows = checks.slice(0, MOST_ROWS).map((check) => {
    const { found, rule, verdict } = check;
    const n = rule.kind === 'share' ? found.cases : found.n;
    return line([
      `${SIGNS[verdict]} ${verdict}`,
      name(demandText(check)),
      markdownText(foundText(check)),
      ...(level === null ? [] : [markdownText(endsText(check))]),
      n === null ? '' : count(n),
    ]);
  });
  const left = checks.length - MOST_ROWS;
  return [
    line(['verdict', 'rule', 'found', ...(level === null ? [] : [`${levelText(level)} interval`]), 'n']),
    line(['---', '---', '---:', ...(level === null ? [] : ['---']), '---:']),
    ...rows,
    ...(left > 0 ? ['', `… and ${count(left)} more`] : []),
  ].join('\n');
}

function reasons(checks: readonly Check[]): string {
  return checks
    .slice(0, MOST_ROWS)
    .map((check) => {
      const next = nextText(check);
      return `- ${name(demandText(check))}: ${plain(`${whyText(check)}${next === null ? '' : ` ${next}`}`)}`;
    })
    .join('\n');
}

function folded(title: string, content: string): string {
  return `<details>\n<summary>${title}</summary>\n\n${content}\n\n</details>`;
}

/**
 * A name from data. In code, GitHub makes no mention, link or reference to an issue of it.
 *
 * @example name('@all') // '<code>&#64;all</code>'
 */
function name(text: string): string {
  return `<code>${markdownText(text).replaceAll('@', '&#64;').replaceAll('://', ':&#47;&#47;')}</code>`;
}

/** A sentence that may hold names: mentions, links and references are broken up by empty comments. */
function plain(text: string): string {
  return markdownText(text).replaceAll(/@|#|:(?=\/\/)|\bwww(?=\.)/gi, (character) => `${character}<!-- -->`);
}
