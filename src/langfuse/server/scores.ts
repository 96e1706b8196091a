import { visible } from '../../data/visible.ts';
import type { Store } from '../../store/store.ts';
import { createScore, deleteScore } from '../shapes/scores.ts';
import { notFound } from './refusal.ts';
import type { Serve } from './route.ts';
import { saveScore } from './save-score.ts';

export function serveScores(serve: Serve, store: Store): void {
  serve(createScore, ({ body }) => ({ id: saveScore(store, body) }));
  serve(deleteScore, ({ part }) => {
    if (!store.scores.delete(part('id'))) throw notFound(`The score ${visible(part('id'))}`);
    return { message: 'The score is deleted.' };
  });
}
