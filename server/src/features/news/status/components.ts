import type { ComponentName, ComponentState } from '@pennant/contract/status.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import type { z } from 'zod'

export type State = z.output<typeof ComponentState>

/** Looks at one part of the service. */
export interface StatusSource {
  readonly name: z.output<typeof ComponentName>
  /** The state if looking fails or takes too long: by default `down`, as it is for players. */
  readonly unread?: State
  check(): State | Promise<State>
}

const LOOK_LIMIT_MS = 2 * SECOND_MS

export async function componentStates(sources: readonly StatusSource[]) {
  return await Promise.all(
    sources.map(async ({ name, check, unread = 'down' }) => ({
      name,
      state: (await withinLimit(async () => check()).catch(() => null)) ?? unread,
    })),
  )
}

/** Null if it takes too long. */
async function withinLimit(check: () => Promise<State>): Promise<State | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LOOK_LIMIT_MS)
  })
  try {
    return await Promise.race([check(), late])
  } finally {
    clearTimeout(timer)
  }
}
