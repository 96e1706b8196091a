import { basename } from 'node:path';

import { DEFAULT_DATA_OPTIONS } from '../data/data-options.ts';
import { Problems } from '../data/problems.ts';
import { rowReader } from '../data/read-rows.ts';
import { fileSource } from '../data/source.ts';
import { consultSection, PLAIN_CONSULT } from '../recipe/consult-section.ts';
import { readConsultCases } from '../formats/consult/read-consult.ts';
import type { Run } from '../score/run.ts';
import type { TrainCase } from './check.ts';

/** The cases of files that a system was trained on, in whatever format they are, read again each time. */
export function trainCases(files: readonly string[], run: Run): AsyncIterable<TrainCase> {
  return { [Symbol.asyncIterator]: () => eachCase(files, run) };
}

async function* eachCase(files: readonly string[], { manifest }: Run): AsyncGenerator<TrainCase> {
  for (const path of files) {
    const problems = new Problems();
    const file = basename(path);
    const { consult } = manifest.recipe.resolved;
    if (consult !== undefined) {
      const section = consultSection.safeParse(consult).data ?? PLAIN_CONSULT;
      const { rows } = await readConsultCases(fileSource(path), section, problems);
      for (const { id, text } of rows) yield { id, text, file };
    } else {
      for await (const batch of rowReader(fileSource(path), 'cases', DEFAULT_DATA_OPTIONS, problems).rows())
        for (const { id, text } of batch) yield { id, text, file };
    }
    problems.throwIfAny();
  }
}
