import { setTimeout as sleep } from 'node:timers/promises'
import { login, registerV2 } from '@pennant/contract/accounts.ts'
import { createTeamToken, deleteTeam, listTeams, updateTeam } from '@pennant/contract/admin-teams.ts'
import { completeVerification, listVerifications } from '@pennant/contract/admin-verifications.ts'
import type { Client } from '@pennant/contract/client.ts'
import { readOwnProfileV2 } from '@pennant/contract/teams.ts'
import { StartError } from '../../lib/errors.ts'
import type { Role } from './roles.ts'

/** Marks the teams of a run, so that the next run can remove what a killed one left behind. */
export const TEAM_PREFIX = 'Selftest '

/** The server applies a ban after it has read the change log. */
const POLL_MS = 100
const MAX_POLLS = 100

export interface NewTeam {
  readonly name: string
  readonly email: string
}

/** Registers a team as a player would; where an email must confirm it, an organiser confirms it instead. */
export async function createTeam(call: Client, adminToken: string, { name, email }: NewTeam): Promise<Role> {
  const registered = await call(registerV2, { body: { name, email } })
  if (registered.kind === 'goodRegisterV2') return await roleOf(call, name, registered.data.authToken)
  if (registered.kind !== 'goodVerifySent') {
    throw new StartError(
      `Could not register a test team (${registered.kind}: ${registered.message}). The self-test needs open ` +
        'registration without a captcha; see --email-domain if divisions are restricted to certain addresses.',
    )
  }
  const pending = await call(listVerifications, { token: adminToken })
  const verifications = pending.kind === 'goodAdminUserVerifications' ? pending.data.verifications : []
  const id = verifications.find((each) => each.name === name)?.id ?? ''
  const completed = await call(completeVerification, { token: adminToken, params: { id } })
  if (completed.kind !== 'goodAdminUserVerificationComplete')
    throw new StartError(`Could not confirm the registration of a test team (${completed.kind}).`)
  const issued = await call(createTeamToken, { token: adminToken, params: { id: completed.data.userId } })
  const teamToken = issued.kind === 'goodCreateUserToken' ? issued.data.token : ''
  const signedIn = await call(login, { body: { teamToken } })
  if (signedIn.kind !== 'goodLogin')
    throw new StartError(`Could not sign in as a test team (${signedIn.kind}).`)
  return await roleOf(call, name, signedIn.data.authToken)
}

/** The role of the token's owner. */
export async function roleOf(call: Client, name: string, token: string): Promise<Role> {
  const own = await call(readOwnProfileV2, { token })
  if (own.kind !== 'goodUserSelfData') throw new StartError(`The token of ${name} was refused (${own.kind}).`)
  const { id, perms, banned, email } = own.data
  return { name, perms, isBanned: banned, team: { id, token, email } }
}

/** Bans the team and waits until the server enforces the ban. */
export async function ban(call: Client, adminToken: string, role: Role): Promise<Role> {
  const { id = '', token = '' } = role.team ?? {}
  await call(updateTeam, { token: adminToken, params: { id }, body: { data: { banned: true } } })
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    const current = await roleOf(call, role.name, token)
    if (current.isBanned) return current
    await sleep(POLL_MS)
  }
  throw new Error('the server did not ban the test team')
}

/** Counts teams that were not created by a self-test, judging by name and email address. */
export async function countOtherTeams(call: Client, adminToken: string): Promise<number> {
  const totalOf = async (filter: { readonly search?: string }) => {
    const query = { limit: '1', offset: '0', ...filter }
    const found = await call(listTeams, { token: adminToken, query })
    if (found.kind !== 'goodAdminUsers') throw new StartError(`The teams were not listed (${found.kind}).`)
    return found.data.total
  }
  return (await totalOf({})) - (await totalOf({ search: TEAM_PREFIX.trim() }))
}

/** Deletes every team that a self-test created, including those of earlier runs. */
export async function deleteTestTeams(call: Client, adminToken: string): Promise<void> {
  // Each page is deleted before the next is read; the limit is far above what runs can leave behind.
  for (let page = 0; page < 20; page++) {
    const query = { limit: '100', offset: '0', search: TEAM_PREFIX.trim() }
    const found = await call(listTeams, { token: adminToken, query })
    const users = found.kind === 'goodAdminUsers' ? found.data.users : []
    const ours = users.filter(({ name, perms }) => name.startsWith(TEAM_PREFIX) && perms === 0)
    if (ours.length === 0) return
    for (const { id } of ours) await call(deleteTeam, { token: adminToken, params: { id } })
  }
}
