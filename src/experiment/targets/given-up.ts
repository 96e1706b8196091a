import { TargetError } from './target.ts';

/** Why a signal ended a call: the time of the item was over, or nobody wants the answer any more. */
export function givenUp({ reason }: AbortSignal): TargetError {
  if (reason instanceof TargetError) return reason;
  return reason instanceof Error && reason.name === 'TimeoutError'
    ? new TargetError({ kind: 'timeout', message: 'no answer within the time of an item' })
    : new TargetError({ kind: 'aborted', message: 'the call was given up' });
}
