/** An item of the pii task: a text, and the spans in it that have to be found. */
export const PII_ITEM = {
  input: {
    title: 'input of a pii item',
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string' } },
  },
  expectedOutput: {
    title: 'expected output of a pii item',
    type: 'object',
    required: ['spans'],
    properties: {
      spans: {
        type: 'array',
        items: {
          type: 'object',
          required: ['start', 'end', 'label'],
          properties: {
            start: { type: 'integer', minimum: 0, description: 'in code points' },
            end: { type: 'integer', minimum: 1, description: 'exclusive' },
            label: { type: 'string', minLength: 1 },
            text: { type: 'string', description: 'the slice of the text' },
            annotator: {
              anyOf: [{ type: 'string' }, { type: 'number' }],
              description: 'whose span it is, where there are several',
            },
          },
        },
      },
    },
  },
} as const;
