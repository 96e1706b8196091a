import type { Sweep } from '../compare/sweep/sweep.ts';
import { COMPARISON_LOOKS } from './comparison-words.ts';
import { figure, NONE, signedFigure } from '../text/figures.ts';
import { displayWidth } from './display-width.ts';
import { safeText } from './safe-text.ts';
import type { Style } from './style.ts';
import { OWN_MARK } from './sweep-tables.ts';
import { type Cell, type Column, tableLines } from './table.ts';

/** Values over two parameters: the first across, the second down; in blocks where the terminal is too narrow. */
export function gridLines(sweep: Sweep, style: Style): string[][] {
  const { systems, measures, tests } = sweep;
  if (systems.length === 1) {
    const best = systems[0]!.best?.ties ?? [];
    return grid(sweep, measures[0]!.name, style, (point) => {
      const { value } = sweep.points[point]!.systems[0]![0]!;
      return { text: value === null ? NONE : `${best.includes(point) ? '★' : ''}${figure(value)}` };
    });
  }
  return systems.slice(1).flatMap(({ name }, at) =>
    (tests?.measures ?? []).flatMap((measure) =>
      grid(sweep, `${measure}: ${name} minus ${systems[0]!.name}`, style, (point) => {
        const one = sweep.points[point]!.differences.find((row) => row.system === at + 1 && row.name === measure);
        const look = COMPARISON_LOOKS[one?.verdict ?? 'too little data'];
        return { text: `${signedFigure(one?.difference ?? null)}${look.symbol}`, tone: look.tone };
      }),
    ),
  );
}

type PointCell = (point: number) => Exclude<Cell, string | readonly unknown[]> & { readonly text: string };

function grid(sweep: Sweep, title: string, style: Style, cell: PointCell): string[][] {
  const [across, down] = [sweep.axes[0]!, sweep.axes[1]!];
  const names = down.texts.map((text, row) => `${down.own?.at === row ? OWN_MARK : ' '} ${text}`);
  const texts = across.texts.map((text, at) => `${across.own?.at === at ? OWN_MARK : ''}${text}`);
  const cells = down.texts.map((_, row) => across.texts.map((__, at) => cell(row * across.texts.length + at)));
  const wide = Math.max(
    ...texts.map((text) => displayWidth(safeText(text))),
    ...cells.flat().map(({ text }) => displayWidth(text)),
  );
  const lead = Math.max(displayWidth(`  ${down.path}`), ...names.map((text) => displayWidth(safeText(text))));
  const fit = Math.max(1, Math.floor((style.width - Math.min(lead, style.width / 2)) / (wide + 2)));
  const blocks: string[][] = [];
  for (let from = 0; from < texts.length; from += fit) {
    const columns: Column[] = [
      { title: `  ${down.path}`, shrinks: true },
      ...texts.slice(from, from + fit).map((text) => ({ title: text, align: 'right' as const })),
    ];
    const rows = cells.map((row, at): Cell[] => [names[at]!, ...row.slice(from, from + fit)]);
    const head = from === 0 ? `${title}; ${across.path} across` : `${across.path}, continued`;
    blocks.push([style.paint(head, 'strong'), ...tableLines(columns, rows, style)]);
  }
  return blocks;
}
