import { MARKS } from '../../../../src/report/document.ts';
import type { Severity } from '../../../../src/audit/finding.ts';

const WORDS: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning', note: 'Note' };

/** How bad a finding is: by a word, by a sign and by the form around it, and only then by a colour. */
export function SeverityMark(props: { readonly severity: Severity; readonly accepted?: boolean }) {
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
