import { AUDIT_CHECKS } from '../recipe/audit-section.ts';
import { type Acceptances, acceptancesOf, settled, unusedOf } from './acceptance.ts';
import type { AuditMaterial, Check, CheckContext, Need, OpenCheck } from './check.ts';
import { CHECKS } from './checks.ts';
import { type Audit, type CheckRecord, type Finding, SEVERITIES, type UnusedAcceptance } from './finding.ts';
import { TextIndex } from './text-index.ts';
import { type AuditCase, Totals } from './totals.ts';

/** What every audit is given once the cases are through; the primary measure is added up here. */
export interface AuditEnd extends Omit<AuditMaterial, 'primary' | keyof CheckContext> {
  /** Laid over what the recipe accepts. */
  readonly accept?: Acceptances;
  /** Why there are no texts, where that is known. */
  readonly noTexts?: string | null;
}

const SIDES = ['gold', 'predicted'] as const;

/** All checks over the cases of one run, whether they are being scored or read again. */
export class OpenAudit {
  readonly #context: CheckContext;
  readonly #open: readonly { readonly check: Check; readonly opened: OpenCheck; readonly isLooking: boolean }[];

  /** `lacking` is what is known not to come: checks that need it are spared the cases. */
  constructor(
    context: Omit<CheckContext, 'totals' | 'index'>,
    checks: readonly Check[] = CHECKS,
    lacking: readonly Need[] = [],
  ) {
    const whole = { ...context, totals: new Totals(context.measures, context.recipe), index: new TextIndex() };
    this.#context = whole;
    this.#open = checks
      .toSorted((a, b) => AUDIT_CHECKS.indexOf(a.name) - AUDIT_CHECKS.indexOf(b.name))
      .map((check) => ({
        check,
        opened: check.open?.(whole) ?? { find: (material) => check.find?.(material) ?? null },
        isLooking: !(check.needs ?? []).some((need) => lacking.includes(need)),
      }));
  }

  /** The one pass over a case: what all checks share is counted first. */
  add(given: AuditCase): void {
    this.#context.totals.add(given);
    this.#context.index.add(given);
    const looking = this.#open.flatMap(({ check, opened, isLooking }) =>
      isLooking && (given.failed === null || check.scoredOnly !== true) ? [opened] : [],
    );
    for (const check of looking) check.case?.(given);
    const ofItems = looking.filter(({ item }) => item !== undefined);
    const ofVerdicts = looking.filter(({ verdict }) => verdict !== undefined);
    // Some pairings and rules give an item to two verdicts.
    const told = new Set<string>();
    for (const verdict of given.verdicts) {
      for (const check of ofVerdicts) check.verdict?.(verdict, given);
      for (const side of ofItems.length === 0 ? [] : SIDES) {
        const item = verdict[side];
        if (item === null || item.index < 0) continue;
        // Annotators number their items each for themselves.
        const key = `${side} ${item.kind} ${item.index} ${item.annotator ?? ''}`;
        if (told.has(key)) continue;
        told.add(key);
        for (const check of ofItems) check.item?.(item, side, verdict, given);
      }
    }
  }

  async finish({ accept, noTexts = null, ...rest }: AuditEnd): Promise<Audit> {
    const material: AuditMaterial = { ...rest, ...this.#context, primary: this.#context.totals.primaryOf(rest.run) };
    const accepted = new Map([...acceptancesOf(rest.run.manifest.recipe.resolved), ...(accept ?? [])]);
    const checks: CheckRecord[] = [];
    const findings: Finding[] = [];
    const unused: UnusedAcceptance[] = [];
    for (const { check, opened } of this.#open) {
      const { name, about } = check;
      const lacking = this.#lacking(check.needs ?? [], material, noTexts);
      const found = lacking === null ? await opened.find(material) : { skipped: lacking };
      if (found !== null && 'skipped' in found) {
        // Of a check that did not look nobody knows whether its acceptance is needed.
        checks.push({ name, about, skipped: found.skipped });
        continue;
      }
      checks.push({ name, about, skipped: null });
      const all = [found].flat().filter((one) => one !== null);
      findings.push(...all.flatMap((one) => settled(name, one, accepted)));
      unused.push(...unusedOf(name, all, accepted));
    }
    return {
      format: 1,
      signature: rest.run.manifest.signature,
      checks,
      findings: inOrder(findings),
      ...(unused.length === 0 ? {} : { unused }),
    };
  }

  #lacking(needs: readonly Need[], { train, gate, others }: AuditMaterial, noTexts: string | null): string | null {
    if (needs.includes('texts') && this.#context.totals.texts === 0) return noTexts ?? 'no case has a text';
    if (needs.includes('train') && train === null) return 'no training cases were given (--train FILE)';
    if (needs.includes('gate') && gate === null) return 'no rules of a gate were given (--gate FILE)';
    if (needs.includes('others') && others.length === 0) return 'no other run was given to compare with';
    return null;
  }
}

/** Those that are not accepted first, and the worst of them first; the rest as the checks are listed. */
function inOrder(findings: readonly Finding[]): Finding[] {
  const place = ({ accepted, severity }: Finding): number =>
    (accepted === null ? 0 : SEVERITIES.length) + SEVERITIES.indexOf(severity);
  return findings.toSorted((a, b) => place(a) - place(b));
}
