import { harmless, sha256Of, sortedJson } from '../../plugin.ts';
import type { Join } from '../canonical-text.ts';
import type { ExtractorIdentity } from './extractor.ts';
import { type StopReport, type StopRow, stopped } from './stoplist.ts';
import { METADATA_FILE, STOP_CONCEPTS_FILE, STOP_SURFACES_FILE, stopFileText } from './stoplist-files.ts';

export const REPORT_FILE = 'stoplist_df_report.csv';

/** What stoplists were made of. No clock: the same traces and settings give the same bytes on any day. */
export interface StoplistSources {
  readonly traces: readonly { readonly case_id: string; readonly sha256: string }[];
  readonly join: Join;
  readonly extractor: ExtractorIdentity;
}

export function stoplistFiles(report: StopReport, sources: StoplistSources): Readonly<Record<string, string>> {
  const traces = hashOf(sources.traces);
  const extractor = hashOf(sources.extractor);
  const { cutoff, cases, threshold, knowsSurfaces } = report;
  const remarks = (what: string, count: number): string[] => [
    `${what} that at least ${cutoff} of ${cases} traces have (threshold ${pythonFloat(threshold)})`,
    `Traces: ${traces}`,
    `Extractor: ${extractor} (stoplists off)`,
    `Join: ${sources.join}`,
    `Count: ${count}`,
  ];
  const concepts = stopped(report, 'CUI');
  const surfaces = stopped(report, 'SURFACE');
  const files: Record<string, string> = {
    [STOP_CONCEPTS_FILE]: stopFileText(remarks('Concepts', concepts.length), concepts),
    [STOP_SURFACES_FILE]: knowsSurfaces
      ? stopFileText(remarks('Surface forms', surfaces.length), surfaces)
      : stopFileText(['Not known: this extractor does not report which words it looked at'], []),
    [REPORT_FILE]: reportCsv(report),
  };
  return { ...files, [METADATA_FILE]: metadataText(report, sources, files) };
}

function metadataText(
  report: StopReport,
  { traces, join, extractor }: StoplistSources,
  files: Readonly<Record<string, string>>,
): string {
  const { cases, threshold, cutoff, rows, knowsSurfaces } = report;
  const metadata = {
    version: 1,
    n_cases: cases,
    threshold,
    cutoff_count: cutoff,
    join,
    stoplisted_cuis: stopped(report, 'CUI').length,
    stoplisted_surfaces: knowsSurfaces ? stopped(report, 'SURFACE').length : null,
    total_unique_cuis: rows.filter(({ type }) => type === 'CUI').length,
    total_unique_surfaces: knowsSurfaces ? rows.filter(({ type }) => type === 'SURFACE').length : null,
    extractor,
    extractor_hash: hashOf(extractor),
    traces,
    traces_hash: hashOf(traces),
    stop_cuis_hash: sha256Of(files[STOP_CONCEPTS_FILE]!),
    stop_entities_hash: sha256Of(files[STOP_SURFACES_FILE]!),
    stoplist_df_report_hash: sha256Of(files[REPORT_FILE]!),
  };
  return `${JSON.stringify(JSON.parse(sortedJson(metadata)), null, 2)}\n`;
}

function hashOf(value: unknown): string {
  return sha256Of(sortedJson(value));
}

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
