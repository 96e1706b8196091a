/** Finds the concepts of a text. The one port behind which a linker, a Python process or recorded answers stand. */
export interface ConceptExtractor {
  readonly identity: ExtractorIdentity;
  /** The ids of the concepts, upper case, each once, in text order of the ids. */
  extract(text: string): Promise<readonly string[]>;
  /** What a concept is called, for people; null where that is not known. */
  nameOf?(id: string): string | null;
  /** Ends what it started: a process, a file that is open. */
  close?(): Promise<void>;
}

/** What names an extractor in signatures and logs: numbers of different extractors are not compared. */
export interface ExtractorIdentity {
  readonly name: string;
  readonly version: string;
  /** Settings that change what is found. */
  readonly settings: Readonly<Record<string, string | number | boolean | null>>;
  /** `sha256:…` of the knowledge base; null where there is none to see. */
  readonly knowledgeBase: string | null;
  /** `sha256:…` of the stoplist; null where none is used. */
  readonly stoplist: string | null;
}
