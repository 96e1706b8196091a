const BUCKET = { enum: ['low', 'medium', 'high', 'unknown'] } as const;

/** An item of the journal task: a diary entry, and the objects in it with their quotes. */
export const JOURNAL_ITEM = {
  input: {
    title: 'input of a journal item',
    type: 'object',
    required: ['text'],
    properties: {
      journal_id: { anyOf: [{ type: 'string' }, { type: 'number' }] },
      text: { type: 'string', description: 'the diary entry' },
      created_at: { type: 'string' },
      lang_hint: { type: 'string' },
    },
  },
  expectedOutput: {
    title: 'expected output of a journal item',
    type: 'object',
    required: ['items'],
    properties: {
      items: {
        type: 'array',
        description: 'empty where the entry has nothing of interest',
        items: {
          type: 'object',
          required: ['domain', 'evidence_span', 'polarity'],
          properties: {
            domain: { enum: ['symptom', 'food', 'emotion', 'mind'] },
            evidence_span: { type: 'string', description: 'verbatim quote from the entry' },
            polarity: { enum: ['present', 'absent', 'uncertain'] },
            time_bucket: { enum: ['today', 'last_night', 'past_week', 'unknown'] },
            intensity_bucket: { ...BUCKET, description: 'symptom, food, mind' },
            arousal_bucket: { ...BUCKET, description: 'emotion' },
          },
        },
      },
    },
  },
} as const;
