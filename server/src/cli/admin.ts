import { setTimeout as sleep } from 'node:timers/promises'
import { Email, TeamName } from '@pennant/contract/fields.ts'
import { ALL_PERMISSIONS, allPermissions, permissions } from '@pennant/contract/permissions.ts'
import type { Config } from '../config/config.ts'
import { byCommand } from '../db/admin-actions.ts'
import type { Database } from '../db/database.ts'
import {
  createTeamByHand,
  demote,
  listAdmins,
  promote,
  signOutByEmail,
  type Admin,
  type ChangedAdmin,
} from '../features/people/accounts/admins.ts'
import { localLink } from '../features/people/accounts/local-link.ts'
import { signInLink } from '../features/people/accounts/mail.ts'
import { createTokens, type Tokens } from '../features/people/accounts/tokens.ts'
import { createDatabaseMarkers } from '../kv/database-markers.ts'
import { StartError } from '../lib/errors.ts'
import { announceDatabase, openExistingStore } from './existing-data.ts'
import { loadConfig } from './load-config.ts'
import type { ProcessContext } from './process-context.ts'
import { isShared, openStore } from './store.ts'
import { requireSameTokenKey } from './token-key.ts'

/** A running server polls for changes every second; waits until it accepts the printed token. */
const FOLLOW_MS = 1_200

export interface NewAdminOptions {
  readonly name: string
  readonly email: string
  readonly perms: number
  readonly json?: boolean
  /** Without it, the default division. */
  readonly division?: string
}

/** `pennant admin create` and `team create`: works while a server is running and before the first start. */
export async function createAdminTeam(context: ProcessContext, options: NewAdminOptions): Promise<void> {
  const name = TeamName.safeParse(options.name)
  if (!name.success) throw new StartError('The name must be 2 to 64 printable ASCII characters.')
  const email = requireEmail(options.email)
  const configured = await loadConfig(context)
  await announceDatabase(configured, context)
  await using store = await openStore(configured, context)
  const { config } = store
  await requireSameTokenKey(store.db, config.tokenKey)
  const divisions = Object.keys(config.divisions)
  const division = options.division ?? config.defaultDivision ?? divisions[0] ?? ''
  if (!divisions.includes(division))
    throw new StartError(`There is no division ${division}; there are ${divisions.join(', ')}.`)
  const made = await createTeamByHand({
    db: store.db,
    name: name.data,
    email,
    perms: options.perms,
    division,
    by: byCommand,
  })
  if ('collision' in made)
    throw new StartError(
      `A team with this ${made.collision} already exists${options.perms === 0 ? '' : '; see `pennant admin promote`'}.`,
    )
  if (await isShared(store)) await sleep(FOLLOW_MS)

  const tokens = tokensOf(config, context)
  const authToken = tokens.issueAuth(made.id)
  const teamToken = tokens.issueTeam(made.id)
  if (options.json) return context.print(JSON.stringify({ id: made.id, authToken, teamToken }))
  const state = options.perms === 0 ? 'was created' : `has the permissions ${namesOf(options.perms)}`
  context.print(`Team ${name.data} ${state}.`)
  context.print(`Sign in: ${signInLink(config.origin, teamToken)}`)
}

function tokensOf({ tokenKey, loginTimeout }: Config, { now }: ProcessContext): Tokens {
  return createTokens({ key: tokenKey, now, loginTimeoutMs: loginTimeout })
}

/** `pennant admin list`. */
export async function listAdminTeams(
  context: ProcessContext,
  { json = false }: { json?: boolean },
): Promise<void> {
  await using store = await openExistingStore(context)
  const admins = await listAdmins(store.db)
  if (json) return context.print(JSON.stringify(admins))
  if (admins.length === 0) context.print('No team has permissions.')
  for (const admin of admins) context.print(describe(admin))
}

/** `pennant admin promote`. Invalidates the team's tokens, so it prints a new one. */
export async function promoteTeam(
  context: ProcessContext,
  wanted: { email: string; perms: number; json?: boolean | undefined },
): Promise<void> {
  await changeTeam(context, wanted.email, {
    change: (db, change) => promote(db, { ...change, perms: wanted.perms }),
    printsLink: true,
    json: wanted.json,
  })
}

/** `pennant admin demote`. Prints no token: the current token holder may be the reason for the demotion. */
export async function demoteTeam(
  context: ProcessContext,
  address: string,
  { json }: { json?: boolean },
): Promise<void> {
  await changeTeam(context, address, { change: demote, printsLink: false, json })
}

/** `pennant admin sign-out`: for any team, with or without permissions. */
export async function signOutTeam(
  context: ProcessContext,
  address: string,
  { json }: { json?: boolean },
): Promise<void> {
  await changeTeam(context, address, { change: signOutByEmail, printsLink: true, json })
}

/** `pennant admin link`: whoever has the machine needs no second factor. */
export async function printAdminLink(
  context: ProcessContext,
  address: string,
  { json }: { json?: boolean },
): Promise<void> {
  const email = requireEmail(address)
  await using store = await openExistingStore(context, { needsKey: true })
  const { config, db } = store
  await requireSameTokenKey(db, config.tokenKey)
  const link = await localLink({
    db,
    email,
    tokens: tokensOf(config, context),
    markers: createDatabaseMarkers(db, context.now),
    loginTimeoutMs: config.loginTimeout,
    origin: config.origin,
    now: context.now,
  })
  if (link === null) throw new StartError(`No team with permissions has the email address ${email}.`)
  if (json) return context.print(JSON.stringify({ link }))
  context.print(`Sign in (once, no second factor needed): ${link}`)
}

interface TeamCommand {
  readonly change: (db: Database, team: { email: string; now: number }) => Promise<ChangedAdmin | null>
  readonly printsLink: boolean
  readonly json: boolean | undefined
}

async function changeTeam(context: ProcessContext, address: string, command: TeamCommand): Promise<void> {
  const email = requireEmail(address)
  await using store = await openExistingStore(context, { needsKey: command.printsLink })
  const { config } = store
  if (command.printsLink) await requireSameTokenKey(store.db, config.tokenKey)
  const team = await command.change(store.db, { email, now: context.now() })
  if (!team) throw new StartError(`No team has the email address ${email}.`)
  if (team.isChanged && (await isShared(store))) await sleep(FOLLOW_MS)
  const { id, perms, isChanged } = team
  const teamToken =
    isChanged && command.printsLink
      ? tokensOf(config, context).issueTeam(id, team.tokensValidFrom)
      : undefined
  if (command.json) return context.print(JSON.stringify({ id, perms, isChanged, teamToken }))
  context.print(describe(team))
  if (isChanged) context.print('Earlier tokens of this team are now invalid.')
  if (teamToken !== undefined) context.print(`Sign in: ${signInLink(config.origin, teamToken)}`)
}

function requireEmail(text: string): string {
  const email = Email.safeParse(text)
  if (!email.success) throw new StartError(`${text} is not an email address.`)
  return email.data
}

function describe({ name, email, perms, id }: Admin): string {
  return `${name} <${email ?? 'no address'}> ${id}: ${namesOf(perms)}`
}

function namesOf(perms: number): string {
  if (perms === ALL_PERMISSIONS) return 'all'
  const names = allPermissions.filter((name) => (perms & permissions[name]) !== 0)
  return names.join(', ') || 'none'
}
