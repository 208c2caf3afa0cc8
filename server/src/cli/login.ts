import { spawn } from 'node:child_process'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiTokenName } from '@pennant/contract/api-tokens.ts'
import {
  endDeviceToken,
  pollDeviceSignIn,
  startDeviceSignIn,
  type goodDeviceStart,
} from '@pennant/contract/device-sign-in.ts'
import type { Scope } from '@pennant/contract/scopes.ts'
import type { z } from 'zod'
import type { Environment } from '../config/environment.ts'
import { StartError } from '../lib/errors.ts'
import { createCall, refused } from '../ops/challenges-as-code/site.ts'
import { siteAddress } from './challenge-site.ts'
import { loginsFile, readLogins, siteKey, writeLogin } from './logins.ts'
import type { ProcessContext } from './process-context.ts'

export interface LoginCommand {
  readonly url?: string
  readonly scope: readonly Scope[]
  readonly name?: string
  readonly browser: boolean
}

/** What `challenges` and `verify --url` need. */
const DEFAULT_SCOPES: readonly Scope[] = ['read', 'challenges:read', 'challenges:write']

const TOO_OLD = 'badEndpoint'

/** `pennant login`: a person confirms in a browser, on any machine, that this program gets an API token. */
export async function login(context: ProcessContext, command: LoginCommand): Promise<void> {
  const { env } = context
  const url = siteAddress(env, command.url)
  const site = siteKey(url)
  const earlier = (await readLogins(env))[site]
  const call = createCall(url)
  const name = command.name ?? `pennant on ${hostname().replaceAll(/[^\x20-\x7e]/g, '')}`.slice(0, 100)
  if (!ApiTokenName.safeParse(name).success)
    throw new StartError('--name must have 1 to 100 characters that can be seen.')
  const scopes = command.scope.length > 0 ? [...new Set(command.scope)] : [...DEFAULT_SCOPES]
  const started = await call(startDeviceSignIn, { body: { name, scopes } })
  if (started.kind === TOO_OLD)
    throw new StartError(
      `${site} does not know this sign-in. Create an API token in its settings and set PENNANT_TOKEN_FILE.`,
    )
  if (started.kind !== 'goodDeviceStart') throw refused(started)
  showCode(context, started.data, { name, mayOpen: command.browser })
  const granted = await waitForPerson(call, started.data)
  await writeLogin(env, site, { token: started.data.deviceCode, ...granted })
  context.print(`Signed in at ${site} with ${granted.scopes.join(', ')}. Stored in ${loginsFile(env)}.`)
  // The new one is stored, so the one that it replaces has no use any more.
  if (earlier) await call(endDeviceToken, { body: { token: earlier.token } })
}

type Started = z.output<typeof goodDeviceStart.data>

function showCode(
  context: ProcessContext,
  { url, userCode }: Started,
  { name, mayOpen }: { readonly name: string; readonly mayOpen: boolean },
): void {
  // Another program than Pennant may have written these.
  if (!/^[A-Z]{4}-[A-Z]{4}$/.test(userCode) || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new StartError('The site did not return a response of Pennant: check the address.')
  const { href } = new URL(url)
  context.print(`Open ${href} in a browser, on any machine, and enter this code:\n\n  ${userCode}\n`)
  context.print(`The page must show the same code and the name "${name}". Waiting for you to confirm there.`)
  if (mayOpen && context.isTerminal) openBrowser(context.env, `${href}?code=${userCode}`)
}

/** Null where there is no browser that this user sees. */
function browserCommand(env: Environment): readonly string[] | null {
  if (env['SSH_CONNECTION']) return null
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : null
}

/** Without a shell, which would interpret the address. If it fails, the printed lines are enough. */
function openBrowser(env: Environment, url: string): void {
  const [program, ...args] = browserCommand(env) ?? []
  if (program === undefined) return
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}

/** Ends with the request, which the site forgets after some minutes. */
async function waitForPerson(call: ReturnType<typeof createCall>, { deviceCode, intervalMs }: Started) {
  for (;;) {
    await sleep(intervalMs)
    const polled = await call(pollDeviceSignIn, { body: { deviceCode } })
    if (polled.kind === 'badDeviceCode')
      throw new StartError('No one confirmed in time. Run `pennant login` again.')
    if (polled.kind !== 'goodDeviceState') throw refused(polled)
    const { state, granted } = polled.data
    if (state === 'denied') throw new StartError('The sign-in was refused in the browser.')
    if (state === 'confirmed' && granted) return granted
  }
}

/** `pennant logout`: revokes the token of a login and forgets it. */
export async function logout(context: ProcessContext, command: { readonly url?: string }): Promise<void> {
  const { env } = context
  const logins = await readLogins(env)
  const sites = Object.keys(logins)
  const site =
    command.url === undefined && !env['PENNANT_URL'] && sites.length === 1
      ? (sites[0] ?? '')
      : siteKey(siteAddress(env, command.url))
  const known = logins[site]
  if (!known) throw new StartError(`There is no login at ${site} in ${loginsFile(env)}.`)
  const failure = await createCall(site)(endDeviceToken, { body: { token: known.token } }).then(
    (response) => (response.kind === 'goodDeviceEnd' ? null : response.message),
    (error: Error) => error.message,
  )
  await writeLogin(env, site, null)
  if (failure === null) context.print(`Signed out at ${site}.`)
  else
    throw new StartError(
      `Deleted the login at ${site}, but could not revoke its token (${failure}). Revoke "${known.name}" in the settings of the site.`,
    )
}
