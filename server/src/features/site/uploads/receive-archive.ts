import { badArchiveUpload } from '@pennant/contract/challenge-archive.ts'
import type { IncomingBody } from '../../../http/request/body.ts'
import { readForm, type FormFile, type FormRefusal } from '../../../http/request/multipart.ts'
import { refuse } from '../../../http/request/validate.ts'
import type { Log } from '../../../lib/log.ts'
import type { HashedFile, Staging } from './staging.ts'

interface Receiving {
  readonly staging: Staging
  readonly maxRequestBodySize: number
  readonly log: Log
  /** Of other files. Returns the reply that ends the request, or null. */
  readonly onFile?: (file: FormFile) => Promise<FormRefusal | null>
  /** Of other fields. */
  readonly onField?: (name: string | undefined, value: string) => FormRefusal | null
}

type Refused = ReturnType<typeof badArchiveUpload> | FormRefusal

/** Streams the part `archive` of a form to disk. There must be exactly one. */
export async function receiveArchive(
  incoming: IncomingBody,
  { staging, maxRequestBodySize, log, onFile = discard, onField = () => null }: Receiving,
): Promise<{ readonly archive: HashedFile } | { readonly refused: Refused }> {
  const archives: HashedFile[] = []
  const refused = await readForm<ReturnType<typeof badArchiveUpload>>(incoming, {
    cap: maxRequestBodySize,
    async onFile(file) {
      try {
        if (file.field !== 'archive') return await onFile(file)
        archives.push(await staging.receive(file.content))
        return archives.length > 1 ? refuse('body', 'archive', 'must be one file') : null
      } catch (error) {
        log.error({ err: error }, 'could not receive an archive')
        return badArchiveUpload()
      }
    },
    onField: (name, value) =>
      name === 'archive' ? refuse('body', 'archive', 'must be a file') : onField(name, value),
  })
  const [archive] = archives
  if (refused) return { refused }
  return archive ? { archive } : { refused: refuse('body', 'archive', 'is missing') }
}

async function discard({ content }: FormFile): Promise<null> {
  content.resume()
  return null
}
