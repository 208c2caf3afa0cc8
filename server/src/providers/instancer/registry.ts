import { jsonSchemaOf } from '@pennant/contract/json-schema.ts'
import type { Log } from '../../lib/log.ts'
import type { SetTimer } from '../../lib/set-timer.ts'
import { guard } from './guard.ts'
import type { Expose, HostCapacity, InstanceCalls, Instancer, Json, Maintenance } from './instancer.ts'
import { invalidConfig, problemIn, readConfig } from './read-config.ts'
import { timed, type FinishedCall } from './timed.ts'

const CAPACITY_LIMIT_MS = 10_000

/** An engine that challenges can reference by name. */
export interface NamedInstancer extends InstanceCalls {
  readonly name: string
  readonly canStop: boolean
  readonly canExtend: boolean
  /** Its machines; null if it does not report them. */
  machines(): Promise<readonly HostCapacity[] | null>
}

export interface InstancerForm {
  readonly name: string
  readonly schema: Json
  readonly defaults: Json
  readonly canStop: boolean
  readonly canExtend: boolean
}

/** The settings of a challenge that its engine can check. */
export interface CheckedSettings {
  readonly config: Json
  /** Absent for the default engine. */
  readonly instancer?: string
  readonly expose?: readonly Expose[]
}

/** All engines of the deployment; at least one. */
export interface Instancers {
  readonly defaultName: string
  /** The named engine, or the default without a name; null when no engine has that name. */
  find(name?: string): NamedInstancer | null
  /** All engines with their maintenance calls. */
  engines(): readonly { readonly instancer: NamedInstancer; readonly maintenance: Maintenance }[]
  /** The default engine first. */
  describe(): InstancerForm[]
  /** The problem with a challenge's settings, or null. */
  problemOf(settings: CheckedSettings): string | null
  /** Registers the listener for finished calls to engines. */
  onCall(listener: (call: FinishedCall) => void): void
  close(): Promise<void>
}

export interface InstancersOptions {
  readonly engines: ReadonlyMap<string, Instancer>
  readonly defaultName: string
  readonly log: Log
  readonly setTimer?: SetTimer
}

export function createInstancers(options: InstancersOptions): Instancers {
  const { engines, defaultName, ...guarding } = options
  let report: ((call: FinishedCall) => void) | null = null
  const complete = new Map(
    Array.from(engines, ([name, engine]) => [
      name,
      withDefaults(timed(name, engine, (call) => report?.(call))),
    ]),
  )
  const named = new Map(
    Array.from(complete, ([name, engine]): [string, NamedInstancer] => {
      const { canStop, canExtend, capacity } = engine
      const machines = async () => (await capacity?.(AbortSignal.timeout(CAPACITY_LIMIT_MS))) ?? null
      return [name, { name, canStop, canExtend, machines, ...guard(engine, { name, ...guarding }) }]
    }),
  )
  const names = [defaultName, ...[...engines.keys()].filter((name) => name !== defaultName)]
  return {
    defaultName,
    find: (name = defaultName) => named.get(name) ?? null,
    engines: () =>
      Array.from(named.values(), (instancer) => ({
        instancer,
        maintenance: complete.get(instancer.name) ?? {},
      })),
    describe: () => names.flatMap((name) => formOf(name, engines.get(name))),

    problemOf({ config, instancer: name = defaultName, expose = [] }) {
      const engine = engines.get(name)
      if (!engine) return `No instancer is called ${name}; there are ${names.join(', ')}.`
      const checked = engine.config.safeParse(config)
      if (!checked.success) return problemIn(checked.error)
      return engine.exposeProblem?.(checked.data, expose) ?? null
    },

    onCall(listener) {
      report = listener
    },

    async close() {
      await Promise.all([...engines.values()].map((engine) => engine.close?.()))
    },
  }
}

/** Challenges store their settings as organisers wrote them; the engine's defaults are added on each call. */
function withDefaults(engine: Instancer): Instancer {
  const { prepare } = engine
  return {
    ...engine,
    create(order, signal) {
      return engine.create({ ...order, config: readConfig(engine.config, order.config) }, signal)
    },
    ...(prepare && {
      async prepare(configs, signal) {
        const checked = configs.map((config) => engine.config.safeParse(config))
        await prepare(
          checked.flatMap(({ success, data }) => (success ? [data] : [])),
          signal,
        )
        // Organisers learn of it before the challenge opens, not from a failed start.
        const invalid = checked.find(({ success }) => !success)
        if (invalid?.error) throw invalidConfig(invalid.error)
      },
    }),
  }
}

function formOf(name: string, engine: Instancer | undefined): InstancerForm[] {
  if (!engine) return []
  const { config, example, canStop, canExtend } = engine
  return [{ name, schema: jsonSchemaOf(config, 'input'), defaults: example, canStop, canExtend }]
}
