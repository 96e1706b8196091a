import type { DataCheck } from '../audit/check-data.ts';
import type { Audit } from '../audit/finding.ts';
import type { Comparison } from '../compare/comparison.ts';
import type { Gate } from '../compare/gate/judge-gate.ts';
import type { Repeats } from '../compare/repeats/repeats.ts';
import type { Sweep } from '../compare/sweep/sweep.ts';
import type { Waterfall } from '../compare/waterfall/waterfall.ts';
import type { Run } from '../score/run.ts';
import { auditDocument, dataCheckDocument } from './audit.ts';
import { comparisonDocument } from './comparison.ts';
import type { Document } from './document.ts';
import { gateDocument } from './gate.ts';
import { renderHtml } from './render-html.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderTerminal } from './render-terminal.ts';
import { repeatsDocument } from './repeats.ts';
import { runDocument } from './run.ts';
import { makeStyle } from './style.ts';
import { recipeSweepDocument } from './sweep.ts';
import { waterfallDocument } from './waterfall.ts';

/** What can be written out for a reader. */
export type Rendered = Run | Comparison | Gate | Audit | Waterfall | Sweep | Repeats | DataCheck | Document;
export type RenderFormat = 'terminal' | 'markdown' | 'html';

export interface RenderOptions {
  /** The folder of the run that an audit is of: an audit does not name it. */
  readonly run?: string;
  /** Columns of the terminal, 80 by default. */
  readonly width?: number;
  /** Colours in the terminal, none by default. */
  readonly colour?: boolean;
}

/** A result as a page of Markdown or HTML, or as text for a terminal: what the command of the same name shows. */
export function renderResult(
  result: Rendered,
  format: RenderFormat = 'markdown',
  { run = 'RUN', ...style }: RenderOptions = {},
): string {
  const document = documentOf(result, run);
  if (format === 'html') return renderHtml(document);
  return format === 'markdown' ? renderMarkdown(document) : renderTerminal(document, makeStyle(style));
}

function documentOf(result: Rendered, run: string): Document {
  if ('sections' in result) return result;
  if ('manifest' in result) return runDocument(result);
  if ('paired' in result) return comparisonDocument(result);
  if ('verdict' in result) return gateDocument(result);
  if ('steps' in result) return waterfallDocument(result);
  if ('points' in result) return recipeSweepDocument(result);
  if ('noItems' in result) return repeatsDocument(result);
  if ('problems' in result) return dataCheckDocument(result);
  return auditDocument(result, { run });
}
