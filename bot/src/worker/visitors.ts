import type { Report, Surroundings } from '../protocol.ts'
import { startChild, type Child, type ChildDeps } from './child.ts'
import type { Log } from './log.ts'

export interface VisitorDeps extends ChildDeps {
  readonly surroundings: Surroundings
  readonly isWarm: boolean
  readonly log: Log
}

/** A child that is ready for one visit, or will be. */
export interface Visitor {
  readonly child: Child
  /** From now on its reports go there; those of before are given at once. */
  listen(hear: (report: Report) => void): void
}

export interface Visitors {
  /** One that nobody else has. The one that waits, when there is one. */
  take(): Promise<Visitor>
  /** Starts the one that will be taken next, unless it is there. */
  warm(): void
  close(): Promise<void>
}

/** Visitors, one of them ahead of its job, so that a team does not wait for the start of a browser. */
export function createVisitors(deps: VisitorDeps): Visitors {
  let next: Promise<Visitor> | null = null
  let isClosed = false

  function warm(): void {
    if (!deps.isWarm || next || isClosed) return
    const started = startVisitor(deps, true)
    next = started
    const forget = () => {
      if (next === started) next = null
    }
    started.then(async ({ child }) => {
      const complaints = await child.gone
      if (next === started) deps.log.warn({ complaints }, 'a browser that waited for its job is gone')
      forget()
      await child.end()
    }, forget)
  }

  return {
    warm,
    async take() {
      const waiting = next
      next = null
      return await (waiting ?? startVisitor(deps, false))
    },
    async close() {
      isClosed = true
      const waiting = next
      next = null
      const visitor = await waiting?.catch(() => null)
      await visitor?.child.end()
    },
  }
}

async function startVisitor(deps: VisitorDeps, isWarm: boolean): Promise<Visitor> {
  const early: Report[] = []
  let hear = (report: Report): void => void early.push(report)
  const child = await startChild('visit', deps, (report) => hear(report))
  child.send({ surroundings: deps.surroundings, isWarm })
  return {
    child,
    listen(listener) {
      hear = listener
      for (const report of early.splice(0)) listener(report)
    },
  }
}
