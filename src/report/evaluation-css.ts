/** How the page looks: light and dark as the reader has it, on a telephone and on paper. */
export const PAGE_CSS = `
:root {
  color-scheme: light dark;
  --ink: #1d2327; --quiet: #59636b; --paper: #ffffff; --wash: #f3f5f6; --rule: #cfd6da;
  --accent: #0b5f8a; --good: #14683a; --warn: #8a5a00; --bad: #a3212b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e7ebee; --quiet: #a3adb5; --paper: #14181b; --wash: #1e2428; --rule: #3a444b;
    --accent: #7cc4ec; --good: #74d19b; --warn: #e8b85c; --bad: #f2919a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", "Noto Sans Devanagari", "Nirmala UI", "Kohinoor Devanagari", sans-serif;
}
main, header, nav { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2rem; }
main { padding-bottom: 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 0.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2.75rem 0 0.5rem; padding-top: 0.75rem; border-top: 1px solid var(--rule); overflow-wrap: anywhere; }
p, li { max-width: 46rem; overflow-wrap: anywhere; unicode-bidi: isolate; }
p { margin: 0.5rem 0; }
ul { margin: 0.5rem 0; padding-left: 1.25rem; }
li { margin: 0.2rem 0; }
a { color: var(--accent); }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 1rem 0 0; padding: 0; font-size: 0.9rem; }
.scroll { overflow-x: auto; margin: 1.25rem 0 0.5rem; border: 1px solid var(--rule); border-radius: 6px; }
.scroll:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0.6rem 0.75rem; unicode-bidi: isolate; overflow-wrap: anywhere; }
th, td { padding: 0.4rem 0.75rem; vertical-align: top; text-align: left; border-top: 1px solid var(--rule); unicode-bidi: isolate; min-width: 4.5rem; max-width: 24rem; overflow-wrap: break-word; }
thead th { background: var(--wash); font-weight: 600; vertical-align: bottom; }
tbody th { font-weight: 500; }
.right { text-align: right; white-space: nowrap; }
thead .right { white-space: normal; }
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); } .quiet { color: var(--quiet); }
.bar { display: block; margin: 0.15rem 0 0 auto; color: var(--accent); }
.bar .line { fill: none; stroke: var(--rule); stroke-width: 1.5; }
.notes { font-size: 0.85rem; color: var(--quiet); list-style: none; padding-left: 0; margin-bottom: 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--wash); border: 1px solid var(--rule); border-radius: 6px; padding: 0.75rem; font: 0.8rem/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
@media (max-width: 40rem) {
  main, header, nav { padding-left: 1rem; padding-right: 1rem; }
  h1 { font-size: 1.4rem; }
  h2 { font-size: 1.15rem; }
  th, td { padding: 0.35rem 0.5rem; max-width: 13rem; }
  thead th:first-child, tbody th { position: sticky; left: 0; background: var(--paper); min-width: 8.5rem; max-width: 8.5rem; overflow-wrap: anywhere; border-right: 1px solid var(--rule); }
  thead th:first-child { background: var(--wash); }
}
@media print {
  :root { --ink: #000000; --quiet: #444444; --paper: #ffffff; --wash: #f3f3f3; --rule: #999999; --accent: #000000; --good: #000000; --warn: #000000; --bad: #000000; }
  body { font-size: 10pt; }
  nav { display: none; }
  main, header { max-width: none; padding: 0; }
  .scroll { overflow: visible; border: 0; }
  table { font-size: 8pt; }
  th, td { min-width: 0; max-width: none; padding: 0.15rem 0.3rem; overflow-wrap: anywhere; position: static; }
  .bar { width: 70px; }
  .right { white-space: normal; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
  h2, caption { break-after: avoid; }
}
`;
