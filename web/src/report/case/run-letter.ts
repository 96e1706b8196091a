/** What a run is called where there is no room for its name. */
export function runLetter(run: number): string {
  return run < 26 ? String.fromCharCode(65 + run) : String(run + 1);
}
