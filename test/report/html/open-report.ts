import { gunzipSync } from 'node:zlib';

import type { CaseDetail, CaseIndex, CasePage, ReportHead } from '../../../src/report/html/report-data.ts';

/** What a report file holds, decompressed as the viewer would. */
export interface OpenedReport {
  readonly policy: string;
  readonly head: ReportHead;
  readonly index: CaseIndex;
  readonly details: readonly CaseDetail[];
  /** All data in one text, to look for words in. */
  readonly everything: string;
}

export function openReport(html: string): OpenedReport {
  const block = (id: string): string => {
    const found = new RegExp(`<script type="[a-z/]+" id="${id}">([^<]*)</script>`).exec(html)?.[1];
    if (found === undefined) throw new Error(`there is no block ${id}`);
    return found;
  };
  const decompressed = (id: string): string => gunzipSync(Buffer.from(block(id), 'base64')).toString('utf8');
  const headText = block('assay-head');
  const head: ReportHead = JSON.parse(headText);
  const pages = head.pages.map((_, page) => decompressed(`assay-page-${page}`));
  const details = pages.flatMap((page): readonly CaseDetail[] => {
    const { cases }: CasePage = JSON.parse(page);
    return cases;
  });
  const indexText = decompressed('assay-index');
  const index: CaseIndex = JSON.parse(indexText);
  return {
    policy: /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '',
    head,
    index,
    details,
    everything: [headText, indexText, ...pages].join('\n'),
  };
}
