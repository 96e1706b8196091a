import type { z } from 'zod';

import { describe, isRecord } from '../../plugin.ts';
import { schemaProblems } from '../../recipe.ts';
import type { FileCheck, FileFindings } from './findings.ts';
import type { RecordCheck } from './record-file.ts';

/** Looks at the records of one file in turn, holding only what it needs to judge the next. */
interface Watcher<T> {
  see?(record: T, line: number): void;
  /** A record could not be read here, which has been reported. */
  lost?(): void;
  /** After the last record; `sure` is false when records were lost, so that counts mean nothing. */
  end?(sure: boolean): void;
}

/** Something that holds in every good file of a kind. */
export type Invariant<T, C> = (findings: FileFindings, context: C) => Watcher<T>;

/** Checks each record of a file against the schema, and those that fit it against all invariants. */
export function checkRecords<T, C>(
  { schema, types }: { readonly schema: z.ZodType<T>; readonly types?: readonly string[] },
  invariants: readonly Invariant<T, C>[],
  findings: FileFindings,
  context: C,
): RecordCheck & { end(): void } {
  const watchers = invariants.map((invariant) => invariant(findings, context));
  let sure = true;
  const lost = (): void => {
    sure = false;
    for (const watcher of watchers) watcher.lost?.();
  };
  return {
    see(value, line) {
      const { record, faults } = schemaFaults(schema, value, types);
      if (faults !== null) {
        for (const { message } of faults) findings.add(line, 'schema', message);
        lost();
      } else for (const watcher of watchers) watcher.see?.(record, line);
    },
    lost,
    end() {
      for (const watcher of watchers) watcher.end?.(sure);
    },
  };
}

/** More faults than this of one record are of no use to a reader. */
const MOST_FAULTS = 10;

/** A fault of one field, with where in the record that is. */
interface RecordFault {
  readonly path: readonly string[];
  readonly message: string;
}

/** Either the value as a schema describes it, or what is wrong with it, field by field. `types`: what record_type may be. */
export function schemaFaults<T>(
  schema: z.ZodType<T>,
  value: unknown,
  types?: readonly string[],
): { readonly record: T; readonly faults: null } | { readonly record: null; readonly faults: readonly RecordFault[] } {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { record: parsed.data, faults: null };
  const type = isRecord(value) ? value['record_type'] : null;
  const isOther = types !== undefined && (typeof type !== 'string' || !types.includes(type));
  const faults = !isRecord(value)
    ? [{ path: [], message: `expected a JSON object, found ${describe(value)}` }]
    : isOther
      ? [{ path: ['record_type'], message: `expected one of ${types.join(', ')}, found ${describe(type)}` }]
      : schemaProblems(schema, value, { issues: parsed.error.issues.slice(0, MOST_FAULTS) }, []);
  const named = faults.map(({ path, message }) => ({
    path,
    message: [path.join('.'), message].filter(Boolean).join(': '),
  }));
  return { record: null, faults: named };
}

interface RecordOrder {
  /** The type that a file begins with. */
  readonly first?: string;
  /** Types in their order. */
  readonly order?: readonly string[];
  /** Types of which a file has at most one record. */
  readonly single: readonly string[];
  /** Whether it must have these. */
  readonly needed?: boolean;
}

/** Whether records are in the order of their types, and those that occur once do so. */
export function inOrder<T extends { readonly record_type: string }>({
  first,
  order = [],
  single,
  needed = false,
}: RecordOrder): Invariant<T, unknown> {
  return (findings) => {
    const lines = new Map<string, number>();
    let latest: string | null = null;
    let isFirst = true;
    return {
      see({ record_type: type }, line) {
        const before = lines.get(type);
        if (first !== undefined && isFirst && type !== first)
          findings.add(line, 'order', `found ${type} as the first record, expected ${first}`);
        if (before !== undefined && single.includes(type))
          findings.add(line, 'order', `a second ${type}, expected one, which is record ${before}`);
        else if (latest !== null && order.indexOf(type) < order.indexOf(latest))
          findings.add(line, 'order', `found ${type} after ${latest}, expected the order ${order.join(', ')}`);
        if (before === undefined) lines.set(type, line);
        latest = type;
        isFirst = false;
      },
      lost: () => void (isFirst = false),
      end(sure) {
        if (needed && sure)
          for (const type of single)
            if (!lines.has(type)) findings.add(null, 'order', `found no record ${type}, expected one`);
      },
    };
  };
}

/**
 * Whether a field has one value in all records. A value that differs is reported once, not again for each record that
 * agrees with it: if the first record is wrong, all the others would be.
 */
export function isSame<T>(check: FileCheck, field: keyof T & string): Invariant<T, unknown> {
  return (findings) => {
    let first: { readonly value: unknown; readonly line: number } | null = null;
    let reported: unknown = null;
    return {
      see(record, line) {
        const value = record[field];
        if (value === undefined) return;
        first ??= { value, line };
        if (value === first.value || value === reported) return;
        reported = value;
        findings.compare(line, check, field, value, first.value, ` as in record ${first.line}`);
      },
    };
  };
}
