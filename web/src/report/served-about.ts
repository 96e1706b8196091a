import type { ReportHead } from '../../../src/report/html/report-data.ts';
import type { RunAbout } from '../../../src/score/run-about.ts';

/** What a server knows of the run now; null in a file on a disk, and beside a comparison. */
export function servedAbout(): RunAbout | null {
  if (!/^https?:$/.test(location.protocol)) return null;
  const content = document.querySelector<HTMLMetaElement>('meta[name="assay-about"]')?.content;
  if (content === undefined) return null;
  const about: unknown = JSON.parse(content);
  return isAbout(about) ? about : null;
}

/** The head of a report under the name that its run has now: it may have got it after the report was made. */
export function renamedHead(head: ReportHead, about: RunAbout | null): ReportHead {
  const [run, ...others] = head.runs;
  if (about === null || run === undefined || others.length > 0) return head;
  const { name, note, tags } = about;
  const { naming: old, ...rest } = run;
  const unnamed = old?.name === undefined ? run.name : run.manifest.recipe.name;
  const naming = { ...(name === null ? {} : { name }), ...(note === null ? {} : { note }), tags };
  return { ...head, runs: [{ ...rest, name: name ?? unnamed, naming }] };
}

/** The server that wrote it is of the same release: its outermost shape is enough. */
function isAbout(value: unknown): value is RunAbout {
  return typeof value === 'object' && value !== null && 'name' in value && 'tags' in value && 'date' in value;
}
