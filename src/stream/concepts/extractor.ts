import type { Dropped } from './linker/candidates.ts';

/** Finds the concepts of a text. The one port of a linker, a Python process, a server or recorded answers. */
export interface ConceptExtractor {
  readonly identity: ExtractorIdentity;
  /** The ids of the concepts, upper case, each once, in text order of the ids. */
  extract(text: string): Promise<readonly string[]>;
  /** The name of a concept, for reports; null if it is not known. */
  nameOf?(id: string): string | null;
  /** How it came to its answer, if it knows. */
  explain?(text: string): Promise<readonly ExplainedMention[]>;
  /** Which words of a text it looked at, if it knows: lower case, each once. Stoplists of surface forms are made of them. */
  surfaces?(text: string): Promise<readonly string[]>;
  /** Ends what it started: a process, a file that is open. */
  close?(): Promise<void>;
}

/** An extractor that knows mentions, and not only concepts. */
export type ExplainingExtractor = ConceptExtractor & Required<Pick<ConceptExtractor, 'explain' | 'surfaces'>>;

/** What identifies an extractor in signatures and logs: numbers of different extractors are not compared. */
export interface ExtractorIdentity {
  readonly name: string;
  readonly version: string;
  readonly settings: Readonly<Record<string, string | number | boolean | null>>;
  /** `sha256:…` of the knowledge base; null if none is visible. */
  readonly knowledgeBase: string | null;
  /** `sha256:…` of the stoplist; null if none is used. */
  readonly stoplist: string | null;
}

/** A stretch of a text that may name concepts, with what became of it. */
export interface ExplainedMention {
  readonly surface: string;
  /** The long form of an abbreviation; null if the surface itself was looked up, or the extractor does not know. */
  readonly lookedUp: string | null;
  /** UTF-16 offsets; null if the extractor does not know. */
  readonly start: number | null;
  readonly end: number | null;
  /** Why the mention was not looked up at all; null if it was. */
  readonly dropped: 'too short' | 'stoplist' | null;
  /** The best first. */
  readonly candidates: readonly ExplainedCandidate[];
}

export interface ExplainedCandidate {
  readonly id: string;
  readonly name: string | null;
  /** The name of the concept that was closest to what was looked up. */
  readonly alias: string | null;
  readonly score: number;
  /** Null for those that are taken. */
  readonly dropped: Dropped | null;
}
