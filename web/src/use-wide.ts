import { useEffect, useState } from 'preact/hooks';

import { listen } from './listen.ts';

const WIDE = '(min-width: 1180px)';

/** Whether there is room for a list beside everything else: it changes when a window is made smaller or a tablet is turned. */
export function useWide(): boolean {
  const [wide, setWide] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    return listen(query, { change: () => setWide(query.matches) });
  }, []);
  return wide;
}
