/** A date and a time as the reader's own clock has them, without seconds. */
export function timeText(time: number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
