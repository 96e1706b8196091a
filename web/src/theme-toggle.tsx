import { useState } from 'preact/hooks';

import { browserStore, keepWish } from './browser-store.ts';

const KEY = 'assay.theme';
const ORDER = ['system', 'light', 'dark'] as const;
type Theme = (typeof ORDER)[number];
const SHOWN: Readonly<Record<Theme, { readonly sign: string; readonly title: string }>> = {
  system: { sign: '◐', title: 'Colours as the system has them' },
  light: { sign: '☀', title: 'Light colours' },
  dark: { sign: '☾', title: 'Dark colours' },
};

/** Before the first paint, so that nothing flashes. */
export function applyTheme(): void {
  show(chosenTheme());
}

export function ThemeToggle() {
  const [theme, setTheme] = useState(chosenTheme);
  const turn = () => {
    const next = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length] ?? 'system';
    keepWish(KEY, next);
    show(next);
    setTheme(next);
  };
  const { sign, title } = SHOWN[theme];
  return (
    <button type="button" class="quiet icon" aria-label={`${title}; change`} title={title} onClick={turn}>
      <span aria-hidden="true">{sign}</span>
    </button>
  );
}

function chosenTheme(): Theme {
  const kept = browserStore.getItem(KEY);
  return ORDER.find((theme) => theme === kept) ?? 'system';
}

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
