import { randomUUID } from 'node:crypto';

import type { z } from 'zod';

import { visible } from '../../data/visible.ts';
import { defined } from '../../experiment/defined.ts';
import type { Store } from '../../store/store.ts';
import { createScore, deleteScore, type scoreBody } from '../../langfuse/shapes/scores.ts';
import { notFound } from '../refusal.ts';
import type { Serve } from './route.ts';
import { fitScoreConfig } from './score-configs.ts';

export function serveScores(serve: Serve, store: Store): void {
  serve(createScore, ({ body }) => ({ id: saveScore(store, body) }));
  serve(deleteScore, ({ part }) => {
    if (!store.scores.delete(part('id'))) throw notFound(`The score ${visible(part('id'))}`);
    return { message: 'The score is deleted.' };
  });
}

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
