import { useEffect, useLayoutEffect } from 'preact/hooks';

const KEY = 'assay.home.scroll';

/** Restores the scroll position on return: the browser cannot, since the list loads later than the page. */
export function useKeptScroll(ready: boolean): void {
  useEffect(() => {
    history.scrollRestoration = 'manual';
    const note = () => keep(`${location.hash} ${scrollY}`);
    addEventListener('pagehide', note);
    return () => removeEventListener('pagehide', note);
  }, []);
  useLayoutEffect(() => {
    if (!ready) return;
    const [hash, top] = kept().split(' ');
    if (hash === location.hash && Number(top) > 0) scrollTo(0, Number(top));
  }, [ready]);
}

function keep(text: string): void {
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // A browser that keeps nothing begins at the top.
  }
}

function kept(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}
