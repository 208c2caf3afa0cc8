import { createHash } from 'node:crypto'
import {
  badDataUri,
  badFilesUpload,
  badPictureFetch,
  fetchPicture as fetchPictureRoute,
  FileName,
  goodFilesUploadV1,
  goodFilesUploadV2,
  goodPictureFetch,
  goodUploadsQueryV1,
  goodUploadsQueryV2,
  queryUploadsV1,
  queryUploadsV2,
  uploadFilesV1,
  uploadFilesV2,
} from '@pennant/contract/uploads.ts'
import type { IncomingBody } from '../../../http/request/body.ts'
import { on, type Endpoint } from '../../../http/handler.ts'
import { readForm, type FormFile } from '../../../http/request/multipart.ts'
import { refuse } from '../../../http/request/validate.ts'
import { createSemaphore } from '../../../lib/semaphore.ts'
import type { Uploads } from '../../../providers/uploads/uploads.ts'
import { decodeDataUri } from './data-uri.ts'
import { fetchPicture } from './fetch-picture.ts'
import { openStaging, type Staging } from './staging.ts'
import { storeAll, type FileStorage, type NamedContent } from './store-files.ts'

export interface UploadDeps extends FileStorage {
  /** Maximum size of an upload in bytes. */
  readonly maxRequestBodySize: number
}

export function uploadRoutes(deps: UploadDeps): Endpoint[] {
  const { uploads } = deps
  const inTurn = createSemaphore({ slots: MAX_FETCHES, maxQueue: MAX_QUEUED_FETCHES })
  return [
    on(uploadFilesV1, async ({ body, team, ip }) => {
      const files: NamedContent[] = []
      // Decodes all files before storing any.
      for (const { name, data } of body.files) {
        const content = decodeDataUri(data)
        if (!content) return badDataUri()
        files.push({ name, content, sha256: createHash('sha256').update(content).digest('hex') })
      }
      const stored = await storeAll(deps, files, { actorId: team.id, ip })
      return stored ? goodFilesUploadV1(stored.map(({ name, url }) => ({ name, url }))) : badFilesUpload()
    }),

    on(uploadFilesV2, async ({ incoming, team, ip }) => {
      await using staging = openStaging(uploads.stagingFolder)
      const form = await receiveFiles(deps, incoming, staging)
      if ('refused' in form) return form.refused
      const stored = await storeAll(deps, form.files, { actorId: team.id, ip })
      return stored ? goodFilesUploadV2(stored) : badFilesUpload()
    }),

    on(fetchPictureRoute, async ({ body: { url }, team, ip }) => {
      const fetched = await inTurn(() => fetchPicture(url))
      if ('failure' in fetched) return badPictureFetch({ reason: fetched.failure })
      const [stored] = (await storeAll(deps, [{ ...fetched, source: url }], { actorId: team.id, ip })) ?? []
      return stored ? goodPictureFetch({ name: stored.name, url: stored.url }) : badFilesUpload()
    }),

    on(queryUploadsV1, async ({ body }) => {
      const found = await findAll(uploads, body.uploads)
      return goodUploadsQueryV1(
        found.map(({ sha256, name, file }) => ({ sha256, name, url: file?.url ?? null })),
      )
    }),

    on(queryUploadsV2, async ({ body }) => {
      const found = await findAll(uploads, body.uploads)
      return goodUploadsQueryV2(
        found.map(({ sha256, name, file }) => ({
          sha256,
          name,
          url: file?.url ?? null,
          size: file?.size ?? null,
        })),
      )
    }),
  ]
}

/** Pictures that are fetched at once, up to 10 MB each, and requests that wait for their turn. */
const MAX_FETCHES = 4
const MAX_QUEUED_FETCHES = 100

/** Streams the parts named `files` to disk, in order. */
async function receiveFiles(deps: UploadDeps, incoming: IncomingBody, staging: Staging) {
  const files: NamedContent[] = []
  let count = 0
  let failure: unknown

  async function onFile({ field, name, content }: FormFile) {
    if (field !== 'files') {
      content.resume()
      return null
    }
    const index = count++
    const checked = FileName.safeParse(name ?? '')
    if (!checked.success) {
      return refuse('body', `files.${index}.name`, checked.error.issues[0]?.message ?? 'is not valid')
    }
    try {
      const { sha256, path, size } = await staging.receive(content)
      files[index] = { name: checked.data, sha256, content: { path, size } }
      return null
    } catch (error) {
      // If the form itself was malformed, that error has already been returned.
      failure = error
      return badFilesUpload()
    }
  }
  const refused = await readForm<ReturnType<typeof badFilesUpload>>(incoming, {
    cap: deps.maxRequestBodySize,
    onFile,
    onField: (name) => (name === 'files' ? refuse('body', 'files', 'must be files') : null),
  })
  if (refused?.reply === badFilesUpload)
    deps.log.error({ err: failure }, 'could not record an upload in the audit log')
  if (refused) return { refused }
  return count === 0 ? { refused: refuse('body', 'files', 'needs at least one file') } : { files }
}

interface Question {
  readonly sha256: string
  readonly name: string
}

/** Limits concurrent lookups, because each may be a request to an S3 bucket. */
const MAX_FINDS = 16

function findAll(uploads: Uploads, questions: readonly Question[]) {
  const inTurn = createSemaphore({ slots: MAX_FINDS, maxQueue: questions.length })
  return Promise.all(
    questions.map(async ({ sha256, name }) => ({
      sha256,
      name,
      file: await inTurn(() => uploads.find(`${sha256}/${name}`)),
    })),
  )
}
