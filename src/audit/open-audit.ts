import { AUDIT_CHECKS } from '../recipe/audit-section.ts';
import { type Acceptances, acceptancesOf, settled, unusedOf } from './acceptance.ts';
import type { AuditCase, AuditMaterial, Check, CheckContext, Need, OpenCheck } from './check.ts';
import { CHECKS } from './checks.ts';
import { type Audit, type CheckRecord, type Finding, SEVERITIES, type UnusedAcceptance } from './finding.ts';
import { PrimarySums } from './primary-sums.ts';

/** What every audit is given once the cases are through; the primary measure is added up here. */
export interface AuditEnd extends Omit<AuditMaterial, 'primary'> {
  /** Laid over what the recipe accepts. */
  readonly accept?: Acceptances;
  /** Why there are no texts, where that is known. */
  readonly noTexts?: string | null;
}

/** All checks over the cases of one run, whether they are being scored or read again. */
export class OpenAudit {
  readonly #open: readonly { readonly check: Check; readonly opened: OpenCheck }[];
  /** Those that look at cases and will not lack anything but perhaps texts. */
  readonly #looking: readonly OpenCheck[];
  readonly #sums: PrimarySums;
  #texts = 0;

  /** `lacking` is what is known not to come: checks that need it are spared the cases. */
  constructor(context: CheckContext, checks: readonly Check[] = CHECKS, lacking: readonly Need[] = []) {
    this.#open = checks
      .toSorted((a, b) => AUDIT_CHECKS.indexOf(a.name) - AUDIT_CHECKS.indexOf(b.name))
      .map((check) => ({ check, opened: check.open(context) }));
    this.#looking = this.#open.flatMap(({ check, opened }) =>
      check.needs?.some((need) => lacking.includes(need)) === true ? [] : [opened],
    );
    this.#sums = new PrimarySums(context.measures, context.recipe);
  }

  add(given: AuditCase): void {
    if (given.text !== null) this.#texts += 1;
    const { id, failed, answered, slices, cluster, verdicts } = given;
    this.#sums.add({ case: id, failed, answered, slices, cluster }, verdicts);
    for (const check of this.#looking) check.add?.(given);
  }

  async finish({ accept, noTexts = null, ...rest }: AuditEnd): Promise<Audit> {
    const material: AuditMaterial = { ...rest, primary: this.#sums.of(rest.run) };
    const accepted = new Map([...acceptancesOf(rest.run.manifest.recipe.resolved), ...(accept ?? [])]);
    const checks: CheckRecord[] = [];
    const findings: Finding[] = [];
    const unused: UnusedAcceptance[] = [];
    for (const { check, opened } of this.#open) {
      const lacking = this.#lacking(check.needs ?? [], material, noTexts);
      const found = lacking === null ? await opened.finish(material) : { skipped: lacking };
      const skipped = 'skipped' in found ? found.skipped : null;
      checks.push({ name: check.name, about: check.about, skipped });
      // Of a check that did not look nobody knows whether its acceptance is needed.
      if ('skipped' in found) continue;
      findings.push(...found.flatMap((one) => settled(check.name, one, accepted)));
      unused.push(...unusedOf(check.name, found, accepted));
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
    if (needs.includes('texts') && this.#texts === 0) return noTexts ?? 'no case has a text';
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
