import '../figures/parts.css';
import './audit.css';

import { useId } from 'preact/hooks';

import { auditCounts } from '../../../../src/report/audit-words.ts';
import { counted } from '../../../../src/text/figures.ts';
import type { ReportHead, RunView } from '../../../../src/report/html/report-data.ts';
import type { Audit, CheckRecord, Finding } from '../../../../src/audit/finding.ts';
import { ShortText } from '../short-text.tsx';
import { Fold } from '../figures/fold.tsx';
import { RunPanels } from '../figures/run-panels.tsx';
import type { CaseFilter } from '../state.ts';
import { type AuditGroups, auditGroups } from './audit-groups.ts';
import { FindingCard } from './finding-card.tsx';

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
  return `${auditCounts(audit)}: what ${counted(quiet.length + found.length, 'check')} found.`;
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
          : `${counted(looked, 'check')} looked for what makes an evaluation misleading and found nothing${accepted.length === 0 ? '' : ' that the recipe does not let stand'}.`}
        {skipped.length === 0 ? '' : ` ${counted(skipped.length, 'check')} could not look: below is why.`}
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
        <Fold title={`Looked, and found nothing: ${counted(quiet.length, 'check')}`} open={props.isQuiet}>
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
