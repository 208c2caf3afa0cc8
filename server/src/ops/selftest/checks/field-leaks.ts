import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings, updateSettings } from '@pennant/contract/admin-settings.ts'
import { fieldVisibilities } from '@pennant/contract/custom-field-values.ts'
import { writeTeamAnswers } from '@pennant/contract/custom-fields.ts'
import { addressesOf, readRoutes } from '../addresses.ts'
import type { Check, Report } from '../check.ts'
import type { Fixture } from '../fixture.ts'
import { anonymous } from '../roles.ts'

// Answers of a team: no one else reads those that are not for everyone.

/** Replicas follow the settings within a second. */
const SETTLED_MS = 2000

const idOf = (visible: string) => `selftest-${visible}`
const markOf = (run: string, visible: string) => `${run} answer ${visible}`

export const fieldChecks: readonly Check[] = [
  {
    name: 'field-leaks',
    category: 'S6',
    about: 'Answers to fields that are for organisers or the own team cannot be read by others.',
    advice: 'Report it as a vulnerability. Until it is fixed, delete the answers.',
    async run(fixture, report) {
      const { call, admin, player, run } = fixture
      const { token } = admin.team
      const saved = await call(readSettings, { token })
      if (saved.kind !== 'goodAdminSettings') throw new Error(`the settings could not be read: ${saved.kind}`)
      const { overrides, defaults } = saved.data
      const set = async (fields: typeof overrides.fields | null) => {
        const body = { data: { fields }, deletedAnswers: fieldVisibilities.length }
        const { kind } = await call(updateSettings, { token, body })
        if (kind !== 'goodAdminSettingsUpdate') throw new Error(`the fields could not be changed: ${kind}`)
      }
      const own = fieldVisibilities.map((visible) => ({
        id: idOf(visible),
        kind: 'text' as const,
        of: 'team' as const,
        asked: 'later' as const,
        required: false,
        visible,
        texts: [{ language: 'en', label: `Self-test: ${visible}` }],
      }))
      await set([...(overrides.fields ?? defaults.fields ?? []), ...own])
      try {
        await sleep(SETTLED_MS)
        const fields = Object.fromEntries(
          fieldVisibilities.map((visible) => [idOf(visible), markOf(run, visible)]),
        )
        const written = await call(writeTeamAnswers, { token: player.team.token, body: { fields } })
        if (written.kind !== 'goodTeamAnswers') throw new Error(`the answers were refused: ${written.kind}`)
        await sleep(SETTLED_MS)
        await readAll(fixture, report)
      } finally {
        await set(overrides.fields ?? null)
        await sleep(SETTLED_MS)
      }
    },
  },
]

async function readAll({ wire, ids, player, rival, run }: Fixture, report: Report): Promise<void> {
  const secrets = fieldVisibilities.filter((visible) => visible !== 'everyone')
  for (const role of [anonymous, rival])
    for (const route of readRoutes) {
      if (route.perms) continue
      for (const path of addressesOf(route, [ids.open, player.team.id])) {
        const { text } = await wire.send({ path, token: role.team?.token })
        for (const visible of secrets)
          if (text.includes(markOf(run, visible)))
            report.finding({ path }, role, `the answer to a field for ${visible} was shown`)
      }
    }
}
