import { randomUUID } from 'node:crypto';

import type { z } from 'zod';

import type { Store } from '../../store/store.ts';
import type { scoreBody } from '../shapes/scores.ts';
import { defined } from '../../experiment/defined.ts';
import { fitScoreConfig } from './score-configs.ts';

type Given = z.output<typeof scoreBody> & { readonly source?: string | undefined };

/** Keeps a score that was sent; the same id again changes it. Gives its id. */
export function saveScore(store: Store, sent: Given, at?: string): string {
  const given = fitScoreConfig(store, sent);
  const { queueId: _, id = randomUUID(), value, ...fields } = given;
  store.scores.save({
    source: 'API',
    ...(at === undefined ? {} : { timestamp: at }),
    ...defined(fields),
    id,
    // A correction is always of the output.
    name: fields.dataType === 'CORRECTION' ? 'output' : given.name,
    // A truth is sent as 0 or 1.
    value: fields.dataType === 'BOOLEAN' ? value === 1 : value,
  });
  return id;
}
