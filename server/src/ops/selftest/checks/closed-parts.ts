import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings, updateSettings } from '@pennant/contract/admin-settings.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { openStream } from '@pennant/contract/stream.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { visibleParts, type VisibilitySettings } from '@pennant/contract/visibility.ts'
import { addressesOf, readRoutes } from '../addresses.ts'
import type { Check, Report } from '../check.ts'
import type { Fixture } from '../fixture.ts'
import { pollStream } from '../poll-stream.ts'
import { anonymous, type Role } from '../roles.ts'

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
        await followStream(fixture, report)
      } finally {
        await set(before)
        await sleep(SETTLED_MS)
      }
    },
  },
]

/** Events that name what is in a part. The client learns of the change itself by `resync`. */
const OF_PARTS = new Set(['challenges', 'points', 'leaderboard', 'solves'])

/** What the stream tells of a change while all is closed. */
async function followStream(
  { wire, call, ids, admin, rival, player, flags }: Fixture,
  report: Report,
): Promise<void> {
  const roles = [anonymous, player]
  const positions = new Map<Role, string>()
  for (const role of roles) positions.set(role, (await pollStream(wire, tokenOf(role))).id)
  const params = { id: ids.open }
  const data = { author: 'Self-test', points: { min: 99, max: 499 } }
  await call(putChallengeV2, { token: admin.team.token, params, body: { data } })
  await call(submitFlag, { token: rival.team.token, params, body: { flag: flags.open } })
  await sleep(SETTLED_MS)
  for (const role of roles) {
    const { names } = await pollStream(wire, { ...tokenOf(role), after: positions.get(role) ?? '' })
    for (const name of new Set(names))
      if (OF_PARTS.has(name))
        report.finding(openStream, role, `the stream sent an event \`${name}\` of a closed part`)
  }
}

function tokenOf({ team }: Role): { readonly token?: string } {
  return team ? { token: team.token } : {}
}

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
