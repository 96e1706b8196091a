import type { Item, Side } from '../../data/item.ts';
import { unresolvedReason } from '../../prepare/resolve-refs.ts';
import { count, counted, percent } from '../../text/figures.ts';
import { normalise } from '../../text/normalise.ts';
import type { Check, NewFinding } from '../check.ts';
import type { AuditCase } from '../totals.ts';
import { Evidence } from '../evidence.ts';
import { rulesOf } from '../recipe-parts.ts';

/** A weak system that misses a fifth of the entities leaves a third of the relationships without an end. */
const NOTE_SHARE = 0.2;
const WARNING_SHARE = 0.4;
/** From here on the figures of relationships are about references and nothing else. */
const ERROR_SHARE = 0.8;
const FEWEST = 5;
/** More than half of the relationships, however few there are: the figures say more of references than of what was found. */
const MOST = 0.5;

export const unresolved: Check = {
  name: 'unresolved',
  about: 'relationships, predicted or gold, with an end that is none of the entities of their side',
  scoredOnly: true,
  open({ recipe }) {
    const isResolving = rulesOf(recipe, 'prepare', 'resolve-refs').length > 0;
    const totals = { gold: 0, predicted: 0, leftOut: 0 };
    const lost = { gold: new Evidence(), predicted: new Evidence() };
    const lose = (id: string, side: Side, { label, text }: Item, ends: readonly (string | null)[]): void => {
      const reason = unresolvedReason(ends.filter((end) => end !== null));
      const note = side === 'gold' ? reason.replace('extracted', 'gold') : reason;
      lost[side].addItem({ case: id, side, label, text, note });
    };
    return {
      case(given) {
        const relations = given.verdicts.filter(
          ({ kind, setAside, predicted }) =>
            kind === 'relationship' && (!setAside || predicted?.unresolved !== undefined),
        );
        const isEntity = relations.length === 0 ? () => true : goldEntities(given);
        for (const { verdict, gold, predicted, setAside } of relations) {
          if (predicted !== null) totals.predicted += 1;
          if (predicted !== null && setAside) totals.leftOut += 1;
          // Compared by name, one may be found all the same.
          if (predicted?.unresolved !== undefined && verdict !== 'hit')
            lose(given.case, 'predicted', predicted, predicted.unresolved);
          if (gold === null) continue;
          totals.gold += 1;
          // One that was found can be found, whatever its ends are called.
          const ends = verdict === 'hit' ? [] : [gold.source, gold.target].filter((end) => !isEntity(end));
          if (ends.length > 0) lose(given.case, 'gold', gold, ends);
        }
      },
      find() {
        if (totals.gold + totals.predicted === 0) return null;
        if (!isResolving) return { skipped: 'the recipe does not resolve the ends of relationships (resolve-refs)' };
        return [ofGold(lost.gold, totals.gold), ofPredicted(lost.predicted, totals.predicted, totals.leftOut)];
      },
    };
  },
};

/** Whether the gold of a case has an entity of that name. Gold that lists no entities says nothing about them. */
function goldEntities({ verdicts }: AuditCase): (name: string | null) => boolean {
  const names = new Set<string>();
  // As references are compared with names when they are resolved.
  const plain = (name: string): string => normalise(name, ['lower', 'trim', 'collapse']);
  for (const { kind, gold } of verdicts) if (kind === 'entity' && gold !== null) names.add(plain(gold.text));
  return (name) => names.size === 0 || (name !== null && names.has(plain(name)));
}

function ofPredicted(evidence: Evidence, all: number, leftOut: number): NewFinding | null {
  const n = evidence.items.total;
  // What the recipe leaves out is reported by `dropped`; here only where it is most of them.
  const severity = leftOut === 0 ? severityOf(n, all) : n > MOST * all ? 'warning' : null;
  if (severity === null) return null;
  return {
    severity,
    title: `${count(n)} of ${counted(all, 'predicted relationship')} (${percent(n, all)}) point to entities that were not extracted`,
    why: `They ${leftOut === 0 ? 'count as spurious' : 'are left out'}, whatever they say. If ids do not agree between the two lists, or entities were lost on the way, that is no fault of what was found.`,
    todo: 'Look at the references of the items below: are they ids or names of the entities in the same answer? Fix what writes them and score again. If they are names, compare them by name: --set prepare.resolve-refs.unresolved=by-name.',
    subjects: ['predicted'],
    evidence,
  };
}

function ofGold(evidence: Evidence, all: number): NewFinding | null {
  const n = evidence.items.total;
  const severity = severityOf(n, all);
  if (severity === null) return null;
  return {
    severity,
    title: `${count(n)} of ${counted(all, 'gold relationship')} (${percent(n, all)}) are missed and have an end that no gold entity is called`,
    words: 'unresolved/gold',
    subjects: ['gold'],
    evidence,
  };
}

function severityOf(n: number, all: number): NewFinding['severity'] | null {
  const few = n < FEWEST;
  if (!few && n >= ERROR_SHARE * all) return 'error';
  if (n > MOST * all || (!few && n >= WARNING_SHARE * all)) return 'warning';
  return !few && n >= NOTE_SHARE * all ? 'note' : null;
}
