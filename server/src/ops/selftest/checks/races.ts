import { listSolvesV2 } from '@pennant/contract/challenges.ts'
import { submitFlag } from '@pennant/contract/submissions.ts'
import { readOwnProfileV2, updateProfileV2 } from '@pennant/contract/teams.ts'
import type { Check, Report } from '../check.ts'
import type { Fixture } from '../fixture.ts'
import { TEAM_PREFIX } from '../teams.ts'
import type { WireRequest, Reply } from '../wire.ts'

const AT_ONCE = 12

function submission(token: string, { id, flag }: { id: string; flag: string }): WireRequest {
  const path = submitFlag.path.replace(':id', id)
  return { method: 'POST', path, token, json: { flag }, impatient: true }
}

function together(fixture: Fixture, count: number, send: (index: number) => WireRequest): Promise<Reply[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => fixture.wire.send(send(index))))
}

export const raceChecks: readonly Check[] = [
  {
    name: 'parallel-solves',
    category: 'S7',
    about: 'Concurrent submissions of a correct flag create one solve.',
    advice: 'Report it as a vulnerability: teams can score twice.',
    run: solveAtOnce,
  },
  {
    name: 'flag-rate',
    category: 'S7',
    about: 'The limit on flags per team and challenge also holds for concurrent submissions.',
    advice: 'Report it as a vulnerability. Until it is fixed, limit the path at the proxy.',
    async run(fixture, report) {
      const { rival, ids } = fixture
      const replies = await together(fixture, 40, (index) =>
        submission(rival.team.token, { id: ids.open, flag: `flag{wrong-${index}}` }),
      )
      const judged = replies.filter(({ kind }) => kind === 'badFlag').length
      // The documented burst is 5 in 25 s; a slow server refills some of it while the 40 arrive.
      if (judged <= 15) return
      report.finding(submitFlag, rival, `${judged} of 40 wrong flags were judged without a rate limit`)
    },
  },
  {
    name: 'parallel-names',
    category: 'S7',
    about: 'Of two teams that choose the same name at the same time, only one gets it.',
    advice: 'Report it as a vulnerability: one team can impersonate another.',
    async run(fixture, report) {
      const { call, player, rival, run } = fixture
      const name = `${TEAM_PREFIX}same ${run}`
      const teams = [player, rival]
      await Promise.all(
        teams.map(({ team }) =>
          fixture.wire.send({
            method: 'PATCH',
            path: updateProfileV2.path,
            token: team.token,
            json: { name },
          }),
        ),
      )
      const own = await Promise.all(teams.map(({ team }) => call(readOwnProfileV2, { token: team.token })))
      const names = own.map((each) => (each.kind === 'goodUserSelfData' ? each.data.name : ''))
      if (names[0] !== names[1]) return
      report.finding(updateProfileV2, player, 'two teams have the same name')
    },
  },
  {
    name: 'banned-submissions',
    category: 'S6',
    about: 'A banned team cannot solve.',
    advice: 'Report it as a vulnerability.',
    async run(fixture, report) {
      const { banned, ids, flags, wire } = fixture
      const request = submission(banned.team.token, { id: ids.open, flag: flags.open })
      const { kind } = await wire.send(request)
      if (kind === 'badPerms') return
      report.finding(request, banned, `the right flag of a banned team was answered with ${kind}`)
    },
  },
]

async function solveAtOnce(fixture: Fixture, report: Report): Promise<void> {
  const { call, player, ids, flags } = fixture
  const request = submission(player.team.token, { id: ids.open, flag: flags.open })
  const replies = await together(fixture, AT_ONCE, () => request)
  const right = replies.filter(({ kind }) => kind === 'goodFlag').length
  const finding = (found: string) => report.finding(request, player, found)
  if (right !== 1) finding(`${right} of ${AT_ONCE} parallel right flags were counted as a solve`)
  const query = { limit: '50', offset: '0' }
  const solves = await call(listSolvesV2, { params: { id: ids.open }, query })
  const rows = solves.kind === 'goodChallengeSolves' ? solves.data.solves : []
  const own = rows.filter(({ userId }) => userId === player.team.id).length
  if (own > 1) finding(`the challenge lists ${own} solves of one team`)
}
