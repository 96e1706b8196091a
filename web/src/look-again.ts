/** Looks again and again, until it is ended. */
export interface LookingAgain {
  /** Whether it was ended while something was still being asked. */
  readonly gone: boolean;
  end(): void;
}

/**
 * Calls `look` every so often while the page is looked at and when somebody comes back to it, never twice at once. The
 * first time is after `everyMs`, unless `atOnce`.
 */
export function lookAgain(
  everyMs: number,
  look: (looking: LookingAgain) => Promise<void>,
  atOnce = false,
): LookingAgain {
  let [gone, asking] = [false, false];
  const looking: LookingAgain = {
    get gone() {
      return gone;
    },
    end() {
      gone = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    },
  };
  const ask = async (): Promise<void> => {
    if (asking || gone || document.visibilityState === 'hidden') return;
    asking = true;
    try {
      await look(looking);
    } finally {
      asking = false;
    }
  };
  const again = (): void => void ask();
  const timer = setInterval(again, everyMs);
  document.addEventListener('visibilitychange', again);
  if (atOnce) again();
  return looking;
}
