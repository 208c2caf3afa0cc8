import { jsonSchemaOf } from '@pennant/contract/json-schema.ts'
import type { Log } from '../../lib/log.ts'
import { guard } from './guard.ts'
import type { Housekeeping, InstanceCalls, Instancer, Json } from './instancer.ts'

/** An engine that challenges can name. */
export interface NamedInstancer extends InstanceCalls {
  readonly name: string
  readonly canStop: boolean
  readonly canExtend: boolean
}

export interface InstancerForm {
  readonly name: string
  readonly schema: Json
  readonly defaults: Json
  readonly canStop: boolean
  readonly canExtend: boolean
}

/** All engines of the deployment. There is at least one. */
export interface Instancers {
  readonly defaultName: string
  /** Without a name the default one; null when there is none of that name. */
  find(name?: string): NamedInstancer | null
  /** All of them, with what they can do for those who keep house. */
  engines(): readonly { readonly instancer: NamedInstancer; readonly house: Housekeeping }[]
  /** The default one first. */
  describe(): InstancerForm[]
  /** The configuration as it is to be stored, or what is wrong with it. */
  validate(config: Json, name?: string): { readonly value: Json } | { readonly error: string }
  close(): Promise<void>
}

export interface InstancersOptions {
  readonly engines: ReadonlyMap<string, Instancer>
  readonly defaultName: string
  readonly log: Log
}

export function createInstancers({ engines, defaultName, log }: InstancersOptions): Instancers {
  const named = new Map(
    Array.from(engines, ([name, engine]): [string, NamedInstancer] => {
      const { canStop, canExtend } = engine
      return [name, { name, canStop, canExtend, ...guard(engine, { name, log }) }]
    }),
  )
  const names = [defaultName, ...[...engines.keys()].filter((name) => name !== defaultName)]
  return {
    defaultName,
    find: (name = defaultName) => named.get(name) ?? null,
    engines: () =>
      Array.from(named.values(), (instancer) => ({ instancer, house: engines.get(instancer.name) ?? {} })),
    describe: () => names.flatMap((name) => formOf(name, engines.get(name))),

    validate(config, name = defaultName) {
      const engine = engines.get(name)
      if (!engine) return { error: `No instancer is called ${name}; there are ${names.join(', ')}.` }
      const checked = engine.config.safeParse(config)
      if (checked.success) return { value: checked.data }
      const [issue] = checked.error.issues
      return { error: `${['config', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'is not valid'}` }
    },

    async close() {
      await Promise.all([...engines.values()].map((engine) => engine.close?.()))
    },
  }
}

function formOf(name: string, engine: Instancer | undefined): InstancerForm[] {
  if (!engine) return []
  const { config, example, canStop, canExtend } = engine
  return [{ name, schema: jsonSchemaOf(config, 'input'), defaults: example, canStop, canExtend }]
}
