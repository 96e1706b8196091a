import type { Item } from '../data/item.ts';

/** One system's answer to one case, or a case alone where `system` is null. */
export interface ReviewSource {
  readonly caseId: string;
  readonly system: string | null;
  readonly language: string | null;
  /** What may be shown, by name: `text`, `response`, `retrieved_context`, columns. */
  readonly texts: Readonly<Record<string, string>>;
  /** What the system found, where it finds things. */
  readonly predicted: readonly Item[];
  readonly passages: readonly { readonly source: string | null; readonly text: string }[];
  /** What nobody sees before committing; `traceId` names the trace that scores go to. */
  readonly hidden: Readonly<Record<string, unknown>>;
}
