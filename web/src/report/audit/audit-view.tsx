import { useId } from 'preact/hooks';

import type { Audit, CheckRecord, Finding, FindingItem, Severity } from '../../../../src/audit/finding.ts';
import { acceptanceYaml, auditCounts } from '../../../../src/report/audit-words.ts';
import { MARKS } from '../../../../src/report/document.ts';
import type { ReportHead, RunView } from '../../../../src/report/html/report-data.ts';
import { count, plural } from '../../../../src/text/figures.ts';
import { CopiedLines } from '../../copied-lines.tsx';
import { CaseLink, CaseLinks } from '../figures/case-link.tsx';
import { Fold } from '../figures/fold.tsx';
import '../figures/parts.css';
import { RunPanels } from '../figures/run-panels.tsx';
import { ShortText } from '../short-text.tsx';
import type { CaseFilter } from '../state.ts';
import { type AuditGroups, auditGroups } from './audit-groups.ts';
import './audit.css';

export function AuditView(props: { readonly head: ReportHead; readonly onCases: (filter: CaseFilter) => void }) {
  return (
    <div class="audit-view stack loose">
      <RunPanels view="audit">{(run) => <RunAudit run={run} onCases={props.onCases} />}</RunPanels>
    </div>
  );
}

function RunAudit(props: { readonly run: RunView; readonly onCases: (filter: CaseFilter) => void }) {
  const { audit } = props.run;
  if (audit === null)
    return (
      <section>
        <h2>No audit</h2>
        <p>
          The run folder has no audit.json, as runs of older versions have none. <code>assay audit RUN</code> looks for
          what would make these numbers misleading; scoring again does so too.
        </p>
      </section>
    );
  return <Audited audit={audit} onCases={props.onCases} />;
}

function Audited(props: { readonly audit: Audit; readonly onCases: (filter: CaseFilter) => void }) {
  const { audit, onCases } = props;
  const groups = auditGroups(audit);
  const { open, accepted } = groups;
  const isQuiet = open.error.length + open.warning.length + open.note.length === 0;
  return (
    <>
      {isQuiet ? <AllWell groups={groups} /> : <p class="audit-lead">{leadWords(audit, groups)}</p>}
      <Findings
        title="Errors"
        about="Each makes a number mean something else."
        findings={open.error}
        onCases={onCases}
      />
      <Findings
        title="Warnings"
        about="Each may make a number mean something else."
        findings={open.warning}
        onCases={onCases}
      />
      <Findings title="Notes" about="Worth knowing." findings={open.note} onCases={onCases} />
      <Findings title="Accepted" about="The recipe lets these stand." findings={accepted} onCases={onCases} />
      <Looked groups={groups} isQuiet={isQuiet} />
    </>
  );
}

function leadWords(audit: Audit, { quiet, found }: AuditGroups): string {
  return `${auditCounts(audit)}: what ${plural(quiet.length + found.length, 'check')} found.`;
}

/** Finding nothing means something only if checks ran: shows how many did, and what they looked for. */
function AllWell(props: { readonly groups: AuditGroups }) {
  const { quiet, found, skipped, accepted } = props.groups;
  const looked = quiet.length + found.length;
  return (
    <section class="notice all-well">
      <h2>{accepted.length === 0 ? 'Nothing found' : 'Nothing open'}</h2>
      <p>
        {looked === 0
          ? 'No check could look at this run, so finding nothing means nothing.'
          : `${plural(looked, 'check')} looked for what makes an evaluation misleading and found nothing${accepted.length === 0 ? '' : ' that the recipe does not let stand'}.`}
        {skipped.length === 0 ? '' : ` ${plural(skipped.length, 'check')} could not look: below is why.`}
      </p>
    </section>
  );
}

function Findings(props: {
  readonly title: string;
  readonly about: string;
  readonly findings: readonly Finding[];
  readonly onCases: (filter: CaseFilter) => void;
}) {
  const id = useId();
  if (props.findings.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        {props.title} <span class="count">{props.findings.length}</span> <span class="hint">{props.about}</span>
      </h2>
      <ul class="findings stack" role="list">
        {props.findings.map((finding, at) => (
          <FindingCard key={`${finding.name} ${at}`} finding={finding} onCases={props.onCases} />
        ))}
      </ul>
    </section>
  );
}

function Looked(props: { readonly groups: AuditGroups; readonly isQuiet: boolean }) {
  const { quiet, found, skipped } = props.groups;
  return (
    <section>
      <h2>What was looked at</h2>
      {skipped.length === 0 ? null : (
        <>
          <h3>Could not look</h3>
          <Checks checks={skipped} />
        </>
      )}
      {found.length === 0 ? null : (
        <>
          <h3>Looked, and found something</h3>
          <Checks checks={found} />
        </>
      )}
      {quiet.length === 0 ? null : (
        <Fold title={`Looked, and found nothing: ${plural(quiet.length, 'check')}`} open={props.isQuiet}>
          <Checks checks={quiet} />
        </Fold>
      )}
    </section>
  );
}

function Checks(props: { readonly checks: readonly CheckRecord[] }) {
  return (
    <dl class="checks stack tight">
      {props.checks.map(({ name, about, skipped }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <ShortText text={about} most={1000} />
            {skipped === null ? null : (
              <span class="skipped">
                <strong>Did not look:</strong> <ShortText text={skipped} most={1000} />
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** More evidence than this is opened on demand. */
const SHOWN_AT_ONCE = 5;

function FindingCard(props: { readonly finding: Finding; readonly onCases: (filter: CaseFilter) => void }) {
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
    ? `Show ${total === 1 ? 'the case' : `the ${plural(total, 'case')}`}`
    : `Show the first ${count(shown.length)} of ${plural(total, 'case')}`;
  return (
    <p class="finding-cases">
      {shown.length === 0 ? (
        `${plural(total, 'case')} behind it.`
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
