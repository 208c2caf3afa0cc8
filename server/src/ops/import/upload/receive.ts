import { contestImportLimits } from '@pennant/contract/contest-import.ts'
import { receiveArchive } from '../../../features/site/uploads/receive-archive.ts'
import { openStaging, type HashedFile } from '../../../features/site/uploads/staging.ts'
import type { IncomingBody } from '../../../http/request/body.ts'
import { refuse } from '../../../http/request/validate.ts'
import type { Log } from '../../../lib/log.ts'

export interface Received extends AsyncDisposable {
  readonly archive: HashedFile
  /** Null if none was sent. */
  readonly token: string | null
  /** In the order of their names. */
  readonly configuration: readonly ReceivedConfiguration[]
}

export interface ReceivedConfiguration extends HashedFile {
  readonly name: string
}

export interface Receiving {
  readonly folder: string
  readonly maxRequestBodySize: number
  readonly log: Log
}

/** The file is readable only by this user: it contains passwords and addresses. Disposal deletes it. */
export async function receiveContest({ folder, ...limits }: Receiving, incoming: IncomingBody) {
  const staging = openStaging(folder, { mode: 0o600, folderMode: 0o700 })
  let token: string | null = null
  const configuration: ReceivedConfiguration[] = []
  let isKept = false
  try {
    const form = await receiveArchive(incoming, {
      ...limits,
      staging,
      async onFile({ field, name = '', content }) {
        if (field !== 'configuration') {
          content.resume()
          return null
        }
        configuration.push({ name, ...(await staging.receive(content)) })
        const bytes = configuration.reduce((sum, { size }) => sum + size, 0)
        if (configuration.length > contestImportLimits.configurationFiles)
          return refuse('body', 'configuration', 'has too many files')
        return bytes > contestImportLimits.configurationBytes
          ? refuse('body', 'configuration', 'is too large')
          : null
      },
      onField(name, value) {
        if (name !== 'token') return null
        token = value.trim()
        return token.length > contestImportLimits.token ? refuse('body', 'token', 'is too long') : null
      },
    })
    if ('refused' in form) return form
    isKept = true
    return {
      archive: form.archive,
      token,
      configuration: configuration.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      [Symbol.asyncDispose]: () => staging[Symbol.asyncDispose](),
    } satisfies Received
  } finally {
    if (!isKept) await staging[Symbol.asyncDispose]()
  }
}
