import type { Case } from '../data/case.ts';
import type { Item } from '../data/item.ts';
import type { LeftOver, Pairing } from '../pair/pairing.ts';
import { unresolvedReason } from '../prepare/resolve-refs.ts';
import { makeVerdict, type Verdict } from './verdict.ts';

/** The verdicts that pairing alone gives: pairs are hits, what is left over is missed or spurious. */
export function firstVerdicts(given: Case, scheme: string | null, pairing: Pairing): Verdict[] {
  const out: Verdict[] = [];
  for (const pair of pairing.pairs) {
    out.push({
      case: given.id,
      scheme,
      kind: pair.gold.kind,
      verdict: 'hit',
      rule: pair.rule,
      label: pair.gold.label,
      similarity: pair.similarity,
      credit: pair.credit,
      weight: pair.weight,
      match: pair.match,
      gold: pair.gold,
      predicted: pair.predicted,
      because: null,
      setAside: false,
      rejected: null,
      attributes: null,
    });
  }
  for (const left of pairing.gold) out.push(unpairedVerdict(given, scheme, pairing, left, 'missed'));
  for (const left of pairing.predicted) out.push(unpairedVerdict(given, scheme, pairing, left, 'spurious'));
  for (const hit of pairing.covered ?? [])
    out.push(
      makeVerdict({ ...hit, case: given.id, scheme, kind: hit.gold.kind, verdict: 'hit', label: hit.gold.label }),
    );
  for (const { item, because, weight } of pairing.helpers ?? []) {
    out.push(
      makeVerdict({
        case: given.id,
        scheme,
        kind: item.kind,
        verdict: 'excused',
        rule: 'inside',
        because,
        weight,
        label: item.label,
        predicted: item,
      }),
    );
  }
  return out;
}

function unpairedVerdict(
  given: Case,
  scheme: string | null,
  { isSearched = false }: Pairing,
  left: LeftOver,
  verdict: 'missed' | 'spurious',
): Verdict {
  const { item, weight } = left;
  const isGold = verdict === 'missed';
  const { rule, because } = isGold ? NO_MATCH : spuriousReason(item);
  const made = makeVerdict({
    case: given.id,
    scheme,
    kind: item.kind,
    verdict,
    rule,
    because,
    label: item.label,
    weight,
    gold: isGold ? item : null,
    predicted: isGold ? null : item,
    rejected: isSearched ? null : left.rejected,
  });
  return isSearched
    ? Object.defineProperty(made, 'rejected', { get: () => left.rejected, enumerable: true, configurable: true })
    : made;
}

const NO_MATCH = { rule: 'no-match', because: null };

function spuriousReason(item: Item): { rule: string; because: string | null } {
  if (item.unresolved !== undefined) return { rule: 'unresolved', because: unresolvedReason(item.unresolved) };
  if (item.refused !== undefined) return { rule: 'bad-span', because: item.refused.because };
  return NO_MATCH;
}

/** What left before pairing, as excused verdicts: no item of the files goes without a line. */
export function setAsideVerdicts(given: Case, scheme: string | null): Verdict[] {
  return given.setAside.map(({ side, item, rule, because }) =>
    makeVerdict({
      case: given.id,
      scheme,
      kind: item.kind,
      verdict: 'excused',
      rule,
      label: item.label,
      because,
      setAside: true,
      ...(side === 'gold' ? { gold: item } : { predicted: item }),
    }),
  );
}
