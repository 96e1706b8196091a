import type { Fields, Item } from '../../data/item.ts';
import { isRecord } from '../../data/record-fields.ts';
import type { SettledClass } from './consult-reviews.ts';

/** What each expert said of a case's class, as its gold item carries it; nothing where nobody said anything. */
export function expertFields(votes: SettledClass['votes']): Fields {
  if (votes.length === 0) return {};
  return { experts: Object.fromEntries(votes.map(({ reviewer, label }) => [reviewer, label])) };
}

/** The class that each expert gave, by name; empty for an item that is not of experts' making. */
export function expertClasses({ kind, fields }: Item): ReadonlyMap<string, string> {
  const { by, experts } = fields;
  if (kind !== 'class' || by !== 'experts' || !isRecord(experts)) return new Map();
  return new Map(
    Object.entries(experts).flatMap(([name, label]): [string, string][] =>
      typeof label === 'string' ? [[name, label]] : [],
    ),
  );
}
