import { basename } from 'node:path';
import { type Block, type Style, terminalLines } from '../plugin.ts';
import type { Audit, Run } from '../index.ts';
import { runName } from '../pipeline.ts';
import { auditNotices } from '../report.ts';

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
