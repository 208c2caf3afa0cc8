import { AsyncLocalStorage } from 'node:async_hooks'

/** What an administrative change came from, for the action log. */
export interface ActionOrigin {
  /** Such as `PUT /api/v2/admin/challs/:id` or `pennant admin create`. */
  readonly route: string
  /** Null for a command. */
  readonly requestId: string | null
}

const origins = new AsyncLocalStorage<ActionOrigin>()

/**
 * Runs the work of an administrative request or command. The statement that records an action reads the origin, so that no
 * feature has to pass it down to its store, and none can forget to.
 */
export function withOrigin<T>(origin: ActionOrigin, work: () => T): T {
  return origins.run(origin, work)
}

/** Null for changes that are not made by an administrative request or command. */
export function currentOrigin(): ActionOrigin | null {
  return origins.getStore() ?? null
}
