import type { Plan, Report, VisitOrder } from '../protocol.ts'
import { createDeferred } from './deferred.ts'
import type { Log } from './log.ts'
import { createLogRing } from './log-ring.ts'
import { measureMemory } from './processes.ts'
import type { Visitor } from './visitors.ts'

/** A browser starts within seconds, on a busy machine within half a minute. */
const START_LIMIT_MS = 40_000
/** The child itself ends what takes too long; this is for one that no longer can. */
const GRACE_MS = 2_000
const WATCH_MEMORY_MS = 500
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
  /** Gives the visit up. */
  readonly signal: AbortSignal
  /** Told when the handler begins. */
  readonly onStarted: () => void
}

export interface VisitEnd {
  readonly isDone: boolean
  readonly logs: string
}

/** Makes one visit, whatever happens to it, and leaves no process and no file behind. */
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
      void visitor.child.gone.then((complaints) => {
        if (complaints !== '')
          deps.log.warn({ job: order.job.id, complaints }, 'the child of a visit complained')
        // What it reported last may still be on its way through the pipe.
        setImmediate(() => resolve('The browser, or what drives it, ended before the visit did.'))
      })
    })
    visitor.child.send(order)
    problem = await Promise.race([ended, limits.broken])
  } finally {
    limits.stop()
    const isClean = await visitor.child.end()
    if (!isClean) deps.log.error({ job: order.job.id }, 'processes of a visit are left')
  }
  if (problem !== null) ring.add({ level: 'error', prefix: 'admin-bot', line: problem })
  return { isDone: problem === null, logs: ring.text() }
}

function noteOf({ job }: VisitOrder, log: Log) {
  return ({ level, line, extra }: Extract<Report, { type: 'note' }>) =>
    log[level]({ job: job.id, challenge: job.challengeId, extra }, `author: ${line}`)
}

/** Time, memory, and the wish of whoever wants the visit to end: what breaks first is told. */
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
    void measureMemory(visitor.child.id).then((bytes) => {
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
