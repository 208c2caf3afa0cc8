import type { z } from 'zod'
import type { Log } from '../lib/log.ts'

/** What a provider may use of its environment. Never environment variables, never the configuration file. */
export interface ProviderContext {
  readonly fetch: typeof fetch
  readonly log: Log
  readonly now: () => number
  /** The server's data folder; a provider creates its own folder in it. */
  readonly dataDir: string
}

/**
 * A named implementation of a port: options are validated at startup, heavy libraries are imported inside
 * `start`. A port whose providers need more declares its own `World`.
 */
export interface Provider<
  Port,
  Options extends z.ZodType = z.ZodType,
  World extends ProviderContext = ProviderContext,
> {
  readonly name: string
  readonly options: Options
  start(options: z.output<Options>, context: World): Port | Promise<Port>
}

/** Declares a provider of a port: `provider<Captcha>()({ name, options, start })`. */
export function provider<Port, World extends ProviderContext = ProviderContext>() {
  return <Options extends z.ZodType>(spec: Provider<Port, Options, World>): Provider<Port, Options, World> =>
    spec
}

/**
 * A provider's failure with a message that callers may see. The calling feature maps it to the route's reply.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
}

/** The outcome is unknown: the call may have had its effect, or may still have it. */
export class UncertainError extends ProviderError {}
