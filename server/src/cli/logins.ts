import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { Environment } from '../config/environment.ts'
import { StartError } from '../lib/errors.ts'
import { reasonOf } from '../lib/reason.ts'

// What `pennant login` stored: docs/operate/command-line.md#sign-in

export interface Login {
  readonly token: string
  readonly name: string
  /** Unix milliseconds. */
  readonly expiresAt: number
}

const Logins = z.record(
  z.string(),
  z.object({ token: z.string().regex(/^[\x21-\x7e]+$/), name: z.string(), expiresAt: z.number() }),
)
type Logins = Readonly<Record<string, Login>>

/** Sites that one person signs in at. */
const MAX_LOGINS = 100

/** The key of a site: its address without a slash at the end. */
export const siteKey = (url: string) => new URL(url).href.replace(/\/+$/, '')

export function loginsFile(env: Environment): string {
  const folder = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config')
  return join(folder, 'pennant', 'logins.json')
}

/** Logins by site; empty if there is no file. */
export async function readLogins(env: Environment): Promise<Logins> {
  const path = loginsFile(env)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw new StartError(`Could not read ${path}: ${reasonOf(error)}.`)
  })
  const parsed = Logins.safeParse(parseJson(text))
  if (!parsed.success)
    throw new StartError(`${path} is damaged. Delete it, then run \`pennant login\` again.`)
  return parsed.data
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Stores the login of a site, or deletes it with null. Only this user can read the file. */
export async function writeLogin(env: Environment, site: string, login: Login | null): Promise<void> {
  const path = loginsFile(env)
  const { [site]: _earlier, ...others } = await readLogins(env)
  const logins = login === null ? others : { ...others, [site]: login }
  if (Object.keys(logins).length > MAX_LOGINS)
    throw new StartError(`There are more than ${MAX_LOGINS} logins. End some with \`pennant logout\`.`)
  const temporary = `${path}.${process.pid}`
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(temporary, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new StartError(`Could not write ${path}: ${reasonOf(error)}.`, { cause: error })
  }
}
