import type { Audit } from '../audit/finding.ts';
import { acceptedFindings, openFindings, sentence } from './audit-words.ts';

/** What an audit found among errors and warnings, a sentence each, for pages that say more elsewhere or nowhere. */
export function findingNotices(audit: Audit): string[] {
  const open = openFindings(audit, 'warning').map(
    ({ severity, name, title, todo }) => `${severity} (${name}): ${sentence(title)} ${todo}`,
  );
  const accepted = acceptedFindings(audit)
    .filter(({ severity }) => severity !== 'note')
    .map(
      ({ severity, name, title, accepted: reason }) =>
        `accepted ${severity} (${name}): ${sentence(title)} ${reason ?? ''}`,
    );
  return [...open, ...accepted];
}
