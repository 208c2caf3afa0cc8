import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings, updateSettings } from '@pennant/contract/admin-settings.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import type { Client } from '@pennant/contract/client.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'

export type Phase = 'before' | 'during' | 'after'
export const phases: readonly Phase[] = ['before', 'during', 'after']

/** The event's times, moved around the current time and restored at the end. */
export interface EventTimes {
  enter(phase: Phase): Promise<void>
  restore(): Promise<void>
  /** The values that `restore` writes, for an operator who has to restore them manually. */
  readonly original: { readonly startTime: number | null; readonly endTime: number | null }
}

const windows: Readonly<Record<Phase, readonly [startsIn: number, endsIn: number]>> = {
  before: [24 * HOUR_MS, 48 * HOUR_MS],
  during: [-2 * HOUR_MS, 24 * HOUR_MS],
  after: [-48 * HOUR_MS, -HOUR_MS],
}

/** Replicas pick up a settings change from the database within a second. */
const POLL_MS = 100
const MAX_POLLS = 100
/** Behind a load balancer, successive requests reach different replicas. */
const AGREEING_READS = 3

export async function readEventTimes(
  call: Client,
  admin: { readonly token: string; readonly now: () => number },
): Promise<EventTimes> {
  const { token } = admin
  const settings = await call(readSettings, { token })
  if (settings.kind !== 'goodAdminSettings')
    throw new Error(`the settings could not be read (${settings.kind}): the token needs settingsWrite`)
  const { startTime, endTime } = settings.data.overrides
  const original = { startTime: startTime ?? null, endTime: endTime ?? null }

  async function write(data: { startTime: number | null; endTime: number | null }): Promise<void> {
    const saved = await call(updateSettings, { token, body: { data } })
    if (saved.kind !== 'goodAdminSettingsUpdate')
      throw new Error(`the event times could not be changed: ${saved.kind}`)
  }

  async function untilSeen(wanted: number): Promise<void> {
    let agreeing = 0
    for (let polls = 0; polls < MAX_POLLS; polls++) {
      const config = await call(getClientConfigV2, {})
      agreeing = config.kind === 'goodClientConfig' && config.data.startTime === wanted ? agreeing + 1 : 0
      if (agreeing === AGREEING_READS) return
      if (agreeing === 0) await sleep(POLL_MS)
    }
    throw new Error('the server did not show the changed event times')
  }

  return {
    original,
    async enter(phase) {
      const [startsIn, endsIn] = windows[phase]
      const now = admin.now()
      await write({ startTime: now + startsIn, endTime: now + endsIn })
      await untilSeen(now + startsIn)
    },
    restore: () => write(original),
  }
}
