import { setTimeout as sleep } from 'node:timers/promises'
import { Email, TeamName } from '@pennant/contract/fields.ts'
import { allPermissions, permissions, type Permission } from '@pennant/contract/permissions.ts'
import { createAdmin, demote, listAdmins, promote, type Admin } from '../features/accounts/admins.ts'
import { createTokens } from '../features/accounts/tokens.ts'
import { StartError } from '../lib/errors.ts'
import { loadConfig } from './load-config.ts'
import type { Outside } from './outside.ts'
import { isShared, openStore } from './store.ts'
import { requireSameTokenKey } from './token-key.ts'

/** A running server polls for changes every second; what is printed must work when it is read. */
const FOLLOW_MS = 1_200

export interface NewAdminOptions {
  readonly name: string
  readonly email: string
  readonly perms: number
  readonly json?: boolean
}

/** `pennant admin create`: works beside a running server and before the first one. */
export async function createAdminTeam(outside: Outside, options: NewAdminOptions): Promise<void> {
  const name = TeamName.safeParse(options.name)
  if (!name.success) throw new StartError('The name must be 2 to 64 printable ASCII characters.')
  const email = requireEmail(options.email)
  const config = await loadConfig(outside)
  await using store = await openStore(config, outside)
  await requireSameTokenKey(store.db, config.tokenKey)
  const division = config.defaultDivision ?? Object.keys(config.divisions)[0] ?? ''
  const made = await createAdmin({ db: store.db, name: name.data, email, perms: options.perms, division })
  if ('collision' in made)
    throw new StartError(`A team with this ${made.collision} exists; see \`pennant admin promote\`.`)
  if (await isShared(store)) await sleep(FOLLOW_MS)

  const { tokenKey: key, loginTimeout: loginTimeoutMs } = config
  const tokens = createTokens({ key, now: outside.now, loginTimeoutMs })
  const authToken = tokens.issueAuth(made.id)
  const teamToken = tokens.issueTeam(made.id)
  if (options.json) return outside.print(JSON.stringify({ id: made.id, authToken, teamToken }))
  outside.print(`Team ${name.data} has the permissions ${namesOf(options.perms)}.`)
  outside.print(`Sign in: ${config.origin}/verify?token=${encodeURIComponent(teamToken)}`)
}

/** `pennant admin list`. */
export async function listAdminTeams(outside: Outside, { json = false }: { json?: boolean }): Promise<void> {
  await using store = await openStore(await loadConfig(outside), outside)
  const admins = await listAdmins(store.db)
  if (json) return outside.print(JSON.stringify(admins))
  if (admins.length === 0) outside.print('No team has permissions.')
  for (const admin of admins) outside.print(describe(admin))
}

/** `pennant admin promote`. */
export async function promoteTeam(outside: Outside, wanted: { email: string; perms: number }): Promise<void> {
  const email = requireEmail(wanted.email)
  await using store = await openStore(await loadConfig(outside), outside)
  outside.print(describe(requireTeam(await promote(store.db, email, wanted.perms), email)))
}

/** `pennant admin demote`. */
export async function demoteTeam(outside: Outside, address: string): Promise<void> {
  const email = requireEmail(address)
  await using store = await openStore(await loadConfig(outside), outside)
  outside.print(describe(requireTeam(await demote(store.db, email), email)))
}

function requireEmail(text: string): string {
  const email = Email.safeParse(text)
  if (!email.success) throw new StartError(`${text} is not an email address.`)
  return email.data
}

function requireTeam(admin: Admin | null, email: string): Admin {
  if (!admin) throw new StartError(`No team has the address ${email}.`)
  return admin
}

function describe({ name, email, perms, id }: Admin): string {
  return `${name} <${email ?? 'no address'}> ${id}: ${namesOf(perms)}`
}

function namesOf(perms: number): string {
  if (perms === allPermissions) return 'all'
  const names = (Object.keys(permissions) as Permission[]).filter((name) => (perms & permissions[name]) !== 0)
  return names.join(', ') || 'none'
}
