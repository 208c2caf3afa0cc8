import { badArchiveUpload } from '@pennant/contract/challenge-archive.ts'
import { contestImportMost } from '@pennant/contract/contest-import.ts'
import { openStaging, type HashedFile } from '../../features/uploads/staging.ts'
import type { IncomingBody } from '../../http/body.ts'
import { readForm } from '../../http/multipart.ts'
import { refuse } from '../../http/validate.ts'
import type { Log } from '../../lib/log.ts'

export interface Received extends AsyncDisposable {
  readonly archive: HashedFile
  /** Null if none was sent. */
  readonly token: string | null
}

export interface Receiving {
  readonly folder: string
  readonly maxRequestBodySize: number
  readonly log: Log
}

/**
 * Streams the part `archive` to a file that only this user can read: it contains passwords and addresses. Disposal deletes it.
 */
export async function receiveArchive({ folder, maxRequestBodySize, log }: Receiving, incoming: IncomingBody) {
  const staging = openStaging(folder, { mode: 0o600, folderMode: 0o700 })
  const archives: HashedFile[] = []
  let token: string | null = null
  try {
    const refused = await readForm<ReturnType<typeof badArchiveUpload>>(incoming, {
      cap: maxRequestBodySize,
      async onFile({ field, content }) {
        if (field !== 'archive') {
          content.resume()
          return null
        }
        try {
          archives.push(await staging.receive(content))
          return archives.length > 1 ? refuse('body', 'archive', 'must be one file') : null
        } catch (error) {
          log.error({ err: error }, 'could not receive an archive')
          return badArchiveUpload()
        }
      },
      onField(name, value) {
        if (name === 'archive') return refuse('body', 'archive', 'must be a file')
        if (name !== 'token') return null
        token = value.trim()
        return token.length > contestImportMost.token ? refuse('body', 'token', 'is too long') : null
      },
    })
    const [archive] = archives
    if (!refused && archive)
      return {
        archive,
        token,
        [Symbol.asyncDispose]: () => staging[Symbol.asyncDispose](),
      } satisfies Received
    await staging[Symbol.asyncDispose]()
    return { refused: refused ?? refuse('body', 'archive', 'is missing') }
  } catch (error) {
    await staging[Symbol.asyncDispose]()
    throw error
  }
}
