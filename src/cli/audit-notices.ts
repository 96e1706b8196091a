import { basename } from 'node:path';

import { auditNotices } from '../report/audit.ts';
import { terminalLines } from '../report/render-terminal.ts';
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
    const blocks = this.#found.flatMap(({ audit, folder }) =>
      auditNotices(audit, folder, isOne ? '' : `${basename(runName(folder))}: `),
    );
    const lines = terminalLines(blocks, style);
    return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
  }
}
