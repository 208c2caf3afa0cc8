import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Log } from '../lib/log.ts'
import { openDataFolder } from './data-folder.ts'
import type { ProcessContext } from './process-context.ts'

/** In the data folder, while there is no admin and the output is not a terminal. */
export const LINK_FILE = 'first-admin-link'

interface Greeting {
  readonly config: Pick<Config, 'dataDir'>
  readonly log: Log
  /** Writes a line to the program's output. */
  readonly say: (line: string) => void
}

/**
 * Shows the link that creates the first admin, or removes the file of an earlier start. Anyone with the link
 * becomes admin, and output that is not a terminal ends up in a log collector. In that case the link is
 * written to a file that only the server's user can read, and the output names the file.
 */
export async function showFirstAdminLink(
  link: string | null,
  { config, log, say }: Greeting,
  context: Pick<ProcessContext, 'isTerminal' | 'print'>,
): Promise<void> {
  const path = join(config.dataDir, LINK_FILE)
  const replaced = rm(path, { force: true })
  if (link === null || context.isTerminal) {
    // If the old file cannot be removed, its link no longer works anyway.
    await replaced.catch(() => {})
    if (link !== null)
      context.print(`There is no admin yet. To create the first one, open this link (it works once): ${link}`)
    return
  }
  try {
    await replaced
    await openDataFolder(config.dataDir)
    // `wx`, because an existing file would keep its mode.
    await using file = await open(path, 'wx', 0o600)
    await file.writeFile(`${link}\n`)
    say(`There is no admin yet. The sign-in link for the first one is in ${path}. It works once.`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, 'could not write the sign-in link for the first admin; run `pennant admin create`')
  }
}
