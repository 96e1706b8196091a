import type { WrittenCase } from '../format.ts';
import { casStructures, type FeatureStructure, TOKEN } from './cas.ts';

/** What cells of WebAnno TSV hold, and how a case is written in them. */

/** A cell cut at the signs that are not escaped. */
export function splitCell(cell: string, sign: string): string[] {
  const out = [''];
  for (let at = 0; at < cell.length; at += 1) {
    const character = cell[at]!;
    if (character === sign) out.push('');
    else out[out.length - 1] += character === '\\' ? character + (cell[(at += 1)] ?? '') : character;
  }
  return out;
}

/** What a cell has: `_` nothing, `*` an annotation without a value, others a value and perhaps the number of its span. */
export function cellValues(cell: string): { value: string | null; number: string | undefined }[] {
  if (cell === '_' || cell === '') return [];
  return splitCell(cell, '|').map((one) => {
    const [, before = '', number] = /^(.*)\[(\d+)\]$/s.exec(one) ?? [];
    // A bracket that is escaped is part of the value.
    const isNumbered = number !== undefined && (/\\*$/.exec(before)?.[0].length ?? 0) % 2 === 0;
    const value = isNumbered ? before : one;
    return {
      value: value === '*' || value === '_' ? null : unescapeTsv(value),
      number: isNumbered ? number : undefined,
    };
  });
}

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

export function unescapeTsv(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, sign: string) => ESCAPED.get(sign) ?? sign);
}

function escapeTsv(text: string): string {
  return escapeText(text.replaceAll(/[\\[\]|_;*]|->/g, (sign) => `\\${sign}`)).replaceAll('\n', '\\n');
}

function escapeText(text: string): string {
  return text.replaceAll('\r', '\\r').replaceAll('\t', '\\t');
}

type Value = FeatureStructure['values'][string] | undefined;
type Structure = Omit<FeatureStructure, 'line'>;

/** A line: a token, or a part of one that some span begins or ends in. */
interface Unit {
  readonly name: string;
  readonly begin: number;
  readonly end: number;
}

interface WrittenMark extends Structure {
  readonly number: number;
  readonly units: readonly Unit[];
}

/** All tokens as one sentence; spans that begin or end between tokens have no place in it. */
export function webannoText(given: WrittenCase): string {
  const all = casStructures(given);
  const text = given.text ?? '';
  const isRelation = ({ refs }: Structure): boolean => 'Governor' in refs;
  const { units, marks } = placedMarks(
    all.filter(({ type }) => type === TOKEN),
    all.filter((one) => one.type !== TOKEN && one.begin !== null && !isRelation(one)),
  );
  const byId = new Map<string, Structure>(all.map((one) => [one.id, one]));
  const markOf = new Map(marks.map((mark) => [mark.id, mark]));
  const layers = [...Map.groupBy(marks, ({ type }) => type)].map(([type, own]) => spanLayer(type, own, byId, markOf));
  const joins = all.filter(isRelation).flatMap((one) => {
    const [source, target] = [
      markOf.get(one.refs['Governor']?.[0] ?? ''),
      markOf.get(one.refs['Dependent']?.[0] ?? ''),
    ];
    return source === undefined || target === undefined ? [] : [{ ...one, source, target }];
  });
  const relations = [...Map.groupBy(joins, ({ type, target }) => JSON.stringify([type, target.type]))].map(([, own]) =>
    relationLayer(own),
  );
  const first = units[0]?.begin ?? 0;
  return [
    '#FORMAT=WebAnno TSV 3.3',
    ...layers.map(({ header }) => `#T_SP=${header}`),
    ...relations.map(({ header }) => `#T_RL=${header}`),
    '',
    '',
    // A sentence begins with its first token.
    ...text
      .slice(first)
      .split('\n')
      .map((line) => `#Text=${escapeText(line.replaceAll('\\', '\\\\'))}`),
    ...units.map((unit) =>
      [
        unit.name,
        `${unit.begin}-${unit.end}`,
        escapeTsv(text.slice(unit.begin, unit.end)),
        ...layers.flatMap(({ cells }) => cells(unit)),
        ...relations.flatMap(({ cells }) => cells(unit)),
        '',
      ].join('\t'),
    ),
    '',
  ].join('\n');
}

/** The lines of a document, and the annotations with those that they are on. */
function placedMarks(
  tokens: readonly Structure[],
  spans: readonly Structure[],
): { units: Unit[]; marks: WrittenMark[] } {
  const [starts, ends] = [tokens.map(({ begin }) => begin ?? 0), tokens.map(({ end }) => end ?? 0)];
  const parts = new Map<number, Unit[]>();
  const unitAt = (at: number, begin: number, end: number): Unit => {
    const own = parts.get(at) ?? [{ name: `1-${at + 1}`, begin: starts[at]!, end: ends[at]! }];
    parts.set(at, own);
    const known = own.find((unit) => unit.begin === begin && unit.end === end);
    if (known !== undefined) return known;
    const part = { name: `1-${at + 1}.${own.length}`, begin, end };
    own.push(part);
    return part;
  };
  const marks: WrittenMark[] = [];
  for (const span of spans) {
    const [begin, end] = [span.begin ?? 0, span.end ?? 0];
    const first = lastUpTo(starts, begin);
    const last = lastUpTo(starts, end - 1);
    if (first < 0 || begin >= ends[first]! || end > ends[last]!) continue;
    const units = Array.from({ length: last - first + 1 }, (_, step) => {
      const at = first + step;
      return unitAt(at, Math.max(begin, starts[at]!), Math.min(end, ends[at]!));
    });
    marks.push({ ...span, number: marks.length + 1, units });
  }
  const units = tokens.flatMap((_, at) => parts.get(at) ?? [unitAt(at, starts[at]!, ends[at]!)]);
  return { units, marks };
}

/** The place of the last number that is not greater; -1 if all are. */
function lastUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

interface WrittenLayer {
  readonly header: string;
  readonly cells: (unit: Unit) => string[];
}

function spanLayer(
  type: string,
  own: readonly WrittenMark[],
  byId: ReadonlyMap<string, Structure>,
  markOf: ReadonlyMap<string, WrittenMark>,
): WrittenLayer {
  const features = namesIn(own.map(({ values }) => values));
  const links = (mark: WrittenMark, slot: string): { role: Value; link: string; target: WrittenMark }[] =>
    (mark.refs[slot] ?? []).flatMap((id) => {
      const link = byId.get(id);
      const target = markOf.get(link?.refs['target']?.[0] ?? '');
      return link === undefined || target === undefined ? [] : [{ role: link.values['role'], link: link.type, target }];
    });
  const slots = namesIn(own.map(({ refs }) => refs)).filter((slot) => own.some((mark) => links(mark, slot).length > 0));
  const declared = slots.map((slot) => {
    const [first] = own.flatMap((mark) => links(mark, slot));
    return `ROLE_${type}:${slot}_${first!.link}|uima.tcas.Annotation`;
  });
  const byUnit = new Map<Unit, WrittenMark[]>();
  for (const mark of own) for (const unit of mark.units) byUnit.set(unit, [...(byUnit.get(unit) ?? []), mark]);
  return {
    header: [type, ...features, ...declared].join('|'),
    cells(unit) {
      const here = byUnit.get(unit) ?? [];
      const isFirst = (mark: WrittenMark): boolean => mark.units[0] === unit;
      return [
        ...(features.length === 0 && slots.length === 0 ? [''] : features).map((name) =>
          cellText(here.map(({ values, number }) => `${valueText(values[name])}[${number}]`)),
        ),
        ...slots.flatMap((slot) => {
          const filled = here.map((mark) => ({ mark, own: isFirst(mark) ? links(mark, slot) : [] }));
          return [
            cellText(
              filled.map(
                ({ mark, own: some }) => `${some.map(({ role }) => valueText(role)).join(';') || '*'}[${mark.number}]`,
              ),
            ),
            cellText(
              filled.map(
                ({ own: some }) =>
                  some.map(({ target }) => `${target.units[0]!.name}[${target.number}]`).join(';') || '*',
              ),
            ),
          ];
        }),
      ];
    },
  };
}

function relationLayer(own: readonly (Structure & { source: WrittenMark; target: WrittenMark })[]): WrittenLayer {
  const { type, target } = own[0]!;
  const features = namesIn(own.map(({ values }) => values));
  const byUnit = Map.groupBy(own, (one) => one.target.units[0]!);
  return {
    header: [type, ...features, `BT_${target.type}`].join('|'),
    cells(unit) {
      const here = byUnit.get(unit) ?? [];
      return [
        ...features.map((name) => cellText(here.map(({ values }) => valueText(values[name])))),
        cellText(here.map((one) => `${one.source.units[0]!.name}[${one.source.number}_${one.target.number}]`)),
      ];
    },
  };
}

function namesIn(records: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(records.flatMap(Object.keys))];
}

function cellText(parts: readonly string[]): string {
  return parts.length === 0 ? '_' : parts.join('|');
}

function valueText(value: Value): string {
  return value === undefined ? '*' : escapeTsv(String(value));
}
