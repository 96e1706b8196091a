import { join } from 'node:path';

import { STOP_CONCEPTS_FILE, STOP_SURFACES_FILE } from '../concepts/stoplist-files.ts';
import { REPORT_FILE } from '../concepts/stoplist-outputs.ts';
import { type StopReport, stopped } from '../concepts/stoplist.ts';
import { count, counted, type Document, shellWord } from '../../plugin.ts';

export function stoplistDocument(report: StopReport, notices: readonly string[], out: string): Document {
  const { cutoff, cases, rows, knowsSurfaces } = report;
  const list = (type: 'CUI' | 'SURFACE', noun: string, file: string): string => {
    const all = rows.filter((row) => row.type === type).length;
    return `${counted(stopped(report, type).length, noun)} of ${count(all)}: ${join(out, file)}`;
  };
  return {
    title: `In at least ${cutoff} of ${counted(cases, 'trace')}:`,
    sections: [
      {
        blocks: [
          { text: list('CUI', 'concept', STOP_CONCEPTS_FILE), whole: true },
          knowsSurfaces
            ? { text: list('SURFACE', 'surface form', STOP_SURFACES_FILE), whole: true }
            : { text: 'Surface forms are not known: this extractor does not report which words it looked up.' },
          { text: `All by frequency: ${join(out, REPORT_FILE)}`, whole: true },
          { list: notices, mark: 'warning' },
          { text: `Use them: --stoplists ${shellWord(out)}`, tone: 'quiet', whole: true },
        ],
      },
    ],
  };
}
