import { hash } from 'node:crypto';

import type { CellValue, Decision } from '../../store/review-records.ts';
import { compareNatural, compareText } from '../../text/compare.ts';
import type { ConflictEntry, ConflictList, ConflictView } from '../../review/api.ts';
import { textFault } from '../../review/cell-fault.ts';
import { type Conflict, conflictsOf } from '../../review/conflicts.ts';
import { titleOf } from '../../review/item-content.ts';
import { loadSnapshot } from '../../review/snapshot.ts';
import { contentFor } from '../../review/content-for.ts';
import { contentOf } from '../../review/content-of.ts';
import { decisionFault, isAnAnswer } from '../../review/decision-fault.ts';
import { KeptAnswers } from '../kept-answers.ts';
import { bodyOf, decideRequest } from './request-bodies.ts';
import { notHere, ReviewRefusal } from './review-refusal.ts';
import { reviewerNumbers } from '../../review/reviewer-numbers.ts';
import { type Serving, type Signed, type SignedApp, type SignedContext, signedAs } from './signed.ts';

/** What divides people, for those who settle it: answers side by side, without the names behind them. */
export function serveAdjudicators(app: SignedApp, { store, write, bodyLimit }: Serving): void {
  const kept = new KeptAnswers<readonly Conflict[]>();

  const conflictsFor = ({ review: { record } }: Signed): Promise<readonly Conflict[]> =>
    kept.get(record.id, () => Promise.resolve(blindOrder(conflictsOf(loadSnapshot(store, record.name)))));

  const wanted = async (context: SignedContext, signed: Signed): Promise<Conflict> => {
    const id = context.req.param('id');
    const found = (await conflictsFor(signed)).find((one) => one.id === id);
    if (found === undefined) throw notHere('conflict');
    return found;
  };

  app.get('/api/review/conflicts', async (context) => {
    return context.json(listOf(await conflictsFor(signedAs(context, 'adjudicator'))));
  });

  app.get('/api/review/conflicts/:id', async (context) => {
    const signed = signedAs(context, 'adjudicator');
    return context.json(viewOf(await wanted(context, signed), signed));
  });

  app.post('/api/review/conflicts/:id/decision', async (context) => {
    const signed = signedAs(context, 'adjudicator');
    const { record } = signed.review;
    const conflict = await wanted(context, signed);
    const { id, value, because } = await bodyOf(context, decideRequest, bodyLimit);
    checkDecision(signed, conflict, value, because);
    const { field, item } = conflict;
    // A decision on a longer stretch may be what holds here; then that is the one to take back.
    const part = value === null && conflict.decision !== null ? conflict.decision.part : conflict.part;
    const personId = signed.person.id;
    const ownId = hash('sha256', JSON.stringify([personId, conflict.id, id]), 'base64url');
    await write(() => store.reviews.decide({ id: ownId, itemId: item.id, field, part, value, personId, because }));
    kept.forget(record.id);
    return context.json(listOf(await conflictsFor(signed)));
  });

  const viewOf = (conflict: Conflict, { review: { record, form } }: Signed): ConflictView => {
    const { item, field, part, answers } = conflict;
    const people = store.reviews.people(record.id);
    const numbers = reviewerNumbers(people);
    const names = new Map(people.map(({ id, name }) => [id, name]));
    const settled = ({ value, because, personId, at }: Decision) => ({
      value,
      because,
      by: names.get(personId) ?? 'somebody who is not there any more',
      at,
    });
    const question = form.fields[field];
    if (question === undefined) throw new Error('a conflict is about a question that is not in the form');
    return {
      ...entryOf(conflict),
      content: contentFor(form, [field], contentOf(item)),
      question,
      answers: answers
        .map(({ value, people: said, comments }) => ({
          value,
          said: said.map((id) => numbers.get(id) ?? 'Somebody').toSorted(compareNatural),
          comment: commentOf(comments),
        }))
        // Else they would stand in the order of names.
        .toSorted((a, b) => compareNatural(a.said[0] ?? '', b.said[0] ?? '')),
      decision: conflict.decision === null ? null : settled(conflict.decision),
      history: store.reviews
        .decisionHistory(record.id, item.id)
        .filter((one) => one.field === field && (one.part === part || one.part === conflict.decision?.part))
        .map(settled),
    };
  };
}

/** Case by case, but the answers to a case by their ids: else the first would always be of the same system. */
function blindOrder(conflicts: readonly Conflict[]): Conflict[] {
  const byCase = Map.groupBy(conflicts, ({ item }) => item.caseId);
  return [...byCase.values()].flatMap((own) => own.toSorted((a, b) => compareText(a.item.id, b.item.id)));
}

function listOf(conflicts: readonly Conflict[]): ConflictList {
  return { conflicts: conflicts.map(entryOf) };
}

function entryOf({ id, item, field, part, decision }: Conflict): ConflictEntry {
  return { id, item: item.id, title: titleOf(item), field, part, decided: decision !== null };
}

/** What nobody answered needs a reason; whoever takes a decision back owes none. */
function checkDecision({ review: { form } }: Signed, conflict: Conflict, value: CellValue, because: string): void {
  const fault = decisionFault(form, conflict, value) ?? textFault(because, 'the reason');
  if (fault !== null) {
    throw new ReviewRefusal(422, `This cannot be decided: ${fault}`, { reason: 'a decision that is not possible' });
  }
  if (value !== null && !isAnAnswer(conflict, value) && because.trim() === '') {
    throw new ReviewRefusal(422, 'Nobody gave this answer, so a reason is needed.', {
      next: 'Say in a few words why, then decide.',
    });
  }
}

function commentOf(comments: readonly (string | null)[]): string | null {
  const said = comments.filter((one) => one !== null && one.trim() !== '');
  return said.length === 0 ? null : said.join('\n');
}
