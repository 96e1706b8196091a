import { describe, expect, it } from 'vitest';

import { sentenceSpans } from '../../src/text/sentences.ts';
import { processorTime } from '../processor-time.ts';

describe('hostile text', () => {
  it.each(['.', '. ', 'a. ', '.)', '.[1', '॥1', '। ', '- ', '1.\n', '> ', '**', '. (', '…"', '(', 'A\nB.\n', 'क.'])(
    'takes time in proportion: %j, 100,000 times',
    (piece) => {
      const started = processorTime();
      sentenceSpans(piece.repeat(100_000));
      expect(processorTime() - started).toBeLessThan(2000);
    },
  );
});
