import { type Viewer, reportPolicy } from '../../report/html/report-file.ts';

/** The policy stands in the first lines. */
export const POLICY_WITHIN = 4096;
const CLOSED = "default-src 'none';";
const ASKING = `${CLOSED} connect-src 'self';`;
const MARK = '<meta name="generator" content="assay">';

/**
 * What a page may do that this server shows: what the report itself says, and ask this server whether anything has changed.
 * Sent along with every page, so that a file somebody else has put into a run folder can run nothing but our own script.
 */
export function servedPolicy(viewer: Viewer): string {
  return `${asking(reportPolicy(viewer))}; frame-ancestors 'none'`;
}

/** Whether the beginning of a file has the viewer of this release: its policy names it by hash. */
export function isOfViewer(beginning: string, viewer: Viewer): boolean {
  return beginning.includes(`content="${reportPolicy(viewer)}"`);
}

/** The beginning of a report as it is served: it may ask, and knows what version it shows. */
export function servedBeginning(beginning: string, version: string): string {
  return asking(beginning).replace(MARK, () => `${MARK}\n<meta name="assay-version" content="${version}">`);
}

function asking(text: string): string {
  return text.replace(CLOSED, () => ASKING);
}
