import { AsyncLocalStorage } from 'node:async_hooks'

/** What an administrative change came from, for the action log. */
export interface ActionOrigin {
  /** Such as `PUT /api/v2/admin/challs/:id` or `pennant admin create`. */
  readonly route: string
  /** Null for a command. */
  readonly requestId: string | null
  /** Absent for tokens of a team. */
  readonly person?: { readonly id: string; readonly name: string } | null
  /** Absent without one. */
  readonly apiToken?: { readonly id: string; readonly name: string } | undefined
}

const origins = new AsyncLocalStorage<ActionOrigin>()
/** Work that runs with an origin. */
let running = 0
let ofCommand: ActionOrigin | null = null

/**
 * Runs the work of an administrative request. The statement that records an action reads the origin, so that no feature has to
 * pass it down to its store, and none can forget to. While nothing runs the storage is off: until Node 24 a storage in use makes every
 * promise, timer and request of the process more expensive.
 */
export function withOrigin<T>(origin: ActionOrigin, work: () => T): T {
  running += 1
  let result: T | undefined
  try {
    result = origins.run(origin, work)
    return result
  } finally {
    if (result instanceof Promise) result.then(ended, ended)
    else ended()
  }
}

function ended(): void {
  running -= 1
  if (running === 0) origins.disable()
}

/** Runs a command. Its origin is that of the process, because a server is a command that runs until it is stopped. */
export async function asCommand<T>(origin: ActionOrigin, work: () => Promise<T>): Promise<T> {
  ofCommand = origin
  try {
    return await work()
  } finally {
    ofCommand = null
  }
}

/** Null for changes that are not made by an administrative request or command. */
export function currentOrigin(): ActionOrigin | null {
  return origins.getStore() ?? ofCommand
}
