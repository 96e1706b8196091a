import type { Item, Side } from '../../data/item.ts';
import { unresolvedReason } from '../../prepare/resolve-refs.ts';
import { count, plural, percent, levelText } from '../../text/figures.ts';
import { normalise } from '../../text/normalise.ts';
import type { AuditCheck, CheckContext, NewFinding, OpenCheck, OpenContext } from '../check.ts';
import { addTo, Evidence, formatList } from '../evidence.ts';
import type { Severity } from '../finding.ts';
import { recordAt, namedRules, stringAt, stringsAt } from '../recipe-parts.ts';
import type { AuditCase } from '../audit-case.ts';

/** A tenth of quotes that are not in the text is no slip of the pen: quotes are paraphrased, or texts differ. */
const WARNING_PREDICTED = 0.1;
/** People copy quotes: far fewer of theirs should be off. */
const WARNING_GOLD = 0.05;
/** Less than this can be two bad cases. */
const FEWEST = 5;
/** The reason that the rule `ground` gives for quotes whose words are all there: wrapped lines, double spaces. */
const WHITE_SPACE = 'in the text but for white space';

export const ungrounded: AuditCheck = {
  name: 'ungrounded-quotes',
  about: 'quotes that are not verbatim in the text',
  severity: `Warning: ${levelText(WARNING_PREDICTED)} of predicted or ${levelText(WARNING_GOLD)} of gold quotes (${FEWEST}+); otherwise a note`,
  open: (context) => [quotes('predicted', context), quotes('gold', context)],
};

function quotes(side: Side, { keep }: OpenContext): OpenCheck {
  const seen = keep({ asked: 0 });
  const [not, spaced] = [keep(new Evidence()), keep(new Evidence())];
  return {
    // Spans with a place are not looked for in the text.
    spans: null,
    verdict({ gold, predicted }, { case: id }) {
      const item = side === 'gold' ? gold : predicted;
      if (item === null || item.grounded === null) return;
      seen.asked += 1;
      const note = item.ungrounded ?? null;
      const evidence = note === WHITE_SPACE ? spaced : not;
      if (!item.grounded) evidence.addItem({ case: id, side, label: item.label, text: item.text, note });
    },
    find() {
      const { asked } = seen;
      const [n, spacedOnly] = [not.items.total, spaced.items.total];
      const share = (some: number): string =>
        `${count(some)} of ${plural(asked, `${side} quote`)} (${percent(some, asked)}) ${some === 1 ? 'is' : 'are'}`;
      const isMany = n >= FEWEST && n / asked >= (side === 'gold' ? WARNING_GOLD : WARNING_PREDICTED);
      const absent: NewFinding = {
        severity: isMany ? 'warning' : 'note',
        title: `${share(n)} not verbatim in the text${spacedOnly > 0 ? ', white space apart' : ''}`,
        words: `ungrounded/${side}`,
        subjects: [side],
        evidence: not,
      };
      // Text that was wrapped has line breaks where a quote has spaces: ordinary, but what asks for verbatim quotes sees it.
      const wrapped: NewFinding = {
        severity: 'note',
        title: `${share(spacedOnly)} in the text but for white space, such as line breaks of wrapped text`,
        words: 'ungrounded/wrapped',
        subjects: [side],
        evidence: spaced,
      };
      return [n === 0 ? null : absent, spacedOnly === 0 ? null : wrapped];
    },
  };
}

/** A weak system that misses a fifth of the entities leaves a third of the relationships without an end. */
const NOTE_SHARE = 0.2;
const WARNING_SHARE = 0.4;
/** From here on the figures of relationships are about references and nothing else. */
const ERROR_SHARE = 0.8;
/** More than half of the relationships, however few there are: the figures say more of references than of what was found. */
const MOST = 0.5;

export const unresolved: AuditCheck = {
  name: 'unresolved-relationships',
  about: 'relationships with an end that is none of their side’s entities',
  severity: `Error: ${levelText(ERROR_SHARE)} (${FEWEST}+); warning: ${levelText(WARNING_SHARE)} (${FEWEST}+), or more than ${levelText(MOST)} of any number; note: ${levelText(NOTE_SHARE)} (${FEWEST}+)`,
  scoredOnly: true,
  open({ recipe, index, keep }) {
    const isResolving = namedRules(recipe, 'prepare', 'resolve-refs').length > 0;
    const totals = keep({ gold: 0, predicted: 0, leftOut: 0 });
    const lost = keep({ gold: new Evidence(), predicted: new Evidence() });
    const lose = (id: string, side: Side, { label, text }: Item, ends: readonly (string | null)[]): void => {
      const reason = unresolvedReason(ends.filter((end) => end !== null));
      const note = side === 'gold' ? reason.replace('extracted', 'gold') : reason;
      lost[side].addItem({ case: id, side, label, text, note });
    };
    return {
      spans: null,
      case(given) {
        if (!index.kinds.has('relationship')) return;
        const relations = given.verdicts.filter(
          ({ kind, setAside, predicted }) =>
            kind === 'relationship' && (!setAside || predicted?.unresolved !== undefined),
        );
        const isEntity = relations.length === 0 ? () => true : goldEntities(given);
        for (const { verdict, gold, predicted, setAside } of relations) {
          if (predicted !== null) totals.predicted += 1;
          if (predicted !== null && setAside) totals.leftOut += 1;
          // Compared by name, one may still be found.
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
        const { gold, predicted, leftOut } = totals;
        return [lostFinding('gold', lost.gold, gold), lostFinding('predicted', lost.predicted, predicted, leftOut)];
      },
    };
  },
};

/** Whether the gold of a case has an entity of that name. Gold that lists no entities has no opinion on them. */
function goldEntities({ verdicts }: AuditCase): (name: string | null) => boolean {
  const names = new Set<string>();
  // As references are compared with names when they are resolved.
  const plain = (name: string): string => normalise(name, ['lower', 'trim', 'collapse']);
  for (const { kind, gold } of verdicts) if (kind === 'entity' && gold !== null) names.add(plain(gold.text));
  return (name) => names.size === 0 || (name !== null && names.has(plain(name)));
}

function lostFinding(side: Side, evidence: Evidence, all: number, leftOut = 0): NewFinding | null {
  const n = evidence.items.total;
  // What the recipe leaves out is reported by `dropped-data`; here only where it is most of them.
  const severity = leftOut === 0 ? severityOf(n, all) : n > MOST * all ? 'warning' : null;
  if (severity === null) return null;
  const isGold = side === 'gold';
  const ends = isGold
    ? 'are missed and have an end that no gold entity is called'
    : 'point to entities that were not extracted';
  return {
    severity,
    title: `${count(n)} of ${plural(all, `${side} relationship`)} (${percent(n, all)}) ${ends}`,
    words: `unresolved/${isGold ? 'gold' : leftOut === 0 ? 'spurious' : 'leftOut'}`,
    subjects: [side],
    evidence,
  };
}

function severityOf(n: number, all: number): Severity | null {
  const few = n < FEWEST;
  if (!few && n >= ERROR_SHARE * all) return 'error';
  if (n > MOST * all || (!few && n >= WARNING_SHARE * all)) return 'warning';
  return !few && n >= NOTE_SHARE * all ? 'note' : null;
}

const MOST_NAMED = 5;

/** A field that attributes judge for some labels only; `missing` are values that stand for a missing one. */
type OwnedField = Readonly<{ field: string; labels: ReadonlySet<string>; missing: ReadonlySet<unknown> }>;

export const misplacedFields: AuditCheck = {
  name: 'misplaced-fields',
  about: 'items with a field that the recipe has for other labels, such as an emotion with an intensity',
  severity: 'Warning; note if the values only mean that nothing is known',
  open(context) {
    const owned = ownedFields(context);
    const evidence = context.keep(new Evidence());
    const counts = context.keep(new Map<string, number>());
    const sides = context.keep(new Set<Side>());
    const seen = context.keep({ saysSomething: false });
    const found: OpenCheck = {
      spans: null,
      item(item, side, _, { case: id }) {
        const stray = owned.filter(({ field, labels }) => !labels.has(item.label) && hasValue(item, field));
        if (stray.length === 0) return;
        sides.add(side);
        for (const { field, missing } of stray) {
          addTo(counts, `${field} of ${item.label}`);
          if (!missing.has(item.fields[field])) seen.saysSomething = true;
        }
        const note = stray.map(({ field }) => `${field}: ${textOf(item.fields[field])}`).join(', ');
        evidence.addItem({ case: id, side, label: item.label, text: item.text, note });
      },
      find() {
        if (counts.size === 0) return null;
        const named = [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST_NAMED);
        const shown = named.map(([what, n]) => `${what} (${count(n)})`);
        const more = counts.size > named.length ? [`${count(counts.size - named.length)} more`] : [];
        return {
          severity: seen.saysSomething ? 'warning' : 'note',
          title: `${plural(evidence.items.total, 'item has a field that its', 'items have a field that their')} label does not have: ${formatList([...shown, ...more])}`,
          words: 'stray-fields/found',
          subjects: [...sides],
          evidence,
        };
      },
    };
    const skipped = 'the recipe has no attribute that is for some labels only';
    return owned.length === 0 ? { find: () => ({ skipped }) } : found;
  },
};

/** By field, the labels that have it; fields of every label are nobody's alone. */
function ownedFields({ recipe }: CheckContext): OwnedField[] {
  const settings = Object.entries(recordAt(recipe, 'attributes')).map(([name, setting]) => ({
    field: stringAt(setting, 'field') ?? name,
    labels: stringsAt(setting, 'labels'),
    missing: stringAt(setting, 'missing'),
  }));
  return [...Map.groupBy(settings, ({ field }) => field)].flatMap(([field, own]) => {
    if (field === 'label' || own.some(({ labels }) => labels.length === 0)) return [];
    const missing = new Set(own.flatMap((one) => one.missing ?? []));
    return [{ field, labels: new Set(own.flatMap(({ labels }) => labels)), missing }];
  });
}

function hasValue({ fields }: Item, field: string): boolean {
  return Object.hasOwn(fields, field) && (fields[field] ?? '') !== '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
