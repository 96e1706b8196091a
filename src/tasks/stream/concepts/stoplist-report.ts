import { harmless } from '../../../data/visible.ts';
import { type StopReport, type StopRow, stopped } from './stoplist.ts';

const HEADER = ['concept', 'type', 'df_count', 'df_fraction', 'status'];

/**
 * The audit file: one row each, then the summary as remarks. Cells are quoted as CSV wants it. A cell that a spreadsheet
 * would take for a formula (it begins with = + - @, a tab or a carriage return) gets an apostrophe before it, which
 * spreadsheets show as text; one that begins with apostrophes and then so, gets one more, so that nothing is lost.
 */
export function reportCsv(report: StopReport): string {
  const rows = report.rows.map(({ concept, type, dfCount, dfFraction, status }) =>
    [csvCell(concept), type, String(dfCount), pythonFloat(dfFraction), status].join(','),
  );
  return `${[HEADER.join(','), ...rows, '', ...summaryLines(report)].join('\n')}\n`;
}

/** The lines of the original, in its order and with its names. */
export function summaryLines(report: StopReport): string[] {
  const { cases, threshold, cutoff, rows, knowsSurfaces } = report;
  const total = (type: StopRow['type']): string => {
    if (type === 'SURFACE' && !knowsSurfaces) return 'not known';
    return String(rows.filter((row) => row.type === type).length);
  };
  return [
    '# SUMMARY',
    `# n_cases,${cases}`,
    `# threshold,${pythonFloat(threshold)}`,
    `# cutoff_count,${cutoff}`,
    `# stoplisted_cuis,${stopped(report, 'CUI').length}`,
    `# stoplisted_surfaces,${knowsSurfaces ? stopped(report, 'SURFACE').length : 'not known'}`,
    `# total_unique_cuis,${total('CUI')}`,
    `# total_unique_surfaces,${total('SURFACE')}`,
  ];
}

function csvCell(text: string): string {
  const shown = text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, harmless);
  const safe = /^'*[=+\-@\t\r]/.test(shown) ? `'${shown}` : shown;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/**
 * A number as the original's program writes it, so that files can be compared.
 *
 * @example pythonFloat(1) // '1.0'
 * @example pythonFloat(0.00005) // '5e-05'
 */
export function pythonFloat(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 1e16) return `${value}.0`;
  if (Math.abs(value) >= 1e-4) return String(value);
  const [digits = '', power = ''] = value.toExponential().split('e-');
  return `${digits}e-${power.padStart(2, '0')}`;
}
