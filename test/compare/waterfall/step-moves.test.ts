import { expect, test } from 'vitest';

import { fatesOf, StepMoves } from '../../../src/compare/waterfall/step-moves.ts';
import { makeCase } from '../../../src/data/case.ts';
import { hit, spurious } from '../../judge/verdicts.ts';
import { span } from '../../pair/items.ts';

test('an item that is spurious in one line and a hit in another is a hit, in either order', () => {
  // Masking: the prediction hits gold that needs no mask, and is spurious by itself.
  const [gold, predicted] = [span(0, 5), span(0, 4)];
  const [wrong, right] = [spurious(predicted), hit(gold, predicted)];
  for (const verdicts of [
    [wrong, right],
    [right, wrong],
  ]) {
    const moves = new StepMoves();
    moves.add('c1', makeCase({ id: 'c1' }), fatesOf([wrong]), fatesOf(verdicts));
    expect(moves.result().by).toEqual([
      { side: 'gold', from: null, to: 'hit', n: 1 },
      { side: 'predicted', from: 'spurious', to: 'hit', n: 1 },
    ]);
  }
});
