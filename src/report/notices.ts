import { LOGGED_KINDS } from '../data/item.ts';
import type { Audit } from '../audit/finding.ts';
import { excusedHitScores, excusedHitsSentence, excusingRules, labelsOfExcusedHits } from '../audit/excused-hits.ts';
import { isPaired } from '../audit/totals.ts';
import { noticeSentence } from '../audit/checks/read-notices.ts';
import type { Run } from '../score/run.ts';
import { FEW_UNITS } from '../stats/interval.ts';
import { compareText } from '../text/compare.ts';
import { count, plural, figure, percent } from '../text/figures.ts';
import type { RecipeFacts } from './recipe-facts.ts';
import { ruleCounts, overall } from './run-tables.ts';

/** What a reader must know before believing the numbers, one sentence each. Holds text from data: escape it. */
export function noticesOf(run: Run, facts: RecipeFacts, audit: Audit | null = null): string[] {
  return [
    ...caseNotices(run, facts, audit),
    ...intervalNotices(run, facts),
    ...hitNotices(run, facts, openNames(audit)),
    ...classNotices(run, facts),
    ...quoteNotices(run),
    ...noticeLines(run.manifest.notices, run.manifest.recipe.resolved).filter((line) => !isShown(audit, line)),
  ];
}

/** Whether the audit shows this very sentence next to the numbers. */
function isShown(audit: Audit | null, sentence: string): boolean {
  return (
    audit?.findings.some(
      ({ title, severity, accepted }) => title === sentence && severity !== 'note' && accepted === null,
    ) === true
  );
}

const MOST_CHANGED = 6;

/** What failed cases change: the values if they counted the other way. */
function failedOtherwise(run: Run): string {
  const other = run.measures.failedOtherwise;
  if (other === undefined) return '';
  const own = new Map(overall(run).map(({ name, value }) => [name, value]));
  const changed = other.measures.filter(({ name, value }) => own.get(name) !== value);
  const shown = changed
    .slice(0, MOST_CHANGED)
    .map(({ name, value }) => `${name} ${valueText(value)} instead of ${valueText(own.get(name) ?? null)}`);
  const more = changed.length > shown.length ? `, and ${count(changed.length - shown.length)} more` : '';
  const how = other.failed === 'empty' ? 'Counted as empty answers' : 'Left out';
  return `. ${how} (--set data.failed=${other.failed}): ${shown.join(', ')}${more}`;
}

function valueText(value: number | null): string {
  return value === null ? 'undefined' : figure(value);
}

function caseNotices(run: Run, facts: RecipeFacts, audit: Audit | null): string[] {
  const { total, failed, unanswered } = run.measures.cases;
  const out: string[] = [];
  const otherwise = failedOtherwise(run);
  const asEmpty = facts.failed === 'empty';
  if (failed > 0 && (otherwise !== '' || !isShownAsDropped(audit, 'failed')))
    out.push(
      `${count(failed)} of ${plural(total, 'case')} failed: ${asEmpty ? 'scored as an empty answer, all gold missed' : 'not scored, in no average; the gold shows as excused'}${otherwise}`,
    );
  if (unanswered > 0 && !isShownAsDropped(audit, 'unanswered'))
    out.push(
      `${count(unanswered)} of ${plural(total, 'case')} ${unanswered === 1 ? 'has' : 'have'} no prediction: scored as an empty answer, all gold missed`,
    );
  return out;
}

/** A note is not printed next to the numbers: only an open error or warning has been shown already. */
function isShownAsDropped(audit: Audit | null, subject: string): boolean {
  return (
    audit?.findings.some(
      ({ name, severity, accepted, subjects }) =>
        name === 'dropped-data' && severity !== 'note' && accepted === null && subjects.includes(subject),
    ) === true
  );
}

/** What the intervals rest on, where that is little or not what a reader would take for granted. */
function intervalNotices(run: Run, { cluster }: RecipeFacts): string[] {
  const drawn = overall(run).filter(({ interval }) => interval?.method.startsWith('bootstrap') === true);
  if (drawn.length === 0) return [];
  const units = drawn.reduce((most, value) => Math.max(most, value.units), 0);
  const what = cluster === null ? plural(units, 'case') : `${count(units)} values of ${cluster}`;
  if (units < FEW_UNITS) return [`intervals rest on ${what}: from so few, resampling gives them too narrow`];
  return cluster === null ? [] : [`intervals rest on ${what}, which were resampled instead of cases`];
}

/** Class names that the recipe does not know: a misspelt one is a separate class, and wrong everywhere. */
function classNotices(run: Run, { classes }: RecipeFacts): string[] {
  if (classes === null) return [];
  const known = new Set([...classes, 'unknown', 'multiple', 'disputed', 'undecided']);
  // Those of failed cases are as the file has them: nothing was read from them.
  const strange = run.measures.rules.filter(
    ({ kind, label, rule }) => kind === 'class' && rule !== 'failed' && !known.has(label),
  );
  const labels = [...new Set(strange.map(({ label }) => label))].sort(compareText);
  if (labels.length === 0) return [];
  const shown = labels.slice(0, 5).map((label) => JSON.stringify(label));
  const more = labels.length > shown.length ? ` and ${labels.length - shown.length} more` : '';
  return [
    `the recipe knows no class ${shown.join(', ')}${more}: compared as written, and right only if both sides have it`,
  ];
}

/** What the audit reports with its evidence is not repeated. */
function openNames(audit: Audit | null): ReadonlySet<string> {
  return new Set(audit?.findings.filter(({ accepted }) => accepted === null).map(({ name }) => name) ?? []);
}

/** Sources of hits that a reader would not expect. */
function hitNotices(run: Run, facts: RecipeFacts, found: ReadonlySet<string>): string[] {
  // What is logged is not paired: its rules are facts, not favours.
  const own = run.measures.rules.filter((rule) => rule.scheme === null && !isLogged(rule.kind));
  const counts = ruleCounts(own);
  const hits = own.filter((rule) => rule.verdict === 'hit');
  const out: string[] = [];
  if (!found.has('excused-hits')) out.push(...excusedHitNotices(run, facts));
  if (found.has('rule-made-hits')) return out;
  const ruled = new Map<string, number>();
  for (const rule of hits)
    if (!facts.pairRules.has(rule.rule)) ruled.set(rule.rule, (ruled.get(rule.rule) ?? 0) + rule.n);
  for (const [rule, n] of [...ruled].sort(([a], [b]) => compareText(a, b)))
    out.push(
      `${count(n)} of ${plural(counts.hit, 'hit')} (${percent(n, counts.hit)}) ${n === 1 ? 'was' : 'were'} made by the rule ${rule}, not by pairing`,
    );
  return out;
}

/**
 * The sentence of the audit, from the counts of the run. It leaves recall out if that is not the plain ratio of counts, or
 * custom rules may excuse misses too.
 */
function excusedHitNotices(run: Run, { custom }: RecipeFacts): string[] {
  const recipe = run.manifest.recipe.resolved;
  const { names } = excusingRules(recipe);
  const rows = run.measures.rules
    .filter(({ scheme, kind }) => scheme === null && isPaired(kind))
    .map(({ n, ...rule }) => ({
      ...rule,
      weight: n,
      worth: n,
      isExcusedMiss: rule.verdict === 'excused' && names.has(rule.rule),
    }));
  const labels = labelsOfExcusedHits(rows, recipe);
  if (labels.length === 0) return [];
  const scores = excusedHitScores(rows, new Set(labels));
  const recall = overall(run).find(({ name }) => name === 'recall')?.value;
  const isPlain = recall === scores.asScored.recall && !custom.some(({ defines }) => defines === 'rule');
  return [excusedHitsSentence(isPlain ? scores : { ...scores, excused: 0 }, labels)];
}

function isLogged(kind: string): boolean {
  return LOGGED_KINDS.some((known) => known === kind);
}

const CASES_NAMED = 5;

function quoteNotices(run: Run): string[] {
  const { total, shown } = run.measures.ungrounded;
  if (total === 0) return [];
  const ids = [...new Set(shown.map((item) => item.case))];
  const more = ids.length > CASES_NAMED || total > shown.length ? ', …' : '';
  const where = `${ids.slice(0, CASES_NAMED).join(', ')}${more}`;
  return [`${plural(total, 'prediction quotes', 'predictions quote')} what is not verbatim in the text (${where})`];
}

/** What reading let pass, a sentence each. */
export function noticeLines(
  notices: Readonly<Record<string, number>>,
  recipe: Readonly<Record<string, unknown>> = {},
): string[] {
  return Object.entries(notices)
    .filter(([, n]) => typeof n === 'number' && n !== 0)
    .map(([name, n]) => noticeSentence(name, n, recipe))
    .filter((sentence) => sentence !== '');
}
