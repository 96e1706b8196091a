import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { LineProcess } from '../../experiment.ts';
import { sha256Of, UsageError } from '../../plugin.ts';
import type { ExplainingExtractor, ExtractorIdentity } from './extractor.ts';
import { answerOf, type ExtractorFacts, readyLine } from './scispacy-answers.ts';
import {
  DEFAULT_PICKS,
  mentionExtractor,
  pickFields,
  type PickSettings,
  type ScoredMention,
} from './scored-mentions.ts';
import { type Stoplist, stoplistHash } from './stoplist-files.ts';

const SCISPACY_PROGRAM = fileURLToPath(new URL('scispacy-server.py', import.meta.url));
const REQUIREMENTS = fileURLToPath(new URL('scispacy-requirements.txt', import.meta.url));

/** What the program reports if every package has the version that the requirements name. */
const AS_PINNED = 'as pinned';

/** Names the extractor that ships: `cat scispacy-server.py scispacy-requirements.txt | sha256sum`. */
export function extractorHash(): string {
  return sha256Of(Buffer.concat([readFileSync(SCISPACY_PROGRAM), readFileSync(REQUIREMENTS)]));
}

/**
 * Why what runs is not the extractor that was frozen; null if it is, or if none was. `program` is null for a
 * program that is not ours, `packages` is what ours reports of its environment.
 */
function unfrozen(frozen: string | null, program: string | null, packages: string | null): string | null {
  if (frozen === null) return null;
  if (program === null) return `the extractor is frozen as ${frozen}, and this is another program`;
  if (program !== frozen)
    return `the extractor is frozen as ${frozen}, found ${program}: its program or its requirements were changed`;
  return packages === AS_PINNED ? null : `the extractor is frozen, and its packages are ${packages ?? 'not stated'}`;
}

interface ScispacySettings {
  readonly model: string;
  readonly linker: string;
  readonly resolveAbbreviations: boolean;
  readonly linkerThreshold: number;
  readonly linkerMaxEntities: number;
}

/** As the original evaluation has them. */
export const DEFAULT_SCISPACY: ScispacySettings = {
  model: 'en_core_sci_sm',
  linker: 'umls',
  resolveAbbreviations: true,
  linkerThreshold: 0.7,
  linkerMaxEntities: 10,
};

export interface ScispacyOptions extends Partial<ScispacySettings>, Partial<PickSettings> {
  /** The Python that has scispaCy; ours is the program that it runs. */
  readonly python?: string;
  /** Another program that speaks the same protocol, in place of Python and ours; takes the settings as an argument. */
  readonly command?: readonly string[];
  readonly stoplist?: Stoplist | null;
  /** The UMLS release, for the signature: scispaCy does not state it. */
  readonly kbVersion?: string | null;
  /** `sha256:…` of the extractor that was frozen: any other is refused. */
  readonly frozen?: string | null;
  /** Loading the model and the knowledge base takes a minute or two, and longer the first time. */
  readonly startSeconds?: number;
  readonly answerSeconds?: number;
}

const NEXT =
  'it needs Python with scispacy and its model (pip install scispacy; the model from the scispaCy releases); name the Python with --concepts scispacy:PYTHON, or use --concepts vocabulary';

/** Asks scispaCy in a separate process. Which of its candidates count is decided here, in the original's order. */
export async function scispacyExtractor(options: ScispacyOptions = {}): Promise<ExplainingExtractor> {
  const { stoplist = null, kbVersion = null, startSeconds = 900, answerSeconds = 300 } = options;
  const frozen = options.frozen ?? process.env['ASSAY_EXTRACTOR_HASH'] ?? null;
  const settings = overDefaults(DEFAULT_SCISPACY, options);
  const picks = overDefaults(DEFAULT_PICKS, options);
  const command = [...(options.command ?? [options.python ?? 'python3', SCISPACY_PROGRAM]), argumentOf(settings)];
  const program = new TurnProcess({ command, what: 'scispaCy', next: NEXT, startSeconds, answerSeconds });
  const refuse = (problem: string): never => {
    program.kill();
    throw program.failure(problem);
  };
  const first = readyLine(await program.ready());
  if ('problem' in first) return refuse(first.problem);
  const hash = options.command === undefined ? extractorHash() : null;
  const other = unfrozen(frozen, hash, first.facts.packages ?? null);
  if (other !== null) return refuse(other);
  let asked = 0;

  const ask = async (text: string): Promise<readonly ScoredMention[]> => {
    asked += 1;
    const id = asked;
    const found = answerOf(await program.ask(JSON.stringify({ id, text })));
    if ('problem' in found) return refuse(found.problem);
    const { answer } = found;
    if (answer.error !== undefined) throw program.failure(`failed on a text: ${answer.error}`);
    if (answer.id !== id) return refuse(`a bad answer: expected the id ${id}, found ${String(answer.id)}`);
    if (answer.mentions === undefined) return refuse('a bad answer: expected mentions with candidates and scores');
    return answer.mentions;
  };
  return {
    ...mentionExtractor({
      identity: scispacyIdentity({ facts: first.facts, hash, settings, picks, stoplist, kbVersion }),
      mentionsOf: ask,
      picks,
      stoplist,
      badAnswer: (problem) => program.failure(`a bad answer: ${problem}`),
    }),
    close: () => program.close(),
  };
}

function argumentOf(settings: ScispacySettings): string {
  return JSON.stringify({
    model: settings.model,
    linker: settings.linker,
    resolve_abbreviations: settings.resolveAbbreviations,
    threshold: settings.linkerThreshold,
    max_entities: settings.linkerMaxEntities,
  });
}

interface IdentityParts {
  readonly facts: ExtractorFacts;
  /** Of the program and its requirements; null for a program that is not ours. */
  readonly hash: string | null;
  readonly settings: ScispacySettings;
  readonly picks: PickSettings;
  readonly stoplist: Stoplist | null;
  readonly kbVersion: string | null;
}

function scispacyIdentity({ facts, hash, settings, picks, stoplist, kbVersion }: IdentityParts): ExtractorIdentity {
  return {
    name: 'scispacy',
    version: facts.scispacy ?? 'not stated',
    settings: {
      spacy: facts.spacy ?? null,
      model: facts.model ?? settings.model,
      model_version: facts.model_version ?? null,
      linker: facts.linker ?? settings.linker,
      kb_version: facts.kb_version ?? kbVersion,
      kb_concepts: facts.kb_concepts ?? null,
      resolve_abbreviations: settings.resolveAbbreviations,
      linker_threshold: settings.linkerThreshold,
      linker_max_entities: settings.linkerMaxEntities,
      extractor_hash: hash,
      packages: facts.packages ?? null,
      ...pickFields(picks),
    },
    knowledgeBase: facts.kb_sha256 ?? null,
    stoplist: stoplistHash(stoplist),
  };
}

/** The defaults with what of them the options have in their place. */
function overDefaults<T extends object>(defaults: T, options: Partial<T>): T {
  const chosen = Object.entries(options).filter(([key, value]) => key in defaults && value !== undefined);
  return { ...defaults, ...Object.fromEntries(chosen) };
}

const SHOWN_LINES = 5;
const MOST_LINE_BYTES = 1 << 26;
const MOST_UNASKED = 1000;
const UNREADABLE = 'a line of its output is too long, or not UTF-8';

interface ProcessOptions {
  readonly command: readonly string[];
  /** What the process is, for messages: "scispaCy". */
  readonly what: string;
  readonly next: string;
  readonly startSeconds: number;
  readonly answerSeconds: number;
}

/** A process that writes a line when it is ready and then answers each line with one line, one after the other. */
class TurnProcess {
  readonly #options: ProcessOptions;
  readonly #process: LineProcess;
  /** Lines that came before they were asked for. */
  readonly #lines: string[] = [];
  #wake: () => void = () => undefined;
  /** Why no further line will come. */
  #fault: string | null = null;
  /** Questions queue: the process answers one at a time. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#process = new LineProcess(
      { command: options.command, longestLine: MOST_LINE_BYTES },
      {
        line: (bytes) => this.#hear(bytes),
        tooLong: () => this.#end(UNREADABLE),
        end: (how, wasStarted) =>
          this.#end(
            wasStarted ? `ended ${how.startsWith('exit') ? 'with' : 'by'} ${how}` : `cannot be started (${how})`,
          ),
      },
    );
  }

  /** The first line, which reports that it is ready. */
  ready(): Promise<string> {
    return this.#inTurn(null, this.#options.startSeconds, 'did not get ready');
  }

  ask(line: string): Promise<string> {
    return this.#inTurn(line, this.#options.answerSeconds, 'did not answer');
  }

  /** Something is wrong with the process; its last words are part of the message. */
  failure(message: string): UsageError {
    const { what, next, command } = this.#options;
    const words = this.#process.lastWords.trim().split('\n').slice(-SHOWN_LINES);
    return new UsageError(
      [
        `${what} (${command.join(' ')}): ${message}`,
        ...(words[0] === '' ? [] : ['Its last words:', ...words.map((line) => `  ${line}`)]),
      ],
      next,
    );
  }

  close(): Promise<void> {
    return this.#process.close();
  }

  /** A process that breaks the protocol is not asked again. */
  kill(): void {
    this.#process.kill();
  }

  #inTurn(question: string | null, seconds: number, late: string): Promise<string> {
    const turn = this.#tail.then(async () => {
      if (question !== null && !this.#process.isOver) this.#process.write(question);
      if (this.#lines.length === 0 && this.#fault === null) {
        const timer = setTimeout(() => this.#end(`${late} within ${seconds} seconds`), seconds * 1000);
        await new Promise<void>((resolve) => (this.#wake = resolve));
        clearTimeout(timer);
      }
      const line = this.#lines.shift();
      if (line === undefined) throw this.failure(this.#fault ?? 'gave no answer');
      return line;
    });
    this.#tail = turn.catch(() => undefined);
    return turn;
  }

  #hear(bytes: Buffer): void {
    if (this.#fault !== null) return;
    if (!isUtf8(bytes)) return this.#end(UNREADABLE);
    const line = bytes.toString('utf8');
    if (line.trim() === '') return;
    if (this.#lines.push(line) > MOST_UNASKED) return this.#end('it writes more than it was asked');
    this.#wake();
  }

  #end(fault: string): void {
    this.#fault ??= fault;
    this.#process.kill();
    this.#wake();
  }
}
