import { jsonTextValue } from '../store/text-like-json.ts';

/** An output that a person wrote down as the right one: in Langfuse a score of the type CORRECTION. */
export interface Correction {
  readonly text: string;
  /** What it corrects; null if it is the trace as a whole. */
  readonly observationId: string | null;
  readonly time: string;
}

/** The newest correction of one of these subjects, or null. It is read as JSON unless the corrected output is text. */
export function correctedOutput(
  corrections: readonly Correction[],
  subjects: readonly (string | null)[],
  output: unknown,
): { readonly output: unknown } | null {
  const [newest] = corrections
    .filter(({ observationId }) => subjects.includes(observationId))
    .toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time));
  if (newest === undefined) return null;
  return { output: typeof output === 'string' ? newest.text : jsonTextValue(newest.text) };
}
