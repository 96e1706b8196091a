import type { NamedPrompt } from './prompt-schema.ts';
import type { TargetSpec } from './target-schema.ts';

/** The stored prompt that a target needs; null where its words stand in the experiment, in a file, or come with Assay. */
export function promptOf(spec: TargetSpec): NamedPrompt | null {
  const prompt = 'prompt' in spec ? spec.prompt : undefined;
  return typeof prompt === 'object' && 'name' in prompt ? prompt : null;
}

const USUAL_NAMES: ReadonlyMap<unknown, string> = new Map<TargetSpec['use'], string>([
  ['model', 'extraction'],
  ['journal-extractor', 'journal-extraction'],
  ['graph-extractor', 'graph-extraction'],
  ['vanilla', 'advice'],
  ['rag', 'advice-with-passages'],
]);

/** What the prompt of such a target is called where only a label or a version is named; null where it has none. */
export function usualPromptName(use: unknown): string | null {
  return USUAL_NAMES.get(use) ?? null;
}
