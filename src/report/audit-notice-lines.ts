import type { Audit } from '../audit/finding.ts';
import { SEVERITY_LOOKS } from './audit-words.ts';
import { auditNoticeParts } from './audit.ts';
import { prose } from './prose.ts';
import type { Style } from './style.ts';

/** What the audit of a run found, in short; of a run that was not kept there is nothing more to see. */
export function auditNoticeLines(audit: Audit, folder: string, style: Style, name = ''): string[] {
  const lines = auditNoticeParts(audit, folder);
  return [
    ...lines.slice(0, -1).flatMap(({ severity, text }) => {
      const { symbol, tone } = SEVERITY_LOOKS[severity ?? 'note'];
      return prose(`${name}${text}`, style, `${style.paint(symbol, tone)} `, '  ');
    }),
    // A command to copy: in one piece, however long the way to the program is.
    ...(folder === '' ? [] : lines.slice(-1).map(({ text }) => `  ${style.paint(text, 'quiet')}`)),
  ];
}
