import { readFile, stat } from 'node:fs/promises'
import { StartError } from '../lib/errors.ts'
import type { ProcessContext } from './process-context.ts'
import { requireHttpUrl } from './values.ts'

export interface SiteCommand {
  readonly url?: string
  readonly tokenFile?: string
}

/** Far more than any token; the file is something else. */
const MAX_TOKEN_BYTES = 64 * 1024

/** The token is never an argument: other users of the machine and logs of builds can read those. */
export async function siteOptions(
  { env }: ProcessContext,
  { url = env['PENNANT_URL'], tokenFile }: SiteCommand,
) {
  if (url === undefined || url === '')
    throw new StartError('The address of the site is missing: set PENNANT_URL or --url.')
  const file = tokenFile ?? env['PENNANT_TOKEN_FILE']
  const token = file === undefined || file === '' ? env['PENNANT_TOKEN'] : await tokenIn(file)
  if (token === undefined || token.trim() === '')
    throw new StartError('The token is missing: set PENNANT_TOKEN, PENNANT_TOKEN_FILE or --token-file.')
  if (!/^[\x21-\x7e]+$/.test(token.trim()))
    throw new StartError('The token has characters that no token has.')
  return { url: requireHttpUrl(url), token: token.trim() }
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
