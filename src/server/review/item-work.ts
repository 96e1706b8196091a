import { hash } from 'node:crypto';

import { visible } from '../../data/visible.ts';
import {
  type CellValue,
  COMMIT_FIELD,
  type ItemState,
  type NewReviewEvent,
  type ReviewCell,
  type ReviewItemRecord,
  type ReviewPerson,
} from '../../store/review-records.ts';
import type { Store } from '../../store/store.ts';
import type { ItemView, SaveRequest, Saved } from '../../review/api.ts';
import { contentOf, proposedFor, type ReviewContent, textUnderReview } from '../../review/content.ts';
import { itemsFault } from '../../review/item-list.ts';
import { cellFault, contentFor, fieldOf, fieldsFor, isAnswerList, missingCells } from '../../review/questions.ts';
import type { FrozenReviewItem, FrozenReview } from './frozen-reviews.ts';
import { placeFault } from '../../review/conflicts.ts';
import { Refusal } from '../refusal.ts';
import { revealedOf, wasShown } from './revealed.ts';

/** One reviewer at one of their items. What writes has to run within a transaction. */
export function itemWork(store: Store, review: FrozenReview, person: ReviewPerson, item: FrozenReviewItem) {
  const { record, form } = review;
  const fields = fieldsFor(form, person.groups, item);

  const itemNow = (): ReviewItemRecord => {
    const whole = store.reviews.item(record.id, item.id);
    if (whole === null) throw notHere('item');
    return whole;
  };
  const contentNow = (): ReviewContent => contentFor(form, fields, contentOf(itemNow()));
  const thingsFault = (name: string, value: CellValue): string | null => {
    const field = fieldOf(form, name);
    if (field?.type !== 'items' || !isAnswerList(value)) return null;
    const whole = itemNow();
    return itemsFault(field, { proposed: proposedFor(whole, name), under: textUnderReview(whole) }, value);
  };
  const stateNow = (): ItemState | null => store.reviews.state(item.id, person.id);
  const saved = (state: ItemState | null): Saved => {
    const committed = state?.committed ?? false;
    return {
      version: state?.version ?? 0,
      committed,
      revealed: committed ? revealedOf(store, review, item, person) : null,
    };
  };
  /** Whatever a client calls it: nobody can take the id of another's event, or of one of theirs on another item. */
  const ownId = (id: string): string => hash('sha256', JSON.stringify([person.id, item.id, id]), 'base64url');
  const event = (id: string, cell: ReviewCell): NewReviewEvent => ({
    field: cell.field,
    part: cell.part,
    value: cell.value,
    id: ownId(id),
    itemId: item.id,
    personId: person.id,
    origin: 'app',
  });
  const commitEvent = (id: string, value: boolean) => event(id, { field: COMMIT_FIELD, part: null, value });
  /** Sent again because the answer got lost: it changed what it should, however things stand now. */
  const isKnown = (ids: readonly string[]): boolean => {
    const known = new Set(
      store.reviews.history(record.id, { itemId: item.id, personId: person.id }).map(({ id }) => id),
    );
    return ids.every((id) => known.has(ownId(id)));
  };

  return {
    view(): ItemView {
      const state = stateNow();
      return {
        item: item.id,
        kind: item.kind,
        content: contentNow(),
        fields,
        cells: state?.cells ?? [],
        ...saved(state),
      };
    },

    /** Refuses answers that are not possible, before anything is written. */
    check(events: SaveRequest['events']): void {
      for (const [at, { field, part, value }] of events.entries()) {
        const fault = fields.includes(field)
          ? (cellFault(form, { field, part, value }) ?? placeFault(value, item.length) ?? thingsFault(field, value))
          : 'it is not among the questions of this item';
        if (fault === null) continue;
        const which = `${visible(field)}${part === null ? '' : `, ${visible(part)}`}`;
        throw new Refusal(422, `The answer to ${which} cannot be kept (event ${at + 1}): ${fault}`, {
          next: 'Change the answer; nothing of this request was saved.',
          reason: 'an answer that is not possible',
        });
      }
    },

    save(events: SaveRequest['events']): Saved {
      const before = stateNow();
      if (before?.committed === true) {
        if (isKnown(events.map(({ id }) => id))) return saved(before);
        throw new Refusal(409, 'This item is done, so its answers are final.', {
          next: 'Open it again to change them, if that is still possible.',
        });
      }
      store.reviews.append(events.map((one) => event(one.id, one)));
      return saved(stateNow());
    },

    commit(id: string): Saved {
      const before = stateNow();
      if (before?.committed === true || isKnown([id])) return saved(before);
      const missing = missingCells(form, fields, before?.cells ?? [], contentNow().proposed);
      if (missing.length > 0) {
        const count = missing.length === 1 ? '1 answer is' : `${missing.length} answers are`;
        throw new Refusal(422, `${count} missing.`, { next: 'Give them, then finish the item.', fields: { missing } });
      }
      store.reviews.append([commitEvent(id, true)]);
      return saved(stateNow());
    },

    reopen(id: string): Saved {
      const before = stateNow();
      if (before?.committed !== true || isKnown([id])) return saved(before);
      if (wasShown(store, review, item, person)) {
        throw new Refusal(409, 'This item is final: answers of others or of the system to its case have been shown.', {
          next: 'Tell the owner of the review if an answer is wrong.',
        });
      }
      store.reviews.append([commitEvent(id, false)]);
      return saved(stateNow());
    },
  };
}

/** One answer for what never was, what is another's and what belongs to another review. */
export function notHere(what: 'item' | 'conflict'): Refusal {
  return new Refusal(404, `This ${what} is not here.`, {
    next: what === 'item' ? 'Go back to your queue.' : 'Go back to the list; it may have been settled meanwhile.',
    reason: `no such ${what} for this person`,
  });
}
