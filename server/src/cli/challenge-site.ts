import { readFile, stat } from 'node:fs/promises'
import type { Environment } from '../config/environment.ts'
import { StartError } from '../lib/errors.ts'
import { readLogins, siteKey } from './logins.ts'
import type { ProcessContext } from './process-context.ts'
import { requireHttpUrl } from './values.ts'

export interface SiteCommand {
  readonly url?: string
  readonly tokenFile?: string
}

/** Far more than any token; the file is something else. */
const MAX_TOKEN_BYTES = 64 * 1024

/** The address that a command is given. */
export function siteAddress(env: Environment, url = env['PENNANT_URL']): string {
  if (url === undefined || url === '')
    throw new StartError('The address of the site is missing: set PENNANT_URL or --url.')
  return requireHttpUrl(url)
}

/** The token is never an argument: other users of the machine and logs of builds can read those. */
export async function siteOptions({ env, now }: ProcessContext, { url: given, tokenFile }: SiteCommand) {
  const url = siteAddress(env, given)
  const file = tokenFile ?? env['PENNANT_TOKEN_FILE']
  const token = (file ? await tokenIn(file) : env['PENNANT_TOKEN']) || (await loginToken(env, url, now()))
  if (token === undefined || token.trim() === '')
    throw new StartError(
      'The token is missing: run `pennant login`, or set PENNANT_TOKEN, PENNANT_TOKEN_FILE or --token-file.',
    )
  if (!/^[\x21-\x7e]+$/.test(token.trim()))
    throw new StartError('The token has characters that no token has.')
  return { url, token: token.trim() }
}

/** The token that `pennant login` stored for a site. */
export async function loginToken(env: Environment, url: string, now: number): Promise<string | undefined> {
  const login = (await readLogins(env))[siteKey(url)]
  if (login && login.expiresAt <= now)
    throw new StartError(`The login at ${siteKey(url)} has expired: run \`pennant login\` again.`)
  return login?.token
}

async function tokenIn(file: string): Promise<string> {
  try {
    if ((await stat(file)).size > MAX_TOKEN_BYTES) throw new StartError(`${file} is too large for a token.`)
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(`Could not read ${file}.`)
  }
}
