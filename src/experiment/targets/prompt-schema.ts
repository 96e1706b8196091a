import { z } from 'zod';

const named = z.strictObject({
  name: z.string().trim().min(1).meta({ description: 'of a stored prompt' }),
  label: z.string().trim().min(1).optional(),
  version: z.int().min(1).optional(),
});

/** Where the words for a model come from: they stand here, in a file, or in the store under a name. */
export const promptSchema = z.union([
  z.string().meta({ description: 'the prompt itself, with {{ variables }}' }),
  z.strictObject({ text: z.string() }),
  z.strictObject({ file: z.string().trim().min(1) }),
  named.refine(({ label, version }) => label === undefined || version === undefined, {
    message: 'expected a label or a version, not both',
  }),
]);

export type PromptSpec = z.infer<typeof promptSchema>;
/** Which stored prompt is meant; with neither label nor version, the one labelled `production`. */
export type NamedPrompt = z.infer<typeof named>;
