import { Worker } from 'node:worker_threads'
import { UnavailableError } from './errors.ts'
import { createFairQueue } from './fair-queue.ts'

export interface RegexQuestion {
  readonly pattern: string
  readonly flags: string
  readonly text: string
  /** Lanes take turns: the id of a challenge. Without one, the pattern is a lane. */
  readonly lane?: string
  /** Shared by the patterns of one submission; without one, the pattern has the whole time. */
  readonly budget?: RegexBudget
}

/** What is left of the time that patterns may take together. */
export interface RegexBudget {
  leftMs: number
}

/** Of all patterns of a submission together. */
export const REGEX_LIMIT_MS = 50

/** Runs regular expressions on untrusted text, off the event loop and with a timeout. */
export interface RegexTester {
  /** Whether the pattern matches anywhere in the text; null after a timeout, or if its budget is used up. */
  test(question: RegexQuestion): Promise<boolean | null>
  close(): Promise<void>
}

export interface RegexTesterOptions {
  readonly limitMs?: number
  readonly maxQueue?: number
}

/** At most a minute of work when every match times out. */
const DEFAULT_MAX_QUEUE = 1024
/** A thread that has not started by then gets no CPU time or is dead. */
const START_LIMIT_MS = 5_000

interface Waiting {
  readonly pattern: string
  readonly lane: string
  readonly question: RegexQuestion
  readonly resolve: (matches: boolean | null) => void
  readonly reject: (error: Error) => void
}

/**
 * One thread, one match at a time, in turns between lanes: a challenge with slow patterns delays the next match of another one
 * by one timeout. A thread that times out is terminated; the next match starts another.
 */
export function createRegexTester(options: RegexTesterOptions = {}): RegexTester {
  const { limitMs = REGEX_LIMIT_MS, maxQueue = DEFAULT_MAX_QUEUE } = options
  const queue = createFairQueue<Waiting>(maxQueue)
  let thread: Thread | null = null
  let isBusy = false

  async function drain(): Promise<void> {
    // Ends when the queue is empty, and the queue is bounded.
    for (let waiting = queue.take(); waiting; waiting = queue.take()) {
      const { question, pattern } = waiting
      const budget = question.budget ?? { leftMs: limitMs }
      if (budget.leftMs <= 0) {
        waiting.resolve(null)
        continue
      }
      thread ??= startThread((ended) => {
        if (thread?.worker === ended) thread = null
      })
      try {
        const result = await testOnThread(thread, question, budget.leftMs)
        // One that was left little time by others is not slow for it.
        if (result === null && budget.leftMs > limitMs / 2) queue.recordTimeout(pattern)
        budget.leftMs -= result?.ms ?? Infinity
        waiting.resolve(result?.matches ?? null)
        if (result === null) await stop()
      } catch (cause) {
        waiting.reject(new UnavailableError('a flag pattern could not be tested', { cause }))
        await stop()
      }
    }
    isBusy = false
  }

  async function stop(): Promise<void> {
    const ended = thread
    thread = null
    await ended?.worker.terminate()
  }

  return {
    test(question) {
      const pattern = `${question.flags}/${question.pattern}`
      const lane = question.lane ?? pattern
      return new Promise((resolve, reject) => {
        if (!queue.add({ pattern, lane, question, resolve, reject }))
          return reject(new UnavailableError('too many flag patterns are waiting'))
        if (isBusy) return
        isBusy = true
        void drain()
      })
    },
    close: stop,
  }
}

interface Thread {
  readonly worker: Worker
  /** When the current match was started; 0 when idle. */
  readonly begunAt: BigInt64Array
}

/** Source text, so that it runs both from the sources and from a bundle. */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads')
const begunAt = new BigInt64Array(workerData)
const patterns = new Map()
const MAX_PATTERNS = 256

function patternOf(pattern, flags) {
  // With these a pattern remembers where it stopped.
  if (/[gy]/.test(flags)) return new RegExp(pattern, flags)
  const key = flags + '/' + pattern
  let found = patterns.get(key)
  if (!found) {
    if (patterns.size >= MAX_PATTERNS) patterns.clear()
    patterns.set(key, (found = new RegExp(pattern, flags)))
  }
  return found
}

parentPort.on('message', ({ pattern, flags, text }) => {
  Atomics.store(begunAt, 0, BigInt(Date.now()))
  const start = performance.now()
  let matches = false
  try {
    matches = patternOf(pattern, flags).test(text)
  } catch {
    // Not a pattern, or too large a one: it matches nothing.
  }
  Atomics.store(begunAt, 0, 0n)
  parentPort.postMessage({ matches, ms: performance.now() - start })
})
`

function startThread(onEnd: (ended: Worker) => void): Thread {
  const shared = new SharedArrayBuffer(8)
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: shared,
    // The thread inherits no environment, arguments or loaders of the process.
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64 },
  })
  worker.unref()
  // A running match handles the error through its own listener; without one no one needs it.
  worker.on('error', () => {}).once('exit', () => onEnd(worker))
  return { worker, begunAt: new BigInt64Array(shared) }
}

interface MatchResult {
  readonly matches: boolean
  readonly ms: number
}

function testOnThread(
  { worker, begunAt }: Thread,
  { pattern, flags, text }: RegexQuestion,
  limitMs: number,
): Promise<MatchResult | null> {
  return new Promise((resolve, reject) => {
    const requestedAt = Date.now()
    let timer: NodeJS.Timeout | undefined

    function settle(end: () => void) {
      clearTimeout(timer)
      worker.off('message', onMessage).off('error', onEnd).off('exit', onEnd)
      end()
    }
    const onMessage = (result: MatchResult) => settle(() => resolve(result))
    const onEnd = () => settle(() => reject(new Error('the regex thread exited')))

    // Measures the thread's own time, so that a busy event loop or a slow thread start does not reject a flag.
    function checkTime() {
      const now = Date.now()
      const begun = Number(Atomics.load(begunAt, 0))
      if (begun !== 0 && now - begun >= limitMs) settle(() => resolve(null))
      else if (now - requestedAt >= START_LIMIT_MS)
        settle(() => reject(new Error('the regex thread does not respond')))
      else timer = setTimeout(checkTime, begun === 0 ? limitMs : Math.max(begun + limitMs - now, 1))
    }

    worker.on('message', onMessage).on('error', onEnd).on('exit', onEnd)
    worker.postMessage({ pattern, flags, text })
    timer = setTimeout(checkTime, limitMs)
  })
}
