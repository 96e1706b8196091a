/** An item of the consult task: what a person wrote. Its class may be given, or be left to experts. */
export const CONSULT_ITEM = {
  input: {
    title: 'input of a consult item',
    type: 'object',
    required: ['scenario'],
    properties: { scenario: { type: 'string', minLength: 1, description: 'what the person wrote' } },
  },
  expectedOutput: null,
  columns: { input: ['scenario'], expected: ['ground_truth_prakriti'] },
} as const;
