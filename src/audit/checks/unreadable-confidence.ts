import { confidenceOf } from '../../data/confidence.ts';
import { describe } from '../../data/record-fields.ts';
import { confidenceFields } from '../../figures/calibration-counts.ts';
import { count, levelText, percent } from '../../text/figures.ts';
import type { AuditCheck, NewFinding } from '../check.ts';
import { entryOf, Evidence } from '../evidence.ts';
import { namedRules, recordAt, stringAt } from '../recipe-parts.ts';
import { isPaired } from '../totals.ts';

/** From here on the curve over confidences is of a part of the predictions; fewer are slips of single records. */
const WARNING = { share: 0.05, fewest: 3 };
const RULE = 'min-confidence';
/** The field with this name can hold nothing else; a "score" may be that of a match. */
const PLAIN_NAME = 'confidence';

export const unreadableConfidence: AuditCheck = {
  name: 'unreadable-confidence',
  about: 'confidences that are not numbers, such as "NaN" or "high"',
  severity: `Warning: ${levelText(WARNING.share)} of the predictions with the field (${WARNING.fewest}+), or any if the recipe has \`${RULE}\`; otherwise a note`,
  scoredOnly: true,
  open({ recipe, keep }) {
    const rules = namedRules(recipe, 'prepare', RULE);
    const compared = new Set([
      ...Object.entries(recordAt(recipe, 'attributes')).map(([name, setting]) => stringAt(setting, 'field') ?? name),
      ...Object.keys(recordAt(recipe['data'], 'values')),
    ]);
    const names = confidenceFields({ resolved: recipe }).filter((name) => rules.length > 0 || !compared.has(name));
    const none = () => ({ inGold: 0, numbers: 0, evidence: new Evidence() });
    const fields = keep(new Map<string, ReturnType<typeof none>>(), none);
    return {
      // They have no fields.
      spans: null,
      item({ kind, label, text, fields: given }, side, { setAside }, { case: id }) {
        if (!isPaired(kind) || setAside) return;
        for (const name of names) {
          const value = Object.hasOwn(given, name) ? (given[name] ?? null) : null;
          if (value === null) continue;
          const field = entryOf(fields, name, none);
          if (side === 'gold') field.inGold += 1;
          else if (confidenceOf(value) !== null) field.numbers += 1;
          else field.evidence.addItem({ case: id, side, label, text, note: `${name} is ${describe(value)}` });
        }
      },
      find: () =>
        [...fields].flatMap(([subject, { inGold, numbers, evidence }]) => {
          const isConfidence = rules.length > 0 || (inGold === 0 && (numbers > 0 || subject === PLAIN_NAME));
          if (!isConfidence || evidence.items.total === 0) return [];
          return findingOf({ subject, numbers, evidence }, rules[0]?.name ?? null);
        }),
    };
  },
};

type Field = Readonly<{ subject: string; numbers: number; evidence: Evidence }>;

function findingOf({ subject, numbers, evidence }: Field, minimum: string | null): NewFinding {
  const unreadable = evidence.items.total;
  const all = numbers + unreadable;
  const isMany = unreadable >= WARNING.fewest && unreadable >= WARNING.share * all;
  const rule = minimum ?? RULE;
  // Without the rule, one that takes out nothing else.
  const settings = [...(minimum === null ? [`field=${subject}`, 'min=0'] : []), 'missing=drop'];
  return {
    severity: minimum !== null || isMany ? 'warning' : 'note',
    title: `${count(unreadable)} of ${count(all)} predictions with a ${subject} (${percent(unreadable, all)}) have one that is not a number`,
    subjects: [subject],
    why: `${minimum === null ? '' : `The rule ${minimum} keeps them, however unsure they are. `}Calibration and the curve over thresholds are about the other predictions only.`,
    todo: `Write a number between 0 and 1 where the predictions are made. To take such predictions out until then: ${settings.map((setting) => `--set prepare.${rule}.${setting}`).join(' ')}.`,
    evidence,
  };
}
