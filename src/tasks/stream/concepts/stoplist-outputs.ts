import { sortedJson } from '../../../data/sorted-json.ts';
import { sha256Of } from '../../../data/sha256-of.ts';
import type { Join } from '../canonical-text.ts';
import type { ExtractorIdentity } from './extractor.ts';
import { type StopReport, stopped } from './stoplist.ts';
import { STOP_CONCEPTS_FILE, STOP_SURFACES_FILE, stopFileText } from './stoplist-files.ts';
import { METADATA_FILE } from './stoplist-metadata.ts';
import { pythonFloat, reportCsv } from './stoplist-report.ts';

export const REPORT_FILE = 'stoplist_df_report.csv';

/** What stoplists were made of. No clock: the same traces and settings give the same bytes on any day. */
export interface StoplistSources {
  readonly traces: readonly { readonly case_id: string; readonly sha256: string }[];
  readonly join: Join;
  readonly extractor: ExtractorIdentity;
}

/** The four files of a folder of stoplists, by name. */
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
      : stopFileText(['Not known: this extractor does not say which words it looked at'], []),
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
