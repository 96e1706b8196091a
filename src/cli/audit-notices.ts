import { basename } from 'node:path';

import { auditNoticeLines } from '../report/audit-notice-lines.ts';
import type { Style } from '../report/style.ts';
import type { Audit } from '../audit/finding.ts';
import { runName } from '../score/run-folder.ts';
import type { Run } from '../score/run.ts';

/** What the audits of several runs found, said once all of them are done. */
export class AuditNotices {
  readonly #found: { readonly audit: Audit; readonly folder: string }[] = [];

  readonly onAudit = (audit: Audit, { folder }: Run): void => {
    this.#found.push({ audit, folder });
  };

  /** Empty where there is nothing to mind. */
  text(style: Style): string {
    const isOne = this.#found.length === 1;
    const lines = this.#found.flatMap(({ audit, folder }) =>
      auditNoticeLines(audit, folder, style, isOne ? '' : `${basename(runName(folder))}: `),
    );
    return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
  }
}
