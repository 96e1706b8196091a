import type { WriteStream } from 'node:tty';

import { costText, count, displayWidth, durationText, plural, safeText, waitText } from '../plugin.ts';
import type { RunState } from '../experiment.ts';
import { Progress, shareBar } from './progress.ts';

/** How often a pipe gets a line. */
const PLAIN_EVERY_MS = 10_000;
/** While nothing happens the clock goes on. */
const TICK_MS = 1000;

/** How a run goes on, then what is done with its answers: one line, redrawn on a terminal, now and then in a pipe. */
export class RunProgress {
  readonly #stream: WriteStream;
  readonly #quiet: boolean;
  #line: Progress;
  #timer: NodeJS.Timeout | undefined;
  #state: RunState | null = null;
  #stage = '';
  #since = 0;
  #written = Date.now();
  #last = '';

  constructor(stream: WriteStream, quiet: boolean) {
    this.#stream = stream;
    this.#quiet = quiet;
    this.#line = new Progress(stream, quiet);
  }

  at(state: RunState): void {
    this.#state = state;
    this.#since = Date.now();
    this.#tick();
  }

  stage(name: string): void {
    this.end();
    this.#line = new Progress(this.#stream, this.#quiet);
    this.#stage = name;
    this.#tick();
  }

  /** A line that stays, above the one that is redrawn. */
  note(line: string): void {
    this.#line.keep(safeText(line));
  }

  end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#line.end();
    if (!this.#stream.isTTY && this.#state !== null) this.#write(plainLine(this.#state));
    this.#state = null;
    this.#stage = '';
  }

  #tick(): void {
    this.#timer ??= setInterval(() => this.#show(), TICK_MS).unref();
    this.#show();
  }

  #show(): void {
    if (this.#state === null) return this.#stage === '' ? undefined : this.#line.show(() => `${this.#stage} …`);
    const now = Date.now();
    const state = later(this.#state, now - this.#since);
    if (this.#stream.isTTY) this.#line.show(() => runLine(state, this.#stream.columns || USUAL_WIDTH));
    else if (now - this.#written >= PLAIN_EVERY_MS) this.#write(plainLine(state));
  }

  #write(line: string): void {
    if (this.#quiet || line === this.#last) return;
    this.#written = Date.now();
    this.#last = line;
    this.#stream.write(`${line}\n`);
  }
}

/** The same, a while after it was reported. */
function later(state: RunState, ms: number): RunState {
  const { pausedForMs, secondsLeft } = state;
  // While nothing is asked, nothing comes nearer to its end.
  const worked = Math.max(0, ms - pausedForMs) / 1000;
  return {
    ...state,
    pausedForMs: Math.max(0, pausedForMs - ms),
    secondsLeft: secondsLeft === null ? null : Math.max(0, secondsLeft - worked),
  };
}

const USUAL_WIDTH = 80;

/**
 * As much as fits: `[=========           ] 45 %  450/1,000  12.3/s  3 failed  0.42 spent  45 s left`. What matters least
 * goes first.
 */
export function runLine(state: RunState, columns = USUAL_WIDTH): string {
  const { done, total, failed, cached, inFlight, allowed, cost, tokens } = state;
  const parts: [text: string, keep: number][] = [
    [shareBar(total <= 0 ? 1 : done / total), 3],
    [`${count(done)}/${count(total)}`, 9],
    [pauseText(state), 8],
    [batchText(state, Date.now()), 8.5],
    [rateText(state), 4],
    [failed > 0 ? `${count(failed)} failed` : '', 7],
    [cost === null ? (tokens > 0 ? `${count(tokens)} tokens` : '') : `${costText(cost)} spent`, 5],
    [leftText(state), 6],
    [cached > 0 ? `${count(cached)} from cache` : '', 2],
    [workersText(state), 5],
    [`${count(inFlight)}/${count(allowed)} at once`, 1],
  ];
  let shown = parts.filter(([text]) => text !== '');
  const line = (): string => shown.map(([text]) => text).join('  ');
  // The last column stays free: a terminal that wraps there would draw a second line.
  while (shown.length > 1 && displayWidth(line()) >= columns) {
    const least = Math.min(...shown.map(([, keep]) => keep));
    shown = shown.filter(([, keep]) => keep !== least);
  }
  return line().slice(0, Math.max(0, columns - 1));
}

/** `450 of 1,000 done, 3 failed, 12.3/s, 0.42 spent, 45 s left` */
export function plainLine(state: RunState): string {
  const { done, total, failed, cached, cost, tokens } = state;
  return [
    `${count(done)} of ${count(total)} done`,
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(cached > 0 ? [`${count(cached)} from the cache`] : []),
    ...(cost === null ? (tokens > 0 ? [`${count(tokens)} tokens`] : []) : [`${costText(cost)} spent`]),
    ...[
      batchText(state, Date.now()),
      workersText(state),
      rateText(state),
      pauseText(state),
      done < total ? leftText(state) : '',
    ].filter((text) => text !== ''),
  ].join(', ');
}

/** Of a queue: without any, nothing goes on. */
function workersText({ workers = null }: RunState): string {
  return workers === null ? '' : workers === 0 ? 'waiting for workers' : plural(workers, 'worker');
}

/** When nothing is left to ask, nobody waits, whatever the last server wanted. */
function pauseText({ pausedForMs, done, total }: RunState): string {
  return pausedForMs > 0 && done < total ? `waiting ${waitText(pausedForMs)}: rate limit` : '';
}

/** @example 'batch in_progress for 12 min: 400 of 1,000 done' */
function batchText({ batches = null }: RunState, now: number): string {
  if (batches === null) return '';
  const { batches: number, state, since, done, submitted } = batches;
  const what = number === 1 ? 'batch' : `${count(number)} batches, the first`;
  return `${what} ${state} for ${durationText((now - since) / 1000)}: ${count(done)} of ${count(submitted)} done`;
}

/** @example '12.3/s', '40/min' */
function rateText({ ratePerSecond }: RunState): string {
  if (ratePerSecond === null) return '';
  if (ratePerSecond >= 100) return `${count(Math.round(ratePerSecond))}/s`;
  return ratePerSecond >= 1 ? `${ratePerSecond.toFixed(1)}/s` : `${(ratePerSecond * 60).toFixed(1)}/min`;
}

function leftText({ secondsLeft }: RunState): string {
  if (secondsLeft === null) return '';
  return secondsLeft < 10 ? `${Math.ceil(secondsLeft)} s left` : `${durationText(secondsLeft)} left`;
}
