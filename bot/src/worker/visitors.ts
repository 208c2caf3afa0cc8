import type { Report, Surroundings, VisitOrder } from '../protocol.ts'
import { createDeferred } from './deferred.ts'
import type { Log } from './log.ts'
import { openSandbox, type Child, type Sandbox, type SandboxDeps } from './sandbox.ts'
import { join } from 'node:path'

export interface VisitorDeps extends SandboxDeps {
  readonly surroundings: Surroundings
  readonly isWarm: boolean
  readonly log: Log
}

/** Processes that are, or will be, ready for one visit. */
export interface Visitor {
  /** Sends reports to this callback from now on, and passes earlier ones at once. */
  listen(hear: (report: Report) => void): void
  /** Starts the visit. Reports describe its progress. */
  begin(order: VisitOrder): Promise<void>
  /** Resolves when one of the processes has exited, with its standard error. */
  readonly gone: Promise<string>
  measureMemory(): Promise<number>
  /** Ends all processes and removes their files. Returns whether nothing is left. Can be called again. */
  end(): Promise<boolean>
}

export interface Visitors {
  /** Returns a visitor of the caller's own: the pre-started one if there is one. */
  take(): Promise<Visitor>
  /** Pre-starts the next visitor unless there is one. */
  warm(): void
  close(): Promise<void>
}

/**
 * Creates visitors. One is started before its job arrives, so that a team does not wait for a browser to
 * start.
 */
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
    started.then(async (visitor) => {
      const complaints = await visitor.gone
      if (next === started) deps.log.warn({ complaints }, 'a browser that was started in advance has exited')
      forget()
      await visitor.end()
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
      await visitor?.end()
    },
  }
}

async function startVisitor(deps: VisitorDeps, isWarm: boolean): Promise<Visitor> {
  const early: Report[] = []
  let hear = (report: Report): void => void early.push(report)
  const sandbox = await openSandbox(deps)
  const egress = deps.users ? startEgress(sandbox) : null
  const child = sandbox.start('visit', (report) => hear(report))
  child.send({ surroundings: deps.surroundings, isWarm, egressPath: egress?.path ?? null })
  return {
    listen(listener) {
      hear = listener
      for (const report of early.splice(0)) listener(report)
    },
    async begin(order) {
      const { allowPrivate } = deps.surroundings
      await egress?.allow({ allowPrivate, instances: order.job.instancerInstances })
      child.send(order)
    },
    gone: Promise.race([child.gone, ...(egress ? [egress.child.gone] : [])]),
    measureMemory: () => sandbox.measureMemory(),
    end: () => sandbox.end(),
  }
}

interface Egress {
  readonly child: Child
  readonly path: string
  /** Resolves when the rules are in effect, or when the process has exited. */
  allow(rules: object): Promise<void>
}

function startEgress(sandbox: Sandbox): Egress {
  const allowed = createDeferred<void>()
  let reports = 0
  const child = sandbox.start('egress', () => {
    reports += 1
    // The first report says that it is listening.
    if (reports === 2) allowed.resolve()
  })
  const path = join(sandbox.home, 'egress.sock')
  child.send({ path })
  return {
    child,
    path,
    async allow(rules) {
      child.send(rules)
      await Promise.race([allowed.promise, child.gone])
    },
  }
}
