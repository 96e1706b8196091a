import { plural } from '../../../../src/text/figures.ts';
import type { RunView } from '../../../../src/report/html/report-data.ts';
import type { Finding, Severity } from '../../../../src/audit/finding.ts';
import { ShortText } from '../short-text.tsx';
import { acceptedFindings, openFindings } from '../open-findings.ts';
import { linkTo, useReport } from '../report-context.ts';

const SHOWN = 5;

export function BeforeReading() {
  const { head } = useReport();
  const several = head.runs.length > 1;
  const told = head.runs.filter(
    ({ notices, audit }) => notices.length > 0 || openFindings(audit).length > 0 || acceptedFindings(audit).length > 0,
  );
  const compared = head.comparison?.notices ?? [];
  if (told.length === 0 && compared.length === 0) return null;
  return (
    <section class="before">
      <h2>Before you read the numbers</h2>
      <div class="before-lists stack">
        {compared.length === 0 ? null : (
          <ul role="list">
            {compared.map((notice) => (
              <Notice key={notice} text={notice} />
            ))}
          </ul>
        )}
        {told.map((run) => (
          <div key={run.name}>
            {several ? <ShortText in="h3" text={run.name} /> : null}
            <RunNotices run={run} />
          </div>
        ))}
      </div>
    </section>
  );
}

function RunNotices(props: { readonly run: RunView }) {
  const { state } = useReport();
  const findings = openFindings(props.run.audit);
  const link = linkTo(state, { view: 'audit' });
  return (
    <ul role="list">
      {findings.slice(0, SHOWN).map(({ name, severity, title }, at) => (
        <li key={`${name} ${at}`} class={severity}>
          <SeveritySign severity={severity} />
          <a href={link} title="What the audit found">
            <ShortText text={title} most={1000} />
          </a>
        </li>
      ))}
      {findings.length > SHOWN ? (
        <li class="warning">
          <span />
          <a href={link}>{findings.length - SHOWN} more findings of the audit</a>
        </li>
      ) : null}
      {props.run.notices.map((notice) => (
        <Notice key={notice} text={notice} />
      ))}
      <Accepted findings={acceptedFindings(props.run.audit)} link={link} />
    </ul>
  );
}

function Accepted(props: { readonly findings: readonly Finding[]; readonly link: string }) {
  const { findings } = props;
  if (findings.length === 0) return null;
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const what = [
    ...(errors > 0 ? [plural(errors, 'error')] : []),
    ...(findings.length > errors ? [plural(findings.length - errors, 'warning')] : []),
  ].join(' and ');
  return (
    <li class="note hint">
      <SeveritySign severity="note" />
      <span>
        <a href={props.link}>{what}</a> accepted in the recipe:{' '}
        <ShortText text={findings.map(({ name, accepted }) => `${name}, ${accepted ?? ''}`).join('; ')} most={400} />
      </span>
    </li>
  );
}

function Notice(props: { readonly text: string }) {
  return (
    <li class="note">
      <SeveritySign severity="note" />
      <ShortText text={props.text} most={1000} />
    </li>
  );
}

function SeveritySign(props: { readonly severity: Severity }) {
  return (
    <span class="severity">
      <span aria-hidden="true">{SIGNS[props.severity]}</span>
      <span class="unseen">{props.severity}: </span>
    </span>
  );
}

const SIGNS: Readonly<Record<Severity, string>> = { error: '✕', warning: '!', note: '·' };
