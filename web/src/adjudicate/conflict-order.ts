import type { ConflictEntry } from '../../../src/review/api.ts';

/** The open conflict that comes after `id`, from the beginning again at the end; null where none is open. */
export function nextOpen(conflicts: readonly ConflictEntry[], id: string | null): ConflictEntry | null {
  const from = id === null ? 0 : conflicts.findIndex((entry) => entry.id === id) + 1;
  const ahead = [...conflicts.slice(from), ...conflicts.slice(0, from)];
  return ahead.find((entry) => !entry.decided && entry.id !== id) ?? null;
}

/** The neighbour of `id` among those that are listed; it stays where the list ends. */
export function beside(conflicts: readonly ConflictEntry[], id: string | null, step: 1 | -1): string | null {
  const at = conflicts.findIndex((entry) => entry.id === id);
  if (at === -1) return conflicts[0]?.id ?? null;
  return conflicts[Math.min(conflicts.length - 1, Math.max(0, at + step))]?.id ?? null;
}

/** The list as it will be once the server knows of the decisions that are on their way. */
export function withPending(
  conflicts: readonly ConflictEntry[],
  pending: readonly { readonly conflict: string; readonly takenBack: boolean }[],
): ConflictEntry[] {
  const last = new Map(pending.map((sent) => [sent.conflict, !sent.takenBack]));
  return conflicts.map((entry) => ({ ...entry, decided: last.get(entry.id) ?? entry.decided }));
}
