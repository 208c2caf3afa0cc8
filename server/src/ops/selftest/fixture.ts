import { randomBytes } from 'node:crypto'
import { readOverview } from '@pennant/contract/overview.ts'
import { createClient, type Client } from '@pennant/contract/client.ts'
import { setJoinLink } from '@pennant/contract/people.ts'
import { hasPermissions } from '@pennant/contract/permissions.ts'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { StartError } from '../../lib/errors.ts'
import {
  deleteTestContent,
  seedChallenges,
  seedClient,
  seedPages,
  type SeededClient,
  type SeededPages,
} from './content.ts'
import { readEventTimes, type EventTimes } from './event.ts'
import { listenForRequests, type Listener } from './listener.ts'
import { anonymous, nameOfPermissions, type Role, type Secret } from './roles.ts'
import { ban, countOtherTeams, createTeam, deleteTestTeams, roleOf, TEAM_PREFIX } from './teams.ts'
import type { Wire } from './wire.ts'

export interface FixtureOptions {
  readonly adminToken: string
  /** Tokens of teams with some of the permissions. */
  readonly organiserTokens: readonly string[]
  /** Personal sign-in links of two people. */
  readonly personLinks: readonly string[]
  readonly emailDomain: string
  /** Runs even against a server with teams and solves. */
  readonly force: boolean
}

type SignedIn = Role & { readonly team: NonNullable<Role['team']> }

/** The state that the checks run against: teams and challenges whose every field is known. */
export interface Fixture extends Awaited<ReturnType<typeof seedChallenges>> {
  readonly wire: Wire
  readonly call: Client
  readonly times: EventTimes
  /** Unique to this run; part of every seeded text. */
  readonly run: string
  readonly client: SeededClient
  readonly pages: SeededPages
  readonly admin: SignedIn
  readonly player: SignedIn
  readonly rival: SignedIn
  readonly banned: SignedIn
  readonly organisers: readonly Role[]
  /** All roles, from anonymous to admin. */
  readonly roles: readonly Role[]
  readonly listener: Listener | null
  readonly personLinks: readonly string[]
  readonly emailDomain: string
}

/** A staging server has fewer teams; a real event has more. */
const MAX_REAL_TEAMS = 10

const NEEDED = ['challsRead', 'challsWrite', 'usersWrite', 'settingsWrite'] as const

/** The typed client on top of the self-test's own HTTP layer, with its limits and waits. */
export function clientOver(wire: Wire): Client {
  return createClient({
    baseUrl: '',
    fetch: async (path, init) => {
      const body = init?.body
      const { status, headers, text } = await wire.send({
        method: (init?.method ?? 'GET') as 'GET',
        path: String(path),
        headers: init?.headers as Record<string, string>,
        ...(typeof body === 'string' && { bytes: Buffer.from(body) }),
        ...(body instanceof FormData && { form: body }),
      })
      return new Response(text, { status, headers: { 'content-type': headers['content-type'] ?? '' } })
    },
  })
}

/**
 * Checks that the server may be used for a self-test, removes what earlier runs left, and saves the event
 * times. Creates nothing.
 */
export async function prepare(wire: Wire, options: FixtureOptions) {
  const call = clientOver(wire)
  const admin = await roleOf(call, 'admin', options.adminToken)
  if (!hasPermissions(admin.perms, NEEDED)) {
    const has = nameOfPermissions(admin.perms)
    throw new StartError(`The token needs an admin with ${NEEDED.join(', ')}; this team has ${has}.`)
  }
  // Before anything is deleted: at a real event a player's team could have the name of a test team.
  const others = await countOtherTeams(call, options.adminToken)
  if (!options.force && others > MAX_REAL_TEAMS) throw refusal(`${others} teams`)
  await deleteEverything(call, options.adminToken)
  const overview = await call(readOverview, { token: options.adminToken })
  if (overview.kind !== 'goodAdminOverview')
    throw new StartError(`The overview was refused (${overview.kind}).`)
  const { now, teams, solves } = overview.data
  if (!options.force && (teams > MAX_REAL_TEAMS || solves > 0)) {
    throw refusal(`${teams} teams and ${solves} solves`)
  }
  const offset = now - Date.now()
  const serverNow = () => Date.now() + offset
  const times = await readEventTimes(call, { token: options.adminToken, now: serverNow })
  return { wire, call, admin, times, serverNow, options }
}

function refusal(found: string): StartError {
  return new StartError(
    `This server has ${found}. The self-test changes the event's times and creates teams and challenges: run it ` +
      'against a staging server, or use --force if this is one.',
  )
}

type Prepared = Awaited<ReturnType<typeof prepare>>

/** Creates the teams, the challenges and the client, while the event runs. */
export async function seed({ wire, call, admin, times, serverNow, options }: Prepared): Promise<Fixture> {
  const { adminToken, emailDomain, organiserTokens, personLinks } = options
  const run = `zq${randomBytes(5).toString('hex')}`
  await times.enter('during')
  const listener = await listenForRequests(wire)
  const email = (who: string) => `${run}-${who}@${emailDomain}`
  const make = (who: string) =>
    createTeam(call, adminToken, { name: `${TEAM_PREFIX}${who} ${run}`, email: email(who) })
  const player = { ...(await make('player')), name: 'player' }
  const rival = { ...(await make('rival')), name: 'player of another team' }
  const banned = { ...(await ban(call, adminToken, await make('banned'))), name: 'banned player' }
  const organisers = await Promise.all(
    organiserTokens.map(async (token) => {
      const role = await roleOf(call, 'organiser', token)
      return { ...role, name: `organiser with ${nameOfPermissions(role.perms)}` }
    }),
  )
  const origin = listener?.url ?? 'https://pennant-selftest.invalid'
  const seeded = await seedChallenges(call, {
    token: adminToken,
    run,
    releaseAt: serverNow() + 1000 * HOUR_MS,
    fileUrl: `${origin}/file`,
  })
  const client = await seedClient(call, adminToken, `${origin}/back`)
  const pages = await seedPages(call, adminToken, run)
  const ofTeams = [player, rival, banned].map(({ name, team }): Secret => ({
    label: `the email address of the ${name}`,
    text: team?.email ?? '',
    permission: 'usersWrite',
    ownerId: team?.id ?? '',
  }))
  return {
    ...seeded,
    wire,
    call,
    times,
    client,
    pages,
    run,
    listener,
    organisers,
    personLinks,
    emailDomain,
    secrets: [
      ...seeded.secrets,
      ...pages.secrets,
      ...ofTeams,
      { label: 'the secret of a client', text: client.secret, permission: null },
      ...(await joinCodeOf(call, player)),
    ],
    admin: signedIn(admin),
    player: signedIn(player),
    rival: signedIn(rival),
    banned: signedIn(banned),
    roles: [anonymous, player, rival, banned, ...organisers, admin],
  }
}

/** No other team finds the join link of the player. None if people do not join teams here. */
async function joinCodeOf(call: Client, { team }: Role): Promise<Secret[]> {
  const { id = '', token = '' } = team ?? {}
  const set = await call(setJoinLink, { token, body: { isOn: true } })
  const code = set.kind === 'goodTeamPeople' ? set.data.joinCode : null
  return code === null
    ? []
    : [{ label: 'the join link of a team', text: code, permission: null, ownerId: id }]
}

function signedIn(role: Role): SignedIn {
  if (!role.team) throw new Error(`${role.name} has no team`)
  return { ...role, team: role.team }
}

/** Removes what this run and earlier ones created. */
export async function deleteEverything(call: Client, adminToken: string): Promise<void> {
  await deleteTestContent(call, adminToken)
  await deleteTestTeams(call, adminToken)
}
