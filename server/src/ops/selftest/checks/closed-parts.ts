import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings, updateSettings } from '@pennant/contract/admin-settings.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { visibleParts, type VisibilitySettings } from '@pennant/contract/visibility.ts'
import { addressesOf, readRoutes } from '../addresses.ts'
import type { Check, Report } from '../check.ts'
import type { Fixture } from '../fixture.ts'
import { anonymous } from '../roles.ts'

// Closed pages by a side path: while every part is for organisers, no other route shows one.

const ALL_CLOSED: VisibilitySettings = Object.fromEntries(visibleParts.map((part) => [part, 'organisers']))
/** Replicas follow the settings within a second. */
const SETTLED_MS = 2000

export const closedPartChecks: readonly Check[] = [
  {
    name: 'closed-parts',
    category: 'S6',
    about: 'A part of the event that is closed cannot be read on any path.',
    advice: 'Report it as a vulnerability. Until it is fixed, block the path at the proxy.',
    async run(fixture, report) {
      const { call, admin } = fixture
      const { token } = admin.team
      const saved = await call(readSettings, { token })
      if (saved.kind !== 'goodAdminSettings') throw new Error(`the settings could not be read: ${saved.kind}`)
      const before = saved.data.overrides.visibility ?? null
      const set = async (visibility: VisibilitySettings | null) => {
        const { kind } = await call(updateSettings, { token, body: { data: { visibility } } })
        if (kind !== 'goodAdminSettingsUpdate')
          throw new Error(`the visibility could not be changed: ${kind}`)
      }
      await set(ALL_CLOSED)
      try {
        await sleep(SETTLED_MS)
        await readAll(fixture, report)
      } finally {
        await set(before)
        await sleep(SETTLED_MS)
      }
    },
  },
]

async function readAll({ wire, ids, player, run }: Fixture, report: Report): Promise<void> {
  for (const role of [anonymous, player]) {
    const send = (path: string) => wire.send({ path, token: role.team?.token })
    for (const route of readRoutes) {
      if (route.perms || !route.shows?.length) continue
      for (const path of addressesOf(route, [ids.open, player.team.id])) {
        const { status } = await send(path)
        if (status < 400) report.finding({ path }, role, `a closed part was shown (${status})`)
      }
    }
    const { path } = getClientConfigV2
    const { data } = JSON.parse((await send(path)).text) as { data: { pages?: unknown } }
    // Pages of organisers are no part of the event, and open to everyone.
    const { pages: _, ...rest } = data
    if (JSON.stringify(rest).includes(run))
      report.finding({ path }, role, 'the configuration has texts of a closed part')
  }
}
