import { plural } from '../text/figures.ts';
import type { Case } from './case.ts';
import type { ReadOptions, Row } from './format.ts';
import { classificationProblem } from './formats/categories.ts';
import { joinCase, type JoinSettings } from './join-case.ts';
import { reportFits, sideFits } from './offset-fits.ts';
import { Problems } from './problems.ts';
import type { RowReader } from './read-rows.ts';
import { describe } from './record-fields.ts';
import { isSpanCase } from './span-case.ts';

export interface JoinFiles extends JoinSettings {
  /** The file that defines which cases there are. */
  readonly driver: RowReader;
  readonly options: ReadOptions;
  /** Separate files for a side; null if the driver holds it. */
  readonly gold: RowReader | null;
  readonly predictions: RowReader | null;
  /** Faulty cases come too, and nothing is thrown: the problems are looked at by the caller. */
  readonly isCheck?: boolean;
  /** The driver is a part of a file. */
  readonly isPart?: boolean;
  /** Rows of the driver to take. */
  readonly isWanted?: (row: Row) => boolean;
  /** Told at the end which sides any case has. */
  readonly onSides?: (sides: Sides) => void;
}

/** Whether there is gold, and whether there are predictions. */
export type Sides = Readonly<Record<'gold' | 'predicted', boolean>>;

/** The cases in the driver's order, then what is left over in the other files. */
export async function* joinFiles(files: JoinFiles): AsyncGenerator<Case> {
  const { driver, problems, options, notices, names } = files;
  const goldRows = files.gold === null ? null : new RowsById(files.gold, driver);
  const predictedRows = files.predictions === null ? null : new RowsById(files.predictions, driver);
  const gaps = new Gaps(files);
  const fits = sideFits();
  const settings = { ...files, fits };
  let hasItems = false;
  try {
    for await (const batch of driver.rows()) {
      for (const row of batch) {
        if (files.isWanted?.(row) === false) continue;
        const goldRow = goldRows === null ? row : await goldRows.take(row.id);
        const predictedRow = predictedRows === null ? row : await predictedRows.take(row.id);
        gaps.note(row, goldRow, predictedRow);
        // A side that no case has is missing as a whole, which is reported at the end.
        if (options.missingGold === 'leave-out' && !isSpanCase(row) && !isAnnotated(goldRow)) {
          notices.casesLeftOut = (notices.casesLeftOut ?? 0) + 1;
          continue;
        }
        hasItems ||= isSpanCase(row) || (goldRow?.gold?.length ?? 0) > 0 || (predictedRow?.predicted?.length ?? 0) > 0;
        const made = joinCase(row, goldRow, predictedRow, settings);
        if (files.isCheck === true || problems.count === 0) yield made;
      }
    }
    if (driver.isBroken()) {
      // Which cases there are is not known, so none of the other files' is an unknown one.
      await goldRows?.drain();
      await predictedRows?.drain();
    }
    const restOfGold = (await goldRows?.leftOver()) ?? [];
    const restOfPredictions = (await predictedRows?.leftOver()) ?? [];
    const isOneByOne = gaps.countedAlike(goldRows, names.gold) && gaps.countedAlike(predictedRows, names.predictions);
    for (const rest of isOneByOne ? restOfGold : []) gaps.unknownCase(rest, 'gold');
    for (const rest of isOneByOne ? restOfPredictions : []) {
      if (options.unknownCase === 'error') gaps.unknownCase(rest, 'predictions');
      else {
        notices.unknownCasesAsSpurious += 1;
        const made = joinCase(rest, null, rest, settings);
        if (files.isCheck === true || problems.count === 0) yield made;
      }
    }
    files.onSides?.(gaps.sides);
    const { itemsLeftOut = 0, categoriesNotRead = 0 } = notices;
    if (!hasItems && itemsLeftOut > 0 && files.isPart !== true && options.kinds !== undefined)
      problems.add({
        file: names.gold,
        line: null,
        message: `nothing that this recipe scores, but ${itemsLeftOut} other annotations, such as relations`,
        next: 'choose a preset for them: assay presets',
      });
    else if (!hasItems && categoriesNotRead > 0 && files.isPart !== true)
      problems.add(classificationProblem(`the files hold ${categoriesNotRead}`, names.gold, null));
    reportFits(fits, options, problems);
    gaps.report();
    if (files.isCheck !== true) problems.throwIfAny();
  } finally {
    await goldRows?.close();
    await predictedRows?.close();
  }
}

/** What one file has and another lacks. */
class Gaps {
  readonly #files: JoinFiles;
  readonly #withoutGold = new Problems();
  readonly #withoutPrediction = new Problems();
  #anyGold: boolean;
  #anyPredicted: boolean;
  /** The driver's ids, trimmed and in lower case. */
  #folded: Map<string, string> | null = null;

  constructor(files: JoinFiles) {
    this.#files = files;
    this.#anyGold = files.gold !== null;
    this.#anyPredicted = files.predictions !== null;
  }

  get sides(): Sides {
    return { gold: this.#anyGold, predicted: this.#anyPredicted };
  }

  note(row: Row, goldRow: Row | null, predictedRow: Row | null): void {
    const { names } = this.#files;
    if (goldRow === row && predictedRow === row && isSpanCase(row)) {
      this.#anyGold = this.#anyPredicted = true;
      return;
    }
    if ((goldRow?.gold ?? null) !== null) this.#anyGold = true;
    else if (!isAnnotated(goldRow))
      this.#withoutGold.add({
        file: goldRow?.file ?? names.gold,
        line: goldRow?.line ?? null,
        message: `no gold for ${describe(row.id)}`,
        next: 'leave such cases out: --set data.missingGold=leave-out; or count them as empty: --set data.missingGold=empty',
      });
    if ((predictedRow?.predicted ?? null) !== null || (predictedRow?.failed ?? null) !== null)
      this.#anyPredicted = true;
    else
      this.#withoutPrediction.add({
        file: predictedRow?.file ?? names.predictions,
        line: predictedRow?.line ?? null,
        message: `no prediction for ${describe(row.id)}`,
        next: 'or count it as empty: --set data.missingPrediction=empty',
      });
  }

  unknownCase(row: Row, what: 'gold' | 'predictions'): void {
    const { names, problems } = this.#files;
    const near = this.#nearId(row.id);
    const usual =
      what === 'gold'
        ? 'add the case or remove the gold'
        : 'or count them as spurious: --set data.unknownCase=spurious';
    problems.add({
      file: row.file ?? names[what],
      line: row.line,
      message: `${what} for ${describe(row.id)}, which is not in ${names.driver}`,
      next: near === null ? usual : `did you mean ${describe(near)}?`,
    });
  }

  /** Records without ids are matched by their order, so there have to be as many as cases. */
  countedAlike(rows: RowsById | null, file: string): boolean {
    const { driver, problems, notices } = this.#files;
    if (rows?.isNumbered !== true || rows.isBroken || driver.isBroken()) return true;
    const [cases, records] = [driver.ids().size, rows.count];
    if (rows.isByOrder) notices.matchedByOrder = Math.max(notices.matchedByOrder ?? 0, records);
    if (cases === records) return true;
    problems.add({
      file,
      line: null,
      message: `${plural(records, 'record without an id', 'records without ids')} for ${plural(cases, 'case')}: which case each belongs to is not known`,
      next: 'give every record the id of its case, or one record for each case in their order',
    });
    return false;
  }

  /** Once all files have been read. What a broken file lacks is no news. */
  report(): void {
    const { driver, gold, predictions, options, problems, notices, isCheck = false, isPart = false } = this.#files;
    // What a part of a file lacks, other parts may have: of a side that none has, all of them tell.
    if (isPart) this.#anyGold = this.#anyPredicted = true;
    const isClean = problems.count === 0;
    // A check is also of files without a side, but not of one that was given for it.
    const isGoldFile = driver.done()[0]!.role === 'gold' && this.#files.isWanted === undefined;
    if (isClean && !this.#anyGold && (!isCheck || isGoldFile)) this.#nothing('gold items', '--gold');
    if (isClean && !isCheck && !this.#anyPredicted) this.#nothing('predictions', '--predictions');
    if (this.#anyGold && !(gold ?? driver).isBroken()) {
      if (options.missingGold === 'error') problems.addAll(this.#withoutGold);
      else if (options.missingGold === 'empty' && this.#withoutGold.count > 0)
        notices.casesWithoutGold = this.#withoutGold.count;
    }
    const empty = [driver, gold, predictions].reduce((sum, reader) => sum + (reader?.emptyFiles() ?? 0), 0);
    if (empty > 0) notices.emptyFiles = empty;
    for (const reader of [gold ?? driver, predictions]) {
      const { present, absent } = reader?.lists() ?? { present: 0, absent: 0 };
      // A file of cases without any list has only texts.
      const isSide = present > 0 || isPart;
      if (absent === 0 || (!isSide && reader?.done()[0]!.role === 'cases')) continue;
      const name = isSide ? 'absentLists' : 'absentListsEverywhere';
      notices[name] = (notices[name] ?? 0) + absent;
    }
    if (this.#anyPredicted && options.missingPrediction === 'error' && !(predictions ?? driver).isBroken())
      problems.addAll(this.#withoutPrediction);
  }

  #nothing(what: string, flag: string): void {
    const { driver, names, problems } = this.#files;
    problems.add({
      file: names.driver,
      line: null,
      message: `no ${what} in this file, read as ${driver.done()[0]!.format}`,
      next: `give them with ${flag} FILE`,
    });
  }

  #nearId(id: string): string | null {
    this.#folded ??= new Map([...this.#files.driver.ids()].map((one) => [folded(one), one]));
    return this.#folded.get(folded(id)) ?? null;
  }
}

/** Whether a record is an answer to what is in the text, be it an empty one. */
function isAnnotated(row: Row | null): boolean {
  return (row?.gold ?? null) !== null || (row?.missingList ?? null) !== null;
}

function folded(id: string): string {
  return id.normalize('NFC').trim().toLowerCase();
}

/**
 * Rows of a second file, asked for by id; those read on the way wait here. If only the cases have ids, the rows are asked
 * for in their order.
 */
class RowsById {
  readonly #reader: RowReader;
  readonly #driver: RowReader;
  readonly #rows: AsyncGenerator<Row[]>;
  readonly #waiting = new Map<string, Row>();
  #ended = false;
  #asked = 0;

  constructor(reader: RowReader, driver: RowReader) {
    this.#reader = reader;
    this.#driver = driver;
    this.#rows = reader.rows();
  }

  get isNumbered(): boolean {
    return this.#reader.isNumbered();
  }

  get isByOrder(): boolean {
    return this.isNumbered && !this.#driver.isNumbered();
  }

  get isBroken(): boolean {
    return this.#reader.isBroken();
  }

  get count(): number {
    return this.#reader.ids().size;
  }

  async take(id: string): Promise<Row | null> {
    this.#asked += 1;
    if (this.count === 0) await this.#readOn();
    const found = await this.#takeNamed(this.isByOrder ? String(this.#asked) : id);
    return found === null || found.id === id ? found : { ...found, id };
  }

  async #takeNamed(id: string): Promise<Row | null> {
    let found = this.#waiting.get(id);
    while (found === undefined && !this.#ended) {
      await this.#readOn();
      found = this.#waiting.get(id);
    }
    this.#waiting.delete(id);
    return found ?? null;
  }

  async leftOver(): Promise<Row[]> {
    while (!this.#ended) await this.#readOn();
    return [...this.#waiting.values()];
  }

  /** Reads to the end for the problems alone and keeps nothing. */
  async drain(): Promise<void> {
    while (!this.#ended) {
      this.#waiting.clear();
      await this.#readOn();
    }
    this.#waiting.clear();
  }

  /** To be called when no more is wanted: the file is closed. */
  async close(): Promise<void> {
    await this.#rows.return(undefined);
  }

  async #readOn(): Promise<void> {
    const next = await this.#rows.next();
    if (next.done === true) this.#ended = true;
    else for (const row of next.value) this.#waiting.set(row.id, row);
  }
}
