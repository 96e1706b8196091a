import type { Audit } from '../runs/audit/finding.ts';
import { auditNotice } from './audit.ts';
import { prose } from './prose.ts';
import type { Style } from './style.ts';

/** What the audit of a run found, in short; of a run that was not kept there is nothing more to see. */
export function auditNoticeLines(audit: Audit, folder: string, style: Style, name = ''): string[] {
  const lines = auditNotice(audit, folder);
  return [
    ...lines.slice(0, -1).flatMap((line) => prose(`${name}${line}`, style, `${style.paint('✗', 'bad')} `, '  ')),
    ...(folder === '' ? [] : lines.slice(-1).flatMap((line) => prose(line, style, '  ', '  ', 'quiet'))),
  ];
}
