import { useEffect, useState } from 'preact/hooks';

const STEP_MS = 30_000;

/** The time, in steps that words such as "5 min ago" need. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
