import type { ConceptExtractor } from './extractor.ts';
import type { Dropped } from './linker/select-concepts.ts';

/** A stretch of a text that may name concepts, with what became of it. */
export interface ExplainedMention {
  readonly surface: string;
  /** The long form of an abbreviation; null where the surface itself was looked up, or the extractor does not say. */
  readonly lookedUp: string | null;
  /** UTF-16 offsets; null where the extractor does not say. */
  readonly start: number | null;
  readonly end: number | null;
  /** Why the mention was not looked up at all; null where it was. */
  readonly dropped: 'too short' | 'stoplist' | null;
  /** The best first. */
  readonly candidates: readonly ExplainedCandidate[];
}

export interface ExplainedCandidate {
  readonly id: string;
  readonly name: string | null;
  /** The name of the concept that was nearest to what was looked up. */
  readonly alias: string | null;
  readonly score: number;
  /** Null for those that are taken. */
  readonly dropped: Dropped | null;
}

/** An extractor that can say how it came to its answer. */
export interface ExplainingExtractor extends ConceptExtractor {
  explain(text: string): Promise<readonly ExplainedMention[]>;
}

/** An extractor that knows which words of a text it looked at: what stoplists of surface forms are made of. */
export interface SurfaceExtractor extends ConceptExtractor {
  /** Lower case, each once. */
  surfaces(text: string): Promise<readonly string[]> | readonly string[];
}

export function explains(extractor: ConceptExtractor): extractor is ExplainingExtractor {
  return 'explain' in extractor && typeof extractor.explain === 'function';
}

export function hasSurfaces(extractor: ConceptExtractor): extractor is SurfaceExtractor {
  return 'surfaces' in extractor && typeof extractor.surfaces === 'function';
}
