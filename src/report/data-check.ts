import type { DataCheck } from '../audit/check-data.ts';
import { problemText } from '../data/problems.ts';
import { counted, count } from '../text/figures.ts';
import { sentence } from './audit-words.ts';
import { evidenceBlocks } from './audit.ts';
import type { Document } from './document.ts';

const LABELS_SHOWN = 40;

/** What a check of files found: problems first, then what is odd, then what there is. */
export function dataCheckDocument(check: DataCheck): Document {
  const { files, cases, problems, findings, labels, skipped, recipe } = check;
  const isMapped = labels.some(({ becomes }) => becomes !== null);
  return {
    title: `Data for ${recipe}: ${counted(cases, 'case')}`,
    sections: [
      {
        blocks: [
          {
            list: files.map(({ role, name, format, rows }) => {
              return `${role} ${name}: ${counted(rows, 'record')}, read as ${format}`;
            }),
            tone: 'quiet',
          },
        ],
      },
      { blocks: [{ list: problems.shown.map(problemText), mark: 'error', total: problems.total }] },
      ...findings.map(({ name, severity, title, todo, ...behind }) => ({
        title: `${severity}: ${name}`,
        mark: severity,
        blocks: [{ text: sentence(title) }, { text: `To do: ${todo}` }, ...evidenceBlocks(behind)],
      })),
      {
        blocks: [
          {
            columns: [
              { title: 'label', shrinks: true },
              ...(isMapped ? [{ title: 'predicted becomes', shrinks: true }] : []),
              { title: 'gold', align: 'right' },
              { title: 'predicted', align: 'right' },
            ],
            rows: labels.map(({ label, becomes, gold, predicted }) => [
              label,
              ...(isMapped ? [becomes ?? ''] : []),
              count(gold),
              count(predicted),
            ]),
            shown: LABELS_SHOWN,
            rest: ' labels',
          },
        ],
      },
      { blocks: skipped.map((what) => ({ text: `Not checked: ${what}`, tone: 'quiet' })) },
      { blocks: [{ text: verdict(check), tone: problems.total === 0 ? 'good' : 'bad' }] },
    ],
  };
}

function verdict({ problems: { total }, findings }: DataCheck): string {
  const warnings = findings.filter(({ severity }) => severity !== 'note').length;
  const odd = warnings === 0 ? 'nothing to look at' : `${counted(warnings, 'finding')} to look at`;
  return total === 0
    ? `The files can be scored; ${odd}.`
    : `${counted(total, 'problem')}: the files cannot be scored as they are.`;
}
