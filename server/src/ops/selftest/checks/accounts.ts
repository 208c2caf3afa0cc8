import { registerV2 } from '@pennant/contract/accounts.ts'
import { getClientConfigV2 } from '@pennant/contract/client-config.ts'
import {
  createMember,
  deleteMember,
  listMembers,
  readOwnProfileV2,
  setEmailV2,
  updateProfileV2,
} from '@pennant/contract/teams.ts'
import { SkipError, type Check, type Report } from '../check.ts'
import type { Fixture } from '../fixture.ts'
import { TEAM_PREFIX } from '../teams.ts'

/** Spellings that a careless comparison treats as different addresses. */
function spellingsOf(email: string): string[] {
  const [local = '', domain = ''] = email.split('@')
  return [email.toUpperCase(), ` ${email} `, `${local.toUpperCase()}@${domain}`, `\t${email}\n`]
}

export const accountChecks: readonly Check[] = [
  {
    name: 'normalisation',
    category: 'S1',
    about: 'A team cannot take the email address or name of another team in a different spelling.',
    advice: 'Report it as a vulnerability: sign-in mails may reach the wrong team.',
    async run({ call, player, rival }, report) {
      const { token } = rival.team
      for (const email of spellingsOf(player.team.email ?? '')) {
        const { kind } = await call(setEmailV2, { token, body: { email } })
        if (kind !== 'goodEmailSet') continue
        const found = `the address of another team was accepted as ${JSON.stringify(email)} (${kind})`
        report.finding(setEmailV2, rival, found)
      }
      const own = await call(readOwnProfileV2, { token: player.team.token })
      const taken = own.kind === 'goodUserSelfData' ? own.data.name : ''
      for (const name of [` ${taken}`, `${taken} `]) {
        const { kind } = await call(updateProfileV2, { token, body: { name } })
        if (kind === 'badRateLimit') report.note('names can be changed too rarely to try all spellings')
        if (kind !== 'goodUserUpdate') continue
        const found = `the name of another team was accepted with a space added (${kind})`
        report.finding(updateProfileV2, rival, found)
      }
    },
  },
  {
    name: 'mass-assignment',
    category: 'S3',
    about: 'Requests cannot set fields that a team may not change, such as its permissions.',
    advice: 'Report it as a vulnerability: teams can give themselves permissions or points.',
    run: assignFields,
  },
  {
    name: 'division-after-end',
    category: 'S3',
    about: 'Teams cannot change their division after the end.',
    advice: 'Report it as a vulnerability: division rankings can change after the event.',
    async run({ call, player, times }, report) {
      const config = await call(getClientConfigV2, {})
      const own = await call(readOwnProfileV2, { token: player.team.token })
      if (config.kind !== 'goodClientConfig' || own.kind !== 'goodUserSelfData') return
      const other = own.data.allowedDivisions.find((id) => id !== own.data.division)
      if (other === undefined) throw new SkipError('there is only one division that the test team may join')
      await times.enter('after')
      const { kind } = await call(updateProfileV2, { token: player.team.token, body: { division: other } })
      if (kind === 'badDivisionChangeEnded') return
      report.finding(updateProfileV2, player, `the division could be changed after the end (${kind})`)
    },
  },
  {
    name: 'ownership',
    category: 'S3',
    about: "A team cannot see or remove another team's members.",
    advice: 'Report it as a vulnerability. Until it is fixed, turn off userMembers.',
    async run({ call, player, rival, run, emailDomain }, report) {
      const email = `${run}-member@${emailDomain}`
      const added = await call(createMember, { token: player.team.token, body: { email } })
      if (added.kind === 'badEndpoint') throw new SkipError('members are turned off (userMembers)')
      if (added.kind !== 'goodMemberCreate') throw new Error(`could not add a member: ${added.kind}`)
      await call(deleteMember, { token: rival.team.token, params: { id: added.data.id } })
      const left = await call(listMembers, { token: player.team.token })
      if (left.kind === 'goodMemberData' && !left.data.some(({ id }) => id === added.data.id)) {
        report.finding(deleteMember, rival, "another team's member could be removed")
      }
      const seen = await call(listMembers, { token: rival.team.token })
      if (seen.kind === 'goodMemberData' && seen.data.length > 0) {
        report.finding(listMembers, rival, "another team's members are listed")
      }
      await call(deleteMember, { token: player.team.token, params: { id: added.data.id } })
    },
  },
]

const PRIVILEGED = {
  perms: 63,
  banned: false,
  score: 9999,
  id: 'zq',
  admin: true,
  email: 'zq@selftest.invalid',
  globalPlace: 1,
  extrankId: '1',
  teamToken: 'zq',
  createdAt: 0,
  isAdmin: true,
}

async function assignFields({ wire, call, rival, run, emailDomain }: Fixture, report: Report): Promise<void> {
  const { token, id, email } = rival.team
  const polluted = { ...PRIVILEGED, constructor: { prototype: { perms: 63 } } }
  // A literal `__proto__` would set the prototype here instead of the key in the JSON text.
  const text = JSON.stringify(polluted).replace('"constructor"', '"__proto__":{"perms":63},"constructor"')
  const headers = { 'content-type': 'application/json' }
  await wire.send({ method: 'PATCH', path: updateProfileV2.path, token, headers, bytes: Buffer.from(text) })
  const own = await call(readOwnProfileV2, { token })
  const unchanged = own.kind === 'goodUserSelfData' && own.data.perms === 0 && own.data.score === 0
  if (!unchanged || own.data.id !== id || own.data.email !== email) {
    report.finding(updateProfileV2, rival, 'a team changed fields of itself that it may not set')
  }
  const name = `${TEAM_PREFIX}fields ${run}`
  const json = { ...PRIVILEGED, name, email: `${run}-fields@${emailDomain}` }
  const made = await wire.send({ method: 'POST', path: registerV2.path, json })
  const { authToken } = (made.data ?? {}) as { authToken?: string }
  if (authToken === undefined) return
  const mine = await call(readOwnProfileV2, { token: authToken })
  if (mine.kind === 'goodUserSelfData' && mine.data.perms === 0 && mine.data.score === 0) return
  report.finding(registerV2, 'anonymous', 'a new team has permissions or points')
}
