/** What commands and plugins stand on: problems, sources and records, file writers, text and number formatting, style. Light to load. */

export { closestNames } from './text/closest-names.ts';
export { compareNatural, compareText, firstFrom } from './text/compare.ts';
export {
  costText,
  count,
  plural,
  durationText,
  figure,
  levelText,
  NONE,
  percent,
  quantities,
  short,
  significant,
} from './text/figures.ts';
export { Cleanup } from './data/cleanup.ts';
export type { Fields } from './data/item.ts';
export { entryAt } from './data/entry-at.ts';
export { type FolderLock, lockFolder, unlockFolder } from './data/folder-lock.ts';
export { FAILED, notJson, parseRecord } from './data/json-record.ts';
export {
  InputError,
  type Lines,
  type Problem,
  Problems,
  PROBLEMS_SHOWN,
  problemText,
  UsageError,
} from './data/problems.ts';
export { readText, readWhole, type WholeText } from './data/read-file.ts';
export { describe, isRecord, mayKeepAll } from './data/record-fields.ts';
export { peekTable } from './data/record-table.ts';
export { type NamedRecord, Records } from './data/records.ts';
export { sha256Of } from './data/sha256-of.ts';
export { sortedJson } from './data/sorted-json.ts';
export { isPattern, sourceOf } from './data/named-files.ts';
export {
  errorCode,
  fileSource,
  type HashedSource,
  hashedSource,
  mapFiles,
  memorySource,
  OpenSource,
  reopenable,
  type Source,
  standardInput,
} from './data/source.ts';
export { storedDigest } from './data/stored-digest.ts';
export { harmless, shorten, UNSAFE, visible } from './data/visible.ts';
export {
  FileWriter,
  makeFolders,
  partialPath,
  removePartials,
  type ResultFile,
  SHARED,
  writeAside,
  writeFiles,
} from './data/write-file.ts';
export { didYouMean, SettingError, type SettingProblem, suggestion } from './prepare/setting-error.ts';
export { log as naturalLog } from './stats/double-double.ts';
export { taskTitle } from './recipe/task-title.ts';
export { VERSION } from './score/version.ts';
export { defined } from './experiment/defined.ts';
export { parseDuration, waitText } from './experiment/limits/duration.ts';
export { definitionList, displayWidth, wrapWords } from './report/display-width.ts';
export {
  type Block,
  commandTable,
  type Document,
  type FilledColumn,
  filledTable,
  type ListItem,
  numberColumns,
  quiet,
  type Section,
  type Table,
  type Text,
  textColumns,
} from './report/document.ts';
export { programName } from './report/program-name.ts';
export { renderMarkdown } from './report/render-markdown.ts';
export { renderTerminal, terminalLines } from './report/render-terminal.ts';
export { safeJson } from './report/safe-json.ts';
export { safeText } from './report/safe-text.ts';
export { shellWord } from './report/shell-word.ts';
export { makeStyle, type Style } from './report/style.ts';
export { terminalStyle } from './report/terminal-style.ts';
export { isAlive } from './data/is-alive.ts';
export { noNotices } from './data/item-check.ts';
export { readLines, textLines, type TextRecord } from './data/lines.ts';
export { deterministicGzip } from './report/deterministic-gzip.ts';
export { characterKind, codePointLength, isWhiteSpace, kind } from './text/characters.ts';
export { isFunctionWord, words, wordSpans } from './text/words.ts';
export { hasExactNumbers } from './experiment/datasets/exact-records.ts';
export { hasLangfuse } from './langfuse/client/access.ts';
export { isLoopback } from './experiment/models/loopback.ts';
