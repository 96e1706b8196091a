import { fstatSync } from 'node:fs';

interface Stream {
  readonly fd: number;
  write: NodeJS.WriteStream['write'];
}

type Done = (error?: Error | null) => void;

const PASSES = new WeakMap<Stream, Stream['write']>();

/**
 * Output as a runner of GitHub prints it without acting on it: a case called `::error::` is no command. It obeys lines
 * that begin with `::`, whatever white space comes before, and `##[` anywhere; either may come in two pieces. JSON
 * stays the same JSON.
 *
 * @example withoutCommands(' ::error::no') // ' \u003a:error::no', with a backslash
 */
export function withoutCommands(text: string, isLineBlank = true): string {
  return text
    .split(/(?<=[\r\n])/)
    .map((line, at) => (at > 0 || isLineBlank ? line.replace(/^([\s\u0085]*):(?=:|$)/, '$1\\u003a') : line))
    .join('')
    .replaceAll(/(^|#)#(?=\[|$)/g, '$1\\u0023');
}

/** Guards what is written to these streams, unless it goes to a file, until the answer is called. */
export function guardFromCommands(streams: readonly Stream[]): () => void {
  const guarded = streams.filter(({ fd }) => !isFile(fd)).map((stream) => ({ stream, write: stream.write }));
  for (const { stream, write } of guarded) {
    const pass = write.bind(stream);
    let isLineBlank = true;
    PASSES.set(stream, pass);
    stream.write = (piece: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done) => {
      // One character for a byte, so that a piece that ends within a character stays as it is.
      const text = typeof piece === 'string' ? piece : Buffer.from(piece).toString('latin1');
      const safe = withoutCommands(text, isLineBlank);
      const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
      isLineBlank = (end >= 0 || isLineBlank) && /^[\s\u0085]*$/.test(text.slice(end + 1));
      const out = typeof piece === 'string' ? safe : Buffer.from(safe, 'latin1');
      return typeof encoding === 'string' ? pass(out, encoding, done) : pass(out, encoding);
    };
  }
  return () => {
    for (const { stream, write } of guarded) {
      stream.write = write;
      PASSES.delete(stream);
    }
  };
}

export function isOnGitHub(): boolean {
  return process.env['GITHUB_ACTIONS'] === 'true';
}

/** Writes commands that are meant as such. */
export function writeCommands(stream: Stream, commands: string): void {
  (PASSES.get(stream) ?? stream.write.bind(stream))(commands);
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}
