import { cutLine, MAX_NOTE_CHARS, type Plan, type Report, type VisitOrder } from '../protocol.ts'
import { createDeferred } from './deferred.ts'
import type { Log } from './log.ts'
import { createLogRing } from './log-ring.ts'
import type { Visitor } from './visitors.ts'

/** A browser starts within seconds; on a busy machine within half a minute. */
const START_LIMIT_MS = 40_000
/** The child enforces the time limit itself; the grace period covers a child that hangs. */
const GRACE_MS = 2_000
const WATCH_MEMORY_MS = 500
/** Operator log lines that one visit may write into the worker's log. */
const MAX_NOTES = 100
const MEBIBYTE = 1024 * 1024

export interface VisitDeps {
  readonly log: Log
  readonly now: () => number
  readonly maxMemoryBytes: number
}

export interface VisitTask {
  readonly visitor: Visitor
  readonly plan: Plan
  readonly order: VisitOrder
  /** Aborts the visit. */
  readonly signal: AbortSignal
  /** Called when the handler starts. */
  readonly onStarted: () => void
}

export interface VisitEnd {
  readonly isDone: boolean
  readonly logs: string
}

/** Runs one visit and always removes its processes and files. */
export async function makeVisit(task: VisitTask, deps: VisitDeps): Promise<VisitEnd> {
  const { visitor, plan, order } = task
  const ring = createLogRing(plan, deps.now)
  const note = noteOf(order, deps.log)
  let problem: string | null
  const limits = watchLimits(task, deps)
  try {
    const ended = new Promise<string | null>((resolve) => {
      visitor.listen((report) => {
        if (report.type === 'line') ring.add(report)
        else if (report.type === 'note') note(report)
        else if (report.type === 'started') limits.started()
        else if (report.type === 'ended') resolve(report.reason ?? null)
      })
      void visitor.gone.then((complaints) => {
        if (complaints !== '')
          deps.log.warn({ job: order.job.id, complaints }, 'the visit process wrote to standard error')
        // Its last report may still be in the pipe.
        setImmediate(() => resolve('The browser or its driver exited before the visit was complete.'))
      })
    })
    problem = await Promise.race([visitor.begin(order).then(() => ended), limits.broken])
  } finally {
    limits.stop()
    const isClean = await visitor.end()
    if (!isClean) deps.log.error({ job: order.job.id }, 'processes of a visit are still running')
  }
  if (problem !== null) ring.add({ level: 'error', prefix: 'admin-bot', line: problem })
  return { isDone: problem === null, logs: ring.text() }
}

/** Writes an author's operator log lines into the worker's log, up to a limit. */
function noteOf({ job }: VisitOrder, log: Log) {
  const fields = { job: job.id, challenge: job.challengeId }
  let count = 0
  return (note: Extract<Report, { type: 'note' }>) => {
    count += 1
    if (count > MAX_NOTES) return
    const { line, extra } = cutLine(note, MAX_NOTE_CHARS)
    log[note.level]({ ...fields, extra }, `author: ${line}`)
    if (count === MAX_NOTES) log.warn(fields, 'further operator messages of this visit are dropped')
  }
}

/** Watches the time limit, the memory limit and the abort signal; reports the one that is hit first. */
function watchLimits({ plan, visitor, signal, onStarted }: VisitTask, { maxMemoryBytes }: VisitDeps) {
  const { promise: broken, resolve: breakOff } = createDeferred<string>()
  let timer = setTimeout(() => breakOff('The browser did not start in time.'), START_LIMIT_MS)
  const abort = () => breakOff('The worker gave the visit up.')
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  let isMeasuring = false
  const watch = setInterval(() => {
    if (isMeasuring) return
    isMeasuring = true
    void visitor.measureMemory().then((bytes) => {
      isMeasuring = false
      if (bytes > maxMemoryBytes)
        breakOff(`The visit took more than ${Math.floor(maxMemoryBytes / MEBIBYTE)} MiB of memory.`)
    })
  }, WATCH_MEMORY_MS)
  return {
    broken,
    started() {
      clearTimeout(timer)
      const limit = plan.timeoutMilliseconds
      timer = setTimeout(() => breakOff(`The visit took longer than ${limit} ms.`), limit + GRACE_MS)
      onStarted()
    },
    stop() {
      clearTimeout(timer)
      clearInterval(watch)
      signal.removeEventListener('abort', abort)
    },
  }
}
