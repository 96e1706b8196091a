import { ITEM_BITS as ITEM, VERDICT_BITS as VERDICT } from './case-page.ts';
import type { EncodedPage } from './encoded-page.ts';
import { type PageBytes, VERDICT_BYTES } from './page-bytes.ts';

/** Writes the next case of a page to another page as it is encoded, with the places in the tables of that page. */
export function copyCase(from: EncodedPage, to: PageBytes): void {
  const { id, results, text } = from.nextCase();
  to.places.reserve(VERDICT_BYTES);
  to.places.number(text === null ? 0 : to.texts.bytes(text) + 1);
  if (text === null) to.write(from.words());
  to.ids.push(id);
  to.results.push(results);
  for (const result of results) {
    if (result === null) continue;
    to.places.reserve(VERDICT_BYTES);
    const verdicts = from.places.next();
    to.places.number(verdicts);
    for (let at = 0; at < verdicts; at += 1) copyVerdict(from, to);
  }
}

function copyVerdict(from: EncodedPage, to: PageBytes): void {
  const { kinds, places } = to;
  kinds.reserve(VERDICT_BYTES);
  places.reserve(VERDICT_BYTES);
  const bits = from.kinds.next();
  kinds.number(bits);
  kinds.number(from.kinds.next());
  kinds.number(to.name(from.name(from.kinds)));
  places.number(to.name(from.name(from.places)));
  if ((bits & VERDICT.similarity) !== 0) places.number(to.decimal(from.decimal()));
  for (const side of [VERDICT.gold, VERDICT.predicted]) {
    if ((bits & side) === 0) continue;
    places.number(from.places.next());
    copyItem(from, to);
  }
  if ((bits & VERDICT.because) !== 0) to.reason(from.reason());
  if ((bits & VERDICT.rejected) !== 0) {
    places.number(to.decimal(from.decimal()));
    places.number(from.places.next());
    to.reason(from.reason());
    copyItem(from, to);
  }
  if ((bits & VERDICT.rest) !== 0) to.rest.push(from.rest());
}

function copyItem(from: EncodedPage, to: PageBytes): void {
  const bits = from.kinds.next();
  to.kinds.number(bits);
  if ((bits & ITEM.relabelled) !== 0) to.places.number(to.name(from.name(from.places)));
  if ((bits & (ITEM.placed | ITEM.atGold)) === ITEM.placed) {
    to.places.number(from.places.next());
    to.places.number(from.places.next());
  }
  if ((bits & ITEM.quoted) === 0) to.write(from.words());
  if ((bits & ITEM.rest) !== 0) to.rest.push(from.rest());
}
