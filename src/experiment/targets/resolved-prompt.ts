import type { PromptBody } from '../../store/records.ts';

/** A prompt as it was found under its name; without a name, one that stands in the experiment or comes with Assay. */
export interface ResolvedPrompt {
  readonly name: string | null;
  /** The label by which it was asked for. */
  readonly label: string | null;
  readonly version: number | null;
  readonly body: PromptBody;
}
