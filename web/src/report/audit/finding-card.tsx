import { useId } from 'preact/hooks';

import type { Finding, FindingItem, Severity } from '../../../../src/audit/finding.ts';
import { acceptanceYaml } from '../../../../src/report/audit-words.ts';
import { MARKS } from '../../../../src/report/document.ts';
import { count, counted } from '../../../../src/text/figures.ts';
import { CopiedLines } from '../../copied-lines.tsx';
import { CaseLink, CaseLinks } from '../figures/case-link.tsx';
import { Fold } from '../figures/fold.tsx';
import { ShortText } from '../short-text.tsx';
import type { CaseFilter } from '../state.ts';

/** More evidence than this is opened on demand. */
const SHOWN_AT_ONCE = 5;

export function FindingCard(props: { readonly finding: Finding; readonly onCases: (filter: CaseFilter) => void }) {
  const { finding } = props;
  const id = useId();
  const accepted = finding.accepted !== null;
  return (
    <li>
      <article class={`card finding stack ${accepted ? 'accepted' : finding.severity}`} aria-labelledby={id}>
        <header>
          <SeverityMark severity={finding.severity} accepted={accepted} />
          <code class="check-name">{finding.name}</code>
        </header>
        <h3 id={id}>
          <ShortText text={finding.title} most={1000} />
        </h3>
        {finding.accepted === null ? null : (
          <p class="notice reason">
            <strong>The recipe lets it stand:</strong> <ShortText text={finding.accepted} most={1000} />
          </p>
        )}
        <ShortText in="p" text={finding.why} most={1000} />
        <Evidence finding={finding} />
        <p class="todo">
          <strong>What to do:</strong> <ShortText text={finding.todo} most={1000} />
        </p>
        <Cases finding={finding} onCases={props.onCases} />
        {accepted ? null : (
          <Fold title="Let it stand, with a reason">
            <p class="hint">
              These lines in the recipe keep it in the report with your reason, and out of the warnings:
            </p>
            <CopiedLines
              text={`${acceptanceYaml(finding).join('\n')}\n`}
              label={`the lines that accept ${finding.name}`}
            />
          </Fold>
        )}
      </article>
    </li>
  );
}

function Evidence(props: { readonly finding: Finding }) {
  const { total, shown } = props.finding.items;
  if (shown.length === 0) return null;
  const [first, rest] = [shown.slice(0, SHOWN_AT_ONCE), shown.slice(SHOWN_AT_ONCE)];
  return (
    <div class="evidence stack tight">
      <h4>
        Evidence <span class="hint">{shown.length < total ? `${count(shown.length)} of ${count(total)}` : null}</span>
      </h4>
      <EvidenceList items={first} />
      {rest.length === 0 ? null : (
        <Fold title={`${count(rest.length)} more`}>
          <EvidenceList items={rest} />
        </Fold>
      )}
    </div>
  );
}

function EvidenceList(props: { readonly items: readonly FindingItem[] }) {
  return (
    <ul role="list">
      {props.items.map((item, at) => (
        <li key={at}>
          {item.case === null ? null : <CaseLink id={item.case} />}
          {item.side === null ? null : <span class="evidence-tag">{item.side}</span>}
          {item.label === null ? null : <ShortText in="span" class="evidence-tag" text={item.label} />}
          <ShortText in="span" class="evidence-text" text={item.text} most={1000} />
          {item.note === null ? null : <ShortText in="span" class="hint" text={item.note} most={1000} />}
        </li>
      ))}
    </ul>
  );
}

function Cases(props: { readonly finding: Finding; readonly onCases: (filter: CaseFilter) => void }) {
  const { total, shown } = props.finding.cases;
  if (total === 0) return null;
  const all = shown.length >= total;
  const what = all
    ? `Show ${total === 1 ? 'the case' : `the ${counted(total, 'case')}`}`
    : `Show the first ${count(shown.length)} of ${counted(total, 'case')}`;
  return (
    <p class="finding-cases">
      {shown.length === 0 ? (
        `${counted(total, 'case')} behind it.`
      ) : (
        <>
          <button type="button" class="small" onClick={() => props.onCases({ show: 'all', cases: shown })}>
            {what}
          </button>{' '}
          <span class="hint">
            <CaseLinks shown={shown} total={total} most={6} />
          </span>
        </>
      )}
    </p>
  );
}

const WORDS: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning', note: 'Note' };

/** How bad a finding is: by a word, by a sign and by the form around it, and only then by a colour. */
function SeverityMark(props: { readonly severity: Severity; readonly accepted?: boolean }) {
  const accepted = props.accepted === true;
  return (
    <span class={`severity-mark ${accepted ? 'accepted' : props.severity}`}>
      <span class="severity-sign" aria-hidden="true">
        {accepted ? '✓' : MARKS[props.severity].symbol}
      </span>
      {accepted ? `Accepted ${props.severity}` : WORDS[props.severity]}
    </span>
  );
}
