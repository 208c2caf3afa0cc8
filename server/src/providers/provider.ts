import type { z } from 'zod'
import type { Log } from '../lib/log.ts'

/** What a provider may use of the outside. Never the environment, never the configuration file. */
export interface ProviderWorld {
  readonly fetch: typeof fetch
  readonly log: Log
  readonly now: () => number
  /** What this server keeps: a provider's own folder stands in it. */
  readonly dataDir: string
}

/**
 * A named implementation of a port: options checked at start, heavy libraries imported inside `start`. A port whose
 * providers need more of the outside names its own `World`.
 */
export interface Provider<
  Port,
  Options extends z.ZodType = z.ZodType,
  World extends ProviderWorld = ProviderWorld,
> {
  readonly name: string
  readonly options: Options
  start(options: z.output<Options>, world: World): Port | Promise<Port>
}

/** Declares a provider of a port: `provider<Captcha>()({ name, options, start })`. */
export function provider<Port, World extends ProviderWorld = ProviderWorld>() {
  return <Options extends z.ZodType>(spec: Provider<Port, Options, World>): Provider<Port, Options, World> =>
    spec
}

/** A provider's failure with a message that callers may see. Mapped to the route's reply where it is called. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
}
