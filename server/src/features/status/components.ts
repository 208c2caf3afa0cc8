import type { ComponentName, ComponentState } from '@pennant/contract/status.ts'
import { SECOND_MS } from '@pennant/contract/durations.ts'
import type { z } from 'zod'

export type State = z.output<typeof ComponentState>

/** Looks at one part of the service. A rejection counts as `down`. */
export interface StatusSource {
  readonly name: z.output<typeof ComponentName>
  look(): State | Promise<State>
}

/** A source that does not answer is down for players, too. */
const LOOK_LIMIT_MS = 2 * SECOND_MS

export async function componentStates(sources: readonly StatusSource[]) {
  return await Promise.all(
    sources.map(async ({ name, look }) => ({
      name,
      state: await within(LOOK_LIMIT_MS, async () => look()).catch((): State => 'down'),
    })),
  )
}

async function within(limitMs: number, look: () => Promise<State>): Promise<State> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<State>((resolve) => {
    timer = setTimeout(() => resolve('down'), limitMs)
  })
  try {
    return await Promise.race([look(), late])
  } finally {
    clearTimeout(timer)
  }
}
