import { basename } from 'node:path';

import { auditNotices } from '../report/audit.ts';
import type { Block } from '../report/document.ts';
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

  /** None if there is nothing to mind. */
  blocks(): Block[] {
    const isOne = this.#found.length === 1;
    return this.#found.flatMap(({ audit, folder }) =>
      auditNotices(audit, folder, isOne ? '' : `${basename(runName(folder))}: `),
    );
  }

  text(style: Style): string {
    const lines = terminalLines(this.blocks(), style);
    return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
  }
}
