import type { Item } from '../../data/item.ts';
import { unresolvedReason } from '../../prepare/resolve-refs.ts';
import { normalise } from '../../text/normalise.ts';
import type { AuditCase, Check, NewFinding } from '../check.ts';
import { Evidence } from '../evidence.ts';
import { rulesOf } from '../recipe-parts.ts';
import { count, counted, percent } from '../../text/figures.ts';

/** A weak system that misses a fifth of the entities leaves a third of the relationships without an end. */
const NOTE_SHARE = 0.2;
const WARNING_SHARE = 0.4;
/** From here on the figures of relationships are about references and nothing else. */
const ERROR_SHARE = 0.8;
const FEWEST = 5;
/** More than half of the relationships, however few there are: the figures say more of references than of what was found. */
const MOST = 0.5;

/** A relationship whose ends are no entities can match nothing, however right it is. */
export const unresolved: Check = {
  name: 'unresolved',
  about: 'relationships, predicted or gold, with an end that is none of the entities of their side',
  open({ recipe }) {
    const isResolving = rulesOf(recipe, 'prepare', 'resolve-refs').length > 0;
    const totals = { gold: 0, predicted: 0, leftOut: 0 };
    const lost = { gold: new Evidence(), predicted: new Evidence() };
    return {
      add(given) {
        if (given.failed !== null) return;
        const relations = given.verdicts.filter(
          ({ kind, setAside, predicted }) =>
            kind === 'relationship' && (!setAside || predicted?.unresolved !== undefined),
        );
        if (relations.length === 0) return;
        const isEntity = goldEntities(given);
        for (const { verdict, gold, predicted, setAside } of relations) {
          if (predicted !== null) {
            totals.predicted += 1;
            if (setAside) totals.leftOut += 1;
            // Compared by name, one may be found all the same.
            if (verdict !== 'hit' && predicted.unresolved !== undefined)
              lost.predicted.addItem(evidenceOf(given.id, 'predicted', predicted, predicted.unresolved));
          }
          if (gold === null) continue;
          totals.gold += 1;
          // One that was found can be found, whatever its ends are called.
          const ends = verdict === 'hit' ? [] : [gold.source, gold.target].filter((end) => !isEntity(end));
          if (ends.length > 0)
            lost.gold.addItem(
              evidenceOf(
                given.id,
                'gold',
                gold,
                ends.filter((end) => end !== null),
              ),
            );
        }
      },
      finish() {
        if (totals.gold + totals.predicted === 0) return [];
        if (!isResolving) return { skipped: 'the recipe does not resolve the ends of relationships (resolve-refs)' };
        return [...ofGold(lost.gold, totals.gold), ...ofPredicted(lost.predicted, totals.predicted, totals.leftOut)];
      },
    };
  },
};

/** Whether the gold of a case has an entity of that name. Gold that lists no entities says nothing about them. */
function goldEntities({ verdicts }: AuditCase): (name: string | null) => boolean {
  const names = new Set<string>();
  for (const { kind, gold } of verdicts) if (kind === 'entity' && gold !== null) names.add(plain(gold.text));
  return (name) => names.size === 0 || (name !== null && names.has(plain(name)));
}

/** As references are compared with names when they are resolved. */
function plain(name: string): string {
  return normalise(name, ['lower', 'trim', 'collapse']);
}

function evidenceOf(
  id: string,
  side: 'gold' | 'predicted',
  { label, text }: Item,
  ends: readonly string[],
): Parameters<Evidence['addItem']>[0] {
  const note = side === 'gold' ? unresolvedReason(ends).replace('extracted', 'gold') : unresolvedReason(ends);
  return { case: id, side, label, text, note };
}

function ofPredicted({ cases, items }: Evidence, all: number, leftOut: number): NewFinding[] {
  // What the recipe leaves out is reported by `dropped`; here only where it is most of them.
  const severity = leftOut === 0 ? severityOf(items.total, all) : items.total > MOST * all ? 'warning' : null;
  if (severity === null) return [];
  return [
    {
      severity,
      title: `${count(items.total)} of ${counted(all, 'predicted relationship')} (${percent(items.total, all)}) point to entities that were not extracted`,
      why: `They ${leftOut === 0 ? 'count as spurious' : 'are left out'}, whatever they say. If ids do not agree between the two lists, or entities were lost on the way, that is no fault of what was found.`,
      todo: 'Look at the references of the items below: are they ids or names of the entities in the same answer? Fix what writes them and score again. If they are names, compare them by name: --set prepare.resolve-refs.unresolved=by-name.',
      subjects: ['predicted'],
      cases,
      items,
    },
  ];
}

function ofGold({ cases, items }: Evidence, all: number): NewFinding[] {
  const severity = severityOf(items.total, all);
  if (severity === null) return [];
  return [
    {
      severity,
      title: `${count(items.total)} of ${counted(all, 'gold relationship')} (${percent(items.total, all)}) are missed and have an end that no gold entity is called`,
      why: 'A system that finds exactly the entities of gold has no such end to offer: these stay missed unless it gives nearly the same name for an end.',
      todo: 'Write the ends in gold as names of its entities, or add the entities that are lacking.',
      subjects: ['gold'],
      cases,
      items,
    },
  ];
}

function severityOf(n: number, all: number): NewFinding['severity'] | null {
  const few = n < FEWEST;
  if (!few && n >= ERROR_SHARE * all) return 'error';
  if (n > MOST * all || (!few && n >= WARNING_SHARE * all)) return 'warning';
  return !few && n >= NOTE_SHARE * all ? 'note' : null;
}
