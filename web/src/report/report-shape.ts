import type { CaseIndex, CasePage, ReportHead } from '../../../src/report/html/report-data.ts';

/**
 * The parts of a report have one builder, so checking their outermost shape is enough: a file that was cut off or
 * changed by hand is refused, and the fields within are trusted.
 */
export function isReportHead(value: unknown): value is ReportHead {
  return (
    isObject(value) &&
    'runs' in value &&
    Array.isArray(value.runs) &&
    value.runs.length > 0 &&
    value.runs.every((run) => isObject(run) && 'manifest' in run && 'measures' in run && 'notices' in run) &&
    'cases' in value &&
    typeof value.cases === 'number' &&
    'pages' in value &&
    Array.isArray(value.pages)
  );
}

export function isCaseIndex(value: unknown): value is CaseIndex {
  return (
    isObject(value) &&
    'ids' in value &&
    Array.isArray(value.ids) &&
    'runs' in value &&
    Array.isArray(value.runs) &&
    value.runs.length > 0 &&
    'slices' in value &&
    isObject(value.slices)
  );
}

export function isCasePage(value: unknown): value is CasePage {
  return isObject(value) && 'cases' in value && Array.isArray(value.cases);
}

/** The format it declares, for a message. */
export function writtenFormat(value: unknown): string | number {
  if (!isObject(value) || !('format' in value)) return 'unknown';
  return typeof value.format === 'number' ? value.format : 'unknown';
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
