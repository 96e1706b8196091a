/**
 * Damerau's distance in the form of optimal string alignment: as Levenshtein's, but swapping two neighbours costs one.
 * Always defined; 0 means equal. In code points. For short names: it fills the whole table.
 *
 * Damerau, F. J. (1964), A technique for computer detection and correction of spelling errors.
 *
 * @example damerau('recall', 'reacll') // 1
 */
export function damerau(a: string, b: string): number {
  const x = [...a];
  const y = [...b];
  let beforeLast: number[] = [];
  let last = Array.from({ length: y.length + 1 }, (_, j) => j);
  for (let i = 1; i <= x.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= y.length; j += 1) {
      const replace = (last[j - 1] ?? 0) + (x[i - 1] === y[j - 1] ? 0 : 1);
      let best = Math.min(replace, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && x[i - 1] === y[j - 2] && x[i - 2] === y[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[y.length] ?? 0;
}
