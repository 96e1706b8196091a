/**
 * Why a text is not there, as a sentence. Reasons come as parts of one; those of older reports begin as it does.
 *
 * @example notShown('journals.jsonl is gone') // 'Not shown: journals.jsonl is gone.'
 */
export function notShown(reason: string | null): string {
  const why = (reason ?? '')
    .replace(/^(?:not shown|the text is not shown|the texts? (?:of the case )?(?:is|are) not shown)\s*:\s*/i, '')
    .replace(/[.\s]+$/, '');
  return `Not shown: ${why === '' ? 'the report does not hold it' : why}.`;
}
