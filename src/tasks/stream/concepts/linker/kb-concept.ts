/** One concept of a knowledge base, as far as linking needs it. */
export interface KbConcept {
  readonly id: string;
  readonly name: string;
  /** Other names; those that repeat, or repeat the name, count once. */
  readonly aliases: readonly string[];
  /** Semantic types, such as T047. */
  readonly types: readonly string[];
  /** A concept without a definition needs a higher score to be linked. */
  readonly hasDefinition: boolean;
}

/** No name of UMLS has half as many characters; a longer one is a fault of the file. */
export const MOST_NAME = 10_000;

/** Where concepts came from: part of what names an extractor. */
export interface KnowledgeBaseFacts {
  /** Of the unpacked bytes; of several files, of their sha256 in hex, a line each. */
  readonly sha256: string;
  readonly files: readonly KbFile[];
  /** UMLS only: which language and whether suppressed names were taken; else null. */
  readonly language: string | null;
  readonly suppressed: boolean | null;
}

export interface KbFile {
  /** Without its folder, and without .gz: packed or not, it is the same knowledge base. */
  readonly name: string;
  /** Of the unpacked bytes, in hex. */
  readonly sha256: string;
}
