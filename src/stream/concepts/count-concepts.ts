import { compareText, InputError } from '../../plugin.ts';
import { canonicalText, type Join } from '../canonical-text.ts';
import { readTrace, traceFiles } from '../read-trace.ts';
import type { ConceptExtractor } from './extractor.ts';
import { type CaseConcepts, type StopReport, stopReport } from './stoplist.ts';
import type { StoplistSources } from './stoplist-outputs.ts';

interface CountOptions {
  readonly extractor: ConceptExtractor;
  readonly join: Join;
  readonly threshold: number;
  /** Told after each trace; what it returns is waited for. */
  readonly onTrace?: (done: number, total: number, trace: CountedTrace) => Promise<void> | void;
}

interface CountedTrace {
  readonly file: string;
  readonly caseId: string;
  readonly concepts: number;
}

interface CountedConcepts {
  readonly report: StopReport;
  readonly sources: StoplistSources;
}

/** In how many of the traces of a folder each concept and each surface form is. */
export async function countConcepts(place: string, options: CountOptions): Promise<CountedConcepts> {
  const { extractor, join, threshold, onTrace } = options;
  const files = traceFiles(place);
  const cases: CaseConcepts[] = [];
  const traces: { readonly case_id: string; readonly sha256: string }[] = [];
  const fileOf = new Map<string, string>();
  for (const file of files) {
    const trace = await readTrace(file);
    const id = trace.meta.case_id;
    const other = fileOf.get(id);
    if (other !== undefined)
      throw new InputError([
        {
          file,
          line: null,
          message: `the case ${id} is in ${other} too: it would count twice`,
          next: 'keep one trace of each case in the folder',
        },
      ]);
    fileOf.set(id, file);
    const { text } = canonicalText(trace, { join });
    const concepts = await extractor.extract(text);
    cases.push({ concepts, surfaces: (await extractor.surfaces?.(text)) ?? null });
    traces.push({ case_id: id, sha256: trace.sha256 });
    await onTrace?.(cases.length, files.length, { file, caseId: id, concepts: concepts.length });
  }
  return {
    report: stopReport(cases, threshold),
    sources: { traces: traces.sort((a, b) => compareText(a.case_id, b.case_id)), join, extractor: extractor.identity },
  };
}
