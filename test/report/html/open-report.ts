import { gunzipSync } from 'node:zlib';

import { readCasePage } from '../../../src/report/html/case-page.ts';
import type { CaseDetail, CaseIndex, ReportHead } from '../../../src/report/html/report-data.ts';
import { joinIndexes } from '../../../web/src/report/join-indexes.ts';

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
  const decompressed = (id: string): Buffer => gunzipSync(Buffer.from(block(id), 'base64'));
  const headText = block('assay-head');
  const head: ReportHead = JSON.parse(headText);
  const pages = head.pages.map((_, page) => decompressed(`assay-page-${page}`));
  const details = pages.flatMap(readCasePage);
  const parts = Array.from({ length: head.indexParts }, (_, part) =>
    decompressed(`assay-index-${part}`).toString('utf8'),
  );
  const [first, ...others] = parts.map((part) => {
    const read: CaseIndex = JSON.parse(part);
    return read;
  });
  const index = joinIndexes([first!, ...others]);
  return {
    policy: /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? '',
    head,
    index,
    details,
    everything: [headText, ...parts, ...pages.map((page) => page.toString('utf8'))].join('\n'),
  };
}
