import { hash } from 'node:crypto';

import type { Case } from '../data/case.ts';
import { type Item, NO_FIELDS } from '../data/item.ts';

/**
 * What was scored, as two hashes: texts with gold, and predictions. Each is the hash of the sorted hashes of the cases,
 * so the order of the lines, the file format and its white space do not change it, and any change of content does.
 */
export class Fingerprint {
  readonly #gold: string[] = [];
  readonly #predicted: string[] = [];

  add(given: Case): void {
    this.#gold.push(hash('sha256', `${given.id}\n${given.text ?? ''}\n${itemsKey(given.gold, given.text)}`));
    if (given.answered)
      this.#predicted.push(
        hash('sha256', `${given.id}\n${given.failed ?? ''}\n${itemsKey(given.predicted, given.text)}`),
      );
  }

  gold(): string {
    return combined(this.#gold);
  }

  predicted(): string {
    return combined(this.#predicted);
  }
}

function combined(hashes: readonly string[]): string {
  return hash('sha256', hashes.toSorted().join('\n'));
}

function itemsKey(items: readonly Item[], text: string | null): string {
  let key = '';
  for (const item of items) {
    key += `${item.start},${item.end},${item.label}`;
    // The text of a span is its slice; anything else says more than its place.
    if (item.kind !== 'span' || text === null || item.start < 0)
      key += `,${item.kind},${item.text},${item.source},${item.target}`;
    if (item.annotator !== null) key += `,${item.annotator}`;
    if (item.fields !== NO_FIELDS) key += JSON.stringify(item.fields);
    key += '\n';
  }
  return key;
}
