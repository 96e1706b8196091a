import { vanilla } from './advice.ts';
import { commandTarget } from './command-target.ts';
import { graphExtractor } from './graph-extractor.ts';
import { httpTarget } from './http-target.ts';
import { journalExtractor } from './journal-extractor.ts';
import { moduleTarget } from './module-target.ts';
import { plainModel } from './plain-model.ts';
import { rag } from './rag.ts';
import { recordedTarget } from './recorded-target.ts';
import type { Target } from './target.ts';
import type { TargetContext } from './target-context.ts';
import type { TargetSpec } from './target-schema.ts';

export type { TargetContext } from './target-context.ts';

/** The target that an experiment names, ready to be asked. What is wrong with it is a UsageError or an InputError. */
export async function openTarget(spec: TargetSpec, context: TargetContext): Promise<Target> {
  switch (spec.use) {
    case 'model':
      return plainModel(spec, context);
    case 'http':
      return httpTarget(spec, context);
    case 'command':
      return commandTarget(spec, context);
    case 'module':
      return moduleTarget(spec, context);
    case 'recorded':
      return recordedTarget(spec, context);
    case 'journal-extractor':
      return journalExtractor(spec, context);
    case 'graph-extractor':
      return graphExtractor(spec, context);
    case 'vanilla':
      return vanilla(spec, context);
    case 'rag':
      return rag(spec, context);
  }
}
