import sql from 'sql-template-tag'
import type { Database } from '../src/db/database.ts'
import { createLifecycle, type Lifecycle } from '../src/features/engines/instances/lifecycle.ts'
import { reconcile } from '../src/features/engines/instances/reconcile.ts'
import { listSlots } from '../src/features/engines/instances/slots.ts'
import type { LifecycleLimits } from '../src/features/engines/instances/start-instance.ts'
import type { SetTimer } from '../src/lib/set-timer.ts'
import { createInstancers, type NamedInstancer } from '../src/providers/instancer/registry.ts'
import { ProviderError } from '../src/providers/provider.ts'
import { createWorld } from '../src/world/fold/world.ts'
import { createClock } from './clock.ts'
import { challengeRow, rules, start as eventStart, teamRow } from './contest-rows.ts'
import { createLink, during, type Activity, type Link } from './faulty-link.ts'
import { recordLog } from './log.ts'
import type { ModelEngine } from './model-engines.ts'

// Server processes that share a database and an engine. Their requests fail, wait and get lost as the test
// decides, and a process can die between any two steps.

export const TEAMS = ['team-a', 'team-b']
export const CHALLENGES = ['chall-1', 'chall-2', 'chall-3']
export const LIMITS: LifecycleLimits = {
  maxRunning: 3,
  maxPerTeam: 2,
  maxStarting: 2,
  maxWaiting: 100,
  maxWaitMs: 25_000,
}
const LIFETIME_MS = 900_000
/** Small, so that every timeout fires close to its nominal time. */
const TICK_MS = 10_000
/** A single event loop turn without activity is not enough: a message may be in transit. */
const CALM_TURNS = 4
/** Longer than all deadlines of the server and the pruners together. */
const RECOVERY_MS = 600_000
const RECOVERY_ROUNDS = 6

interface Process {
  readonly link: Link
  readonly lifecycle: Lifecycle
  readonly instancer: NamedInstancer
  reconcile(): Promise<void>
  kill(): void
}

interface Timer {
  readonly dueAt: number
  readonly run: () => void
}

export interface System {
  readonly engine: ModelEngine
  process(number: number): Process
  /** Starts a call in a process without waiting for it. */
  begin(process: Process, call: () => Promise<unknown>): void
  crash(number: number): Promise<void>
  ban(teamId: string, isBanned: boolean): void
  advance(ms: number): Promise<void>
  /** Waits until there is no activity, then checks that the limits are respected. */
  check(): Promise<void>
  /**
   * Clears all faults and waits until the slots match the engine, first with running instances, then without
   * any.
   */
  recover(): Promise<void>
}

export interface SystemOptions {
  readonly db: Database
  readonly openEngine: (now: () => number) => Promise<ModelEngine>
}

export async function openSystem({ db, openEngine }: SystemOptions): Promise<System & AsyncDisposable> {
  await db.query(sql`delete from instance_slots`)
  const clock = createClock(eventStart)
  const now = () => clock.now()
  const engine = await openEngine(now)
  const activity: Activity = { active: 0, count: 0 }
  const timers = new Map<Timer, Process | null>()
  const calls = new Map<Promise<unknown>, Process>()
  const violations: unknown[] = []
  const banned = new Set<string>()
  const processes: Process[] = []

  const instancerConfig = {
    challengeIntegrationId: '',
    config: {},
    expose: [],
    timeoutMilliseconds: LIFETIME_MS,
  }
  const world = () =>
    createWorld(
      rules,
      {
        teams: TEAMS.map((id) => teamRow(id, { banned: banned.has(id) })),
        challenges: CHALLENGES.map((id) => challengeRow(id, { instancerConfig })),
        solves: [],
        feed: [],
        feedEvents: [],
        settings: {},
      },
      now(),
    )

  async function checkLimits(): Promise<void> {
    const held = await engine.held()
    const most = Math.max(
      0,
      ...TEAMS.map((team) => held.filter((name) => name.startsWith(`${team}/`)).length),
    )
    if (held.length > LIMITS.maxRunning || most > LIMITS.maxPerTeam)
      violations.push(new Error(`the engine holds ${held.toSorted().join(', ')}`))
  }

  async function startProcess(): Promise<Process> {
    const link = createLink(activity, checkLimits)
    let isAlive = true
    const setTimer: SetTimer = (ms, run) => {
      const timer = { dueAt: now() + ms, run }
      if (isAlive) timers.set(timer, process)
      return () => void timers.delete(timer)
    }
    const { log } = recordLog()
    const engines = new Map([['main', await engine.connect(link)]])
    const instancers = createInstancers({ engines, defaultName: 'main', log, setTimer })
    const own = mortal(db, () => isAlive, activity)
    const caughtUp = async () => {}
    const lifecycle = createLifecycle({ db: own, now, limits: LIMITS, challengeName: (id) => id, setTimer })
    const process: Process = {
      link,
      lifecycle,
      instancer: instancers.find()!,
      reconcile: () =>
        reconcile({ db: own, world, caughtUp, instancers, log, now }, new AbortController().signal),
      kill() {
        isAlive = false
        link.kill()
        for (const [timer, owner] of timers) if (owner === process) timers.delete(timer)
        for (const [call, owner] of calls) if (owner === process) calls.delete(call)
      },
    }
    return process
  }

  async function untilCalm(): Promise<void> {
    for (let calm = 0; calm < CALM_TURNS;) {
      const before = activity.count
      await new Promise((resolve) => setImmediate(resolve))
      const isWaiting = processes.some(({ link }) => link.waiting() > 0)
      const isCalm = activity.active === 0 && activity.count === before && (calls.size === 0 || isWaiting)
      calm = isCalm ? calm + 1 : 0
    }
  }

  const system: System = {
    engine,
    process: (number) => processes[number]!,

    begin(process, call) {
      const ended = call().then(
        () => {},
        (error: unknown) => {
          if (!(error instanceof ProviderError || error instanceof AggregateError)) violations.push(error)
        },
      )
      calls.set(ended, process)
      void ended.then(() => {
        calls.delete(ended)
        activity.count++
      })
    },

    async crash(number) {
      processes[number]?.kill()
      processes[number] = await startProcess()
    },

    ban(teamId, isBanned) {
      if (isBanned) banned.add(teamId)
      else banned.delete(teamId)
    },

    async advance(ms) {
      for (let left = ms; left > 0; left -= TICK_MS) {
        clock.advance(Math.min(left, TICK_MS))
        for (const timer of timers.keys())
          if (timer.dueAt <= now()) {
            timers.delete(timer)
            timer.run()
          }
        await untilCalm()
        for (const { link } of processes) link.expire(now())
      }
    },

    async check() {
      await untilCalm()
      await checkLimits()
      if (violations.length > 0) throw violations[0]
    },

    async recover() {
      for (const { link } of processes) {
        link.set('none')
        link.release()
      }
      await system.check()
      if (calls.size > 0) throw new Error('a call did not end')
      for (const ms of [RECOVERY_MS, LIFETIME_MS + RECOVERY_MS]) {
        for (let passed = 0; passed < ms; passed += ms / RECOVERY_ROUNDS) {
          await system.advance(ms / RECOVERY_ROUNDS)
          engine.settle()
          const [first] = processes
          system.begin(first!, () => first!.reconcile())
          await system.check()
        }
        await checkAgreement()
      }
      if ((await engine.held()).length > 0) throw new Error('an instance has outlived its time')
    },
  }

  async function checkAgreement(): Promise<void> {
    const held = (await engine.held()).toSorted()
    const slots = (await listSlots(db))
      .map(({ teamId, integrationId }) => `${teamId}/${integrationId}`)
      .toSorted()
    if (held.join() !== slots.join())
      throw new Error(`the engine holds [${held.join(', ')}], and the slots are [${slots.join(', ')}]`)
    if (engine.leftovers() > 0)
      throw new Error(`the engine holds ${engine.leftovers()} objects of no instance`)
  }

  for (let number = 0; number < 2; number++) processes.push(await startProcess())
  return {
    ...system,
    async [Symbol.asyncDispose]() {
      for (const process of processes) process.kill()
      await engine[Symbol.asyncDispose]()
    },
  }
}

/**
 * The database as one process sees it: after the process dies, its statements are not sent and their results
 * are dropped.
 */
function mortal(db: Database, isAlive: () => boolean, activity: Activity): Database {
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    if (!isAlive()) return await new Promise(() => {})
    const value = await during(activity, work)
    return isAlive() ? value : await new Promise(() => {})
  }
  return {
    ...db,
    query: (...args) => guarded(() => db.query(...args)),
    transaction: (work) => guarded(() => db.transaction(work)),
  }
}

export function start(process: Process, engine: ModelEngine, [team, challenge]: readonly [string, string]) {
  const { config, expose } = engine
  const order = {
    ...keyOf([team, challenge]),
    config,
    expose,
    timeoutMs: LIFETIME_MS,
    extendable: true,
    flags: [],
  }
  return process.lifecycle.start({ instancer: process.instancer, challengeId: challenge, order })
}

export function extend({ lifecycle, instancer }: Process, target: readonly [string, string]) {
  return lifecycle.extend(instancer, keyOf(target), LIFETIME_MS)
}

export function stop({ lifecycle, instancer }: Process, target: readonly [string, string]) {
  return lifecycle.stop(instancer, keyOf(target))
}

function keyOf([teamId, integrationId]: readonly [string, string]) {
  return { teamId, integrationId, config: {} }
}
