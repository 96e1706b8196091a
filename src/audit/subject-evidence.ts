import { CASES_SHOWN, ITEMS_SHOWN, shortItem } from './evidence.ts';
import type { Finding, FindingItem } from './finding.ts';

/** Labels come from data, and there may be a new one in every line: of so many, examples are of no use. */
const MOST_SUBJECTS = 1000;

interface Own {
  items: number;
  readonly shown: FindingItem[];
  /** The first cases, each with its place among all of them. */
  readonly cases: { readonly id: string; readonly place: number }[];
}

/**
 * Evidence that is kept by subject, so that a finding can be told about some of its labels or rules only. Cases must come
 * one after another; how many there are of several subjects is known because each case's set of subjects is counted.
 */
export class SubjectEvidence {
  readonly #own = new Map<string, Own>();
  readonly #sets = new Map<string, { readonly subjects: readonly string[]; n: number }>();
  #open = new Set<string>();
  #last: string | null = null;
  #place = 0;

  add(subject: string, id: string, item: Omit<FindingItem, 'case'>): void {
    if (id !== this.#last) {
      this.#close();
      this.#last = id;
      this.#place += 1;
    }
    let own = this.#own.get(subject);
    if (own === undefined) this.#own.set(subject, (own = { items: 0, shown: [], cases: [] }));
    own.items += 1;
    const keeps = this.#own.size <= MOST_SUBJECTS;
    if (keeps && own.shown.length < ITEMS_SHOWN) own.shown.push(shortItem({ case: id, ...item }));
    if (keeps && !this.#open.has(subject) && own.cases.length < CASES_SHOWN) own.cases.push({ id, place: this.#place });
    this.#open.add(subject);
  }

  of(subjects: Iterable<string>): Pick<Finding, 'cases' | 'items'> {
    this.#close();
    this.#last = null;
    const wanted = new Set(subjects);
    const own = [...wanted].flatMap((subject) => this.#own.get(subject) ?? []);
    const places = new Map(own.flatMap(({ cases }) => cases.map(({ id, place }) => [place, id] as const)));
    let total = 0;
    for (const set of this.#sets.values()) if (set.subjects.some((subject) => wanted.has(subject))) total += set.n;
    return {
      cases: {
        total,
        shown: [...places]
          .sort(([a], [b]) => a - b)
          .slice(0, CASES_SHOWN)
          .map(([, id]) => id),
      },
      items: { total: own.reduce((sum, { items }) => sum + items, 0), shown: inTurns(own.map(({ shown }) => shown)) },
    };
  }

  #close(): void {
    if (this.#open.size === 0) return;
    const subjects = [...this.#open].sort();
    const key = JSON.stringify(subjects);
    const known = this.#sets.get(key);
    if (known === undefined) this.#sets.set(key, { subjects, n: 1 });
    else known.n += 1;
    this.#open = new Set();
  }
}

/** One of each, then a second of each: no subject hides the others. */
function inTurns(lists: readonly (readonly FindingItem[])[]): FindingItem[] {
  const out: FindingItem[] = [];
  for (let at = 0; at < ITEMS_SHOWN; at += 1) for (const list of lists) out.push(...list.slice(at, at + 1));
  return out.slice(0, ITEMS_SHOWN);
}
