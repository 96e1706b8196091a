/**
 * How a document looks as a page: the tokens, type and tables of report.html (web/src/theme.css, web/src/report/report.css),
 * light or dark as the reader's system is, on a telephone and on paper.
 */
export const DOCUMENT_CSS = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f5f1, #14171a);
  --surface: light-dark(#ffffff, #1c2024);
  --sunken: light-dark(#efede7, #171a1e);
  --ink: light-dark(#20242a, #e8e6e1);
  --muted: light-dark(#575e69, #a9afb8);
  --line: light-dark(#dedbd3, #343a41);
  --line-strong: light-dark(#8a8f97, #767e88);
  --accent: light-dark(#17625e, #7fcbc3);
  --warn: light-dark(#8a4b00, #f0b96b);
  --fault: light-dark(#a3262a, #f3a09c);
  --v-hit: light-dark(#0c6e5f, #63cdbb);
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Open Sans', 'Noto Sans Devanagari', 'Nirmala UI', 'Kohinoor Devanagari', sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Consolas, 'DejaVu Sans Mono', monospace;
  --round: 8px;
}
*, *::before, *::after { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); font: 16px/1.5 var(--sans); -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body, h1, h2, h3, p, ul, dl, dd { margin: 0; padding: 0; }
h1, h2, h3 { font-weight: 600; line-height: 1.3; overflow-wrap: anywhere; }
h1 { font-size: 1.0625rem; }
h2, summary { font-size: 1.1875rem; }
h3, caption { font-size: 1rem; }
p, li, dd, dt { max-width: 46rem; overflow-wrap: anywhere; unicode-bidi: isolate; }
ul { display: grid; gap: 0.25rem; padding-left: 1.25rem; }
a { color: var(--accent); text-underline-offset: 0.2em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
header { padding: 0.75rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--surface); }
header p { color: var(--muted); font-size: 0.875rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.125rem 1rem; padding: 0.5rem 0 0; font-size: 0.875rem; list-style: none; }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 2.25rem; max-width: 80rem; padding: 1.5rem 1.5rem 4rem; }
section, details[open] { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.75rem; }
section.inner { margin-top: -1rem; }
summary { font-weight: 600; cursor: pointer; }
ul.marks { padding-left: 0; list-style: none; }
ul.marks > li { padding-left: 1.5em; text-indent: -1.5em; }
.mark { display: inline-block; min-width: 1.5em; font-weight: 600; text-indent: 0; }
.table-scroll { position: relative; overflow-x: auto; border: 1px solid var(--line); border-radius: var(--round); background: var(--surface); }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
caption { padding: 0.5rem 0.75rem; font-weight: 600; text-align: start; overflow-wrap: anywhere; unicode-bidi: isolate; }
th, td { padding: 0.3125rem 0.75rem; border-top: 1px solid var(--line); font-weight: 400; text-align: start; vertical-align: top; overflow-wrap: break-word; unicode-bidi: isolate; }
table:not(:has(caption)) thead th { border-top: 0; }
thead th { color: var(--muted); font-size: 0.8125rem; vertical-align: bottom; }
tbody th, tbody td { min-width: 4.5rem; max-width: 22rem; }
tbody td:not(.number) { min-width: 6.5rem; }
tbody tr:hover { background: color-mix(in srgb, var(--sunken) 60%, var(--surface)); }
.group th { font-weight: 600; }
.number { text-align: end; }
tbody .number { white-space: nowrap; }
.strong { font-weight: 600; } .quiet { color: var(--muted); } .good { color: var(--v-hit); } .warn { color: var(--warn); } .bad { color: var(--fault); }
.bar { display: block; margin: 0.125rem 0 0 auto; color: var(--accent); }
.bar .line { stroke: var(--line-strong); opacity: 0.6; }
.bar .aim { opacity: 0.5; }
.bar .point { stroke: none; }
.remarks { padding-left: 0; color: var(--muted); font-size: 0.875rem; list-style: none; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1rem; }
dt { color: var(--muted); }
code { font: 0.875em var(--mono); }
pre { margin: 0; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: var(--round); background: var(--surface); font: 0.8125rem/1.6 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; }
@media (width < 46rem) {
  header { padding-inline: 1rem; }
  main { padding: 1.25rem 1rem 3rem; }
  th, td { padding-inline: 0.5rem; }
  tbody th, tbody td { max-width: 11rem; }
  thead th:first-child, tbody th[scope='row'] { position: sticky; left: 0; min-width: 8.5rem; max-width: 8.5rem; border-right: 1px solid var(--line); background: var(--surface); overflow-wrap: anywhere; }
}
@page { margin: 14mm; }
@media print {
  :root { --ground: #fff; --surface: #fff; --sunken: #fff; color-scheme: light; print-color-adjust: exact; }
  html { font-size: 10pt; }
  nav { display: none; }
  header { padding-inline: 0; }
  main, section { display: block; max-width: none; padding: 0; }
  main > * + * { margin-top: 1.25rem; }
  section > * + * { margin-top: 0.5rem; }
  .table-scroll { overflow: visible; border: 0; }
  table { font-size: 8pt; }
  tbody th, tbody td, thead th { position: static; min-width: 0; max-width: none; padding: 0.15rem 0.3rem; overflow-wrap: anywhere; }
  tbody .number { white-space: normal; }
  .bar { width: 70px; }
  tr { break-inside: avoid; }
  thead { display: table-header-group; }
  h2, h3, caption { break-after: avoid; }
  details::details-content { display: block; content-visibility: visible; height: auto; }
}
`;
