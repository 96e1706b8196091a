import { basename } from 'node:path';

import { Problems } from '../../../data/problems.ts';
import { compareNatural } from '../../../text/compare.ts';
import { readTrace, traceFiles } from '../read-trace.ts';
import type { Trace } from '../trace-records.ts';

/**
 * What is made of each trace of a folder, by case: the same whatever the files are called. Traces are read one by one,
 * so that no more of them is held than what is made of them.
 */
export async function readByCase<T>(place: string, make: (trace: Trace) => T, allowStubs = false): Promise<T[]> {
  const problems = new Problems();
  const byCase = new Map<string, { readonly file: string; readonly made: T }>();
  for (const file of traceFiles(place)) {
    const trace = await readTrace(file);
    const { case_id: id, stub_mode: stub } = trace.meta;
    const other = byCase.get(id);
    if (stub === true && !allowStubs)
      problems.add({
        file,
        line: null,
        message: `${id} is a stub, not a recorded conversation`,
        next: 'take it out of the folder, or allow it with --allow-stubs',
      });
    else if (other !== undefined)
      problems.add({ file, line: null, message: `a second trace of ${id}; the first is ${basename(other.file)}` });
    else byCase.set(id, { file, made: make(trace) });
  }
  problems.throwIfAny();
  return [...byCase].sort(([a], [b]) => compareNatural(a, b)).map(([, { made }]) => made);
}
