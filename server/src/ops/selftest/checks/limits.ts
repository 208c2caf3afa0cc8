import { allRoutes } from '@pennant/contract/all.ts'
import { putChallengeV2 } from '@pennant/contract/admin-challenges.ts'
import { exportActionsCsv } from '@pennant/contract/actions.ts'
import { bodyCapOf } from '@pennant/contract/body-caps.ts'
import type { Route } from '@pennant/contract/route.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { addressWith } from '../addresses.ts'
import type { Check } from '../check.ts'
import { FORMULA } from '../content.ts'

/** More flags than any limit allows at once. */
const BROKEN_FLAGS = 20

/** Bodies of organisers may be large, and pushes are verified before they are parsed. */
const isOfPlayers = (route: Route) => route.body && !route.perms?.length && bodyCapOf(route) < Infinity

export const limitChecks: readonly Check[] = [
  {
    name: 'body-sizes',
    category: 'S11',
    about: 'A route of players does not parse a body that is larger than its schema can need.',
    advice: 'Report it as a vulnerability: large bodies delay everyone. Limit request bodies at the proxy.',
    async run({ wire, player, ids }, report) {
      for (const route of allRoutes.filter(isOfPlayers)) {
        if (route.auth === 'service') continue
        const path = addressWith(route, ids.open)
        const bytes = Buffer.alloc(2 * bodyCapOf(route), ' ')
        const { method } = route
        const { kind } = await wire.send({ method, path, token: player.team.token, bytes, impatient: true })
        if (kind !== 'badJson' && kind !== 'badBody') continue
        report.finding({ method, path }, player, `${bytes.length} bytes were parsed (${kind})`)
      }
    },
  },
  {
    name: 'limit-before-body',
    category: 'S11',
    about: 'The limit of flags counts requests with a broken body, which is not read beyond it.',
    advice: 'Report it as a vulnerability. Limit requests per client at the proxy.',
    async run({ wire, rival, ids }, report) {
      const path = submitFlag.path.replace(':id', ids.open)
      const kinds = new Set<string | null>()
      for (let count = 0; count < BROKEN_FLAGS; count += 1) {
        const request = { method: 'POST', path, token: rival.team.token, bytes: Buffer.from('{') } as const
        kinds.add((await wire.send({ ...request, impatient: true })).kind)
      }
      if (kinds.has('badRateLimit')) return
      const found = `${BROKEN_FLAGS} broken bodies met no rate limit (${[...kinds].join(', ')})`
      report.finding({ method: 'POST', path }, rival, found)
    },
  },
  {
    name: 'challenge-fields',
    category: 'S11',
    about: 'Descriptions that every player downloads are bounded, and links of challenges are http or https.',
    advice: 'Report it as a vulnerability. Review challenges before they are published.',
    async run({ wire, admin, ids }, report) {
      const path = putChallengeV2.path.replace(':id', ids.hidden)
      const files = [{ name: 'a', url: 'javascript:alert(1)' }]
      for (const [what, data] of Object.entries({
        'a description of 400,000 characters': { description: 'a'.repeat(400_000) },
        'a file at a javascript: address': { files },
      })) {
        const { kind } = await wire.send({ method: 'PUT', path, token: admin.team.token, json: { data } })
        if (kind === 'badBody' || kind === 'badBodySize') continue
        report.finding({ method: 'PUT', path }, 'admin', `${what} was answered with ${kind}`)
      }
    },
  },
  {
    name: 'csv-cells',
    category: 'S10',
    about: 'No cell of an exported table is a formula, whatever separates cells.',
    advice: 'Report it as a vulnerability. Open exports as text until it is fixed.',
    async run({ wire, admin, run }, report) {
      const { path } = exportActionsCsv
      const { text, status } = await wire.send({ path, token: admin.team.token })
      if (status !== 200 || !text.includes(`${FORMULA}${run}`))
        return report.note('the export of the action log does not have the seeded text')
      if (new RegExp(`[;\\t\\n]${FORMULA}${run}`).test(text))
        report.finding({ path }, 'admin', 'a cell begins like a formula')
    },
  },
]
