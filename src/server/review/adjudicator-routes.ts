import { hash } from 'node:crypto';

import type { Context } from 'hono';

import type { ConflictEntry, ConflictList, ConflictView } from '../../review/api.ts';
import { type Conflict, conflictsOf, decisionFault, isAnAnswer } from '../../review/conflicts.ts';
import { contentOf } from '../../review/content.ts';
import { reviewerNumbers } from '../../review/people.ts';
import { contentFor, textFault } from '../../review/questions.ts';
import { loadSnapshot } from '../../review/snapshot.ts';
import type { CellValue, Decision } from '../../store/review-records.ts';
import { compareNatural, compareText } from '../../text/compare.ts';
import { KeptAnswers } from '../kept-answers.ts';
import { Refusal } from '../refusal.ts';
import { parsedBody, readJson } from '../request-body.ts';
import { type Route, route } from '../server-app.ts';
import { notHere } from './item-work.ts';
import { decideRequest } from './request-bodies.ts';
import type { ReviewServing, Signed } from './sign-in.ts';

const CONFLICTS = '/api/review/conflicts';

/** The disagreements of reviewers, for adjudicators: answers side by side, without the names behind them. */
export function adjudicatorRoutes({ store, write, bodyLimit, signIn }: ReviewServing): Route[] {
  const kept = new KeptAnswers<readonly Conflict[]>();
  const adjudicator = signIn('adjudicator');
  const conflictsFor = ({ review: { record } }: Signed): Promise<readonly Conflict[]> =>
    kept.get(record.id, () => Promise.resolve(blindOrder(conflictsOf(loadSnapshot(store, record.name)))));
  const conflictOf = async (context: Context, signed: Signed): Promise<Conflict> => {
    const id = context.req.param('id');
    const conflict = (await conflictsFor(signed)).find((one) => one.id === id);
    if (conflict === undefined) throw notHere('conflict');
    return conflict;
  };

  const viewOf = (conflict: Conflict, { review: { record, form } }: Signed): ConflictView => {
    const { item, field, part, answers } = conflict;
    const people = store.reviews.people(record.id);
    const numbers = reviewerNumbers(people);
    const names = new Map(people.map(({ id, name }) => [id, name]));
    const settled = ({ value, because, personId, at }: Decision) => ({
      value,
      because,
      by: names.get(personId) ?? 'a person who is no longer here',
      at,
    });
    const question = form.fields[field];
    if (question === undefined) throw new Error('a conflict is about a question that is not in the form');
    return {
      ...entryOf(conflict),
      content: contentFor(form, [field], contentOf(item)),
      question,
      answers: answers
        .map(({ value, people: reviewers, comments }) => ({
          value,
          said: reviewers.map((id) => numbers.get(id) ?? 'Somebody').toSorted(compareNatural),
          comment: commentOf(comments),
        }))
        // Otherwise they would be in the order of names.
        .toSorted((a, b) => compareNatural(a.said[0] ?? '', b.said[0] ?? '')),
      decision: conflict.decision === null ? null : settled(conflict.decision),
      history: store.reviews
        .decisionHistory(record.id, item.id)
        .filter((one) => one.field === field && (one.part === part || one.part === conflict.decision?.part))
        .map(settled),
    };
  };

  return [
    route('GET', CONFLICTS, adjudicator, async (context, signed) => context.json(listOf(await conflictsFor(signed)))),
    route('GET', `${CONFLICTS}/:id`, adjudicator, async (context, signed) =>
      context.json(viewOf(await conflictOf(context, signed), signed)),
    ),
    route('POST', `${CONFLICTS}/:id/decision`, adjudicator, async (context, signed) => {
      const conflict = await conflictOf(context, signed);
      const { id, value, because } = parsedBody(decideRequest, await readJson(context.req.raw, bodyLimit), 'body');
      checkDecision(signed, conflict, value, because);
      const { field, item } = conflict;
      // A decision on a longer stretch may be what holds here; then that is the one to take back.
      const part = value === null && conflict.decision !== null ? conflict.decision.part : conflict.part;
      const personId = signed.person.id;
      const ownId = hash('sha256', JSON.stringify([personId, conflict.id, id]), 'base64url');
      await write(() => store.reviews.decide({ id: ownId, itemId: item.id, field, part, value, personId, because }));
      kept.forget(signed.review.record.id);
      return context.json(listOf(await conflictsFor(signed)));
    }),
  ];
}

/** Case by case, but the answers to a case by their ids: otherwise the first would always be of the same system. */
function blindOrder(conflicts: readonly Conflict[]): Conflict[] {
  const byCase = Map.groupBy(conflicts, ({ item }) => item.caseId);
  return [...byCase.values()].flatMap((own) => own.toSorted((a, b) => compareText(a.item.id, b.item.id)));
}

function listOf(conflicts: readonly Conflict[]): ConflictList {
  return { conflicts: conflicts.map(entryOf) };
}

function entryOf({ id, item, field, part, decision }: Conflict): ConflictEntry {
  return { id, item: item.id, title: contentOf(item).title, field, part, decided: decision !== null };
}

/** A value that nobody answered needs a reason; taking a decision back needs none. */
function checkDecision({ review: { form } }: Signed, conflict: Conflict, value: CellValue, because: string): void {
  const fault = decisionFault(form, conflict, value) ?? textFault(because, 'the reason');
  if (fault !== null) {
    throw new Refusal(422, `This cannot be decided: ${fault}`, { reason: 'a decision that is not possible' });
  }
  if (value !== null && !isAnAnswer(conflict, value) && because.trim() === '') {
    throw new Refusal(422, 'Nobody gave this answer, so a reason is needed.', {
      next: 'Say in a few words why, then decide.',
    });
  }
}

function commentOf(comments: readonly (string | null)[]): string | null {
  const written = comments.filter((one) => one !== null && one.trim() !== '');
  return written.length === 0 ? null : written.join('\n');
}
