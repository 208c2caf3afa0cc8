import { z } from 'zod'
import { MINUTE_MS } from './durations.ts'
import { LinkUrl } from './fields.ts'
import { badBodySize } from './replies.ts'
import { reply, route } from './route.ts'

// Files of challenges, stored by content hash, so that equal files are stored once:
// docs/reference/uploads.md#uploading-files

const UNSAFE = /[/\\:\0]/

/** A file name that is a single path segment in every store. */
export const FileName = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => !UNSAFE.test(name) && name !== '.' && name !== '..', {
    error: 'must be a plain file name, without /, \\\\ or :',
  })

const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/i, { error: 'must be 64 hex digits' })
  .transform((text) => text.toLowerCase())

/** Maximum entries of one query. */
export const MAX_UPLOAD_QUERY = 1024
/** Maximum files of one JSON upload. */
const MAX_FILES = 1000

const UploadedV1 = z.object({ name: z.string(), url: z.string() })
const UploadedV2 = UploadedV1.extend({ size: z.int().nullable() })
const FoundV1 = z.object({ sha256: z.string(), name: z.string(), url: z.string().nullable() })
const FoundV2 = FoundV1.extend({ size: z.int().nullable() })

export const goodFilesUploadV1 = reply(200, 'goodFilesUpload', 'The files were stored.', z.array(UploadedV1))
export const goodFilesUploadV2 = reply(200, 'goodFilesUpload', 'The files were stored.', z.array(UploadedV2))
export const goodUploadsQueryV1 = reply(200, 'goodUploadsQuery', 'Upload state.', z.array(FoundV1))
export const goodUploadsQueryV2 = reply(200, 'goodUploadsQuery', 'Upload state.', z.array(FoundV2))
export const badDataUri = reply(400, 'badDataUri', 'An upload is not a valid data URI.')
export const badFilesUpload = reply(500, 'badFilesUpload', 'The upload could not be stored.')

const upload = {
  compatible: true,
  method: 'POST',
  auth: 'required',
  perms: ['challsWrite'],
  scope: 'challenges:write',
  bodyCap: 'upload',
} as const
const uploadReplies = [badFilesUpload] as const

export const uploadFilesV1 = route({
  ...upload,
  path: '/api/v1/admin/upload',
  bodyCap: 'jsonUpload',
  summary: 'Stores files that come as data URIs.',
  body: z.object({ files: z.array(z.object({ name: FileName, data: z.string() })).max(MAX_FILES) }),
  limits: ['organiserFiles'],
  replies: [goodFilesUploadV1, badDataUri, ...uploadReplies],
})

export const uploadFilesV2 = route({
  ...upload,
  path: '/api/v2/admin/upload',
  summary: 'Stores files that come as parts named `files`.',
  form: z.object({ files: z.array(z.file()) }),
  limits: ['organiserFiles'],
  replies: [goodFilesUploadV2, ...uploadReplies, badBodySize],
})

const query = {
  compatible: true,
  method: 'POST',
  auth: 'required',
  perms: ['challsRead'],
  scope: 'challenges:read',
  bodyCap: 'admin',
  summary: 'Reports which files are already stored.',
  body: z.object({
    uploads: z.array(z.object({ sha256: Sha256, name: FileName })).max(MAX_UPLOAD_QUERY),
  }),
} as const
const queryReplies = [] as const

export const queryUploadsV1 = route({
  ...query,
  path: '/api/v1/admin/upload/query',
  limits: ['organiserFiles'],
  replies: [goodUploadsQueryV1, ...queryReplies],
})

export const queryUploadsV2 = route({
  ...query,
  path: '/api/v2/admin/upload/query',
  limits: ['organiserFiles'],
  replies: [goodUploadsQueryV2, ...queryReplies],
})

/** Why a picture of another site was not fetched. */
const PictureFailure = z.enum(['address', 'unreachable', 'tooLarge', 'noPicture'])

/** Pictures of other sites that one import fetches, all together in bytes and in time. */
export const pictureLimits = { count: 100, bytes: 100 * 1024 * 1024, ms: 2 * MINUTE_MS }

/** A picture that an import left where it is. `limit`: one of `pictureLimits` was reached. */
export const LeftPicture = z.object({
  address: z.string().describe('Where the picture is.'),
  reason: z.enum([...PictureFailure.options, 'limit', 'notStored']),
})

export const goodPictureFetch = reply(200, 'goodPictureFetch', 'The picture was stored.', UploadedV1)
export const badPictureFetch = reply(
  400,
  'badPictureFetch',
  'The picture could not be fetched.',
  z.object({ reason: PictureFailure }),
)
/** Longest address of a picture that the server fetches. */
const MAX_PICTURE_URL = 2048

export const fetchPicture = route({
  method: 'POST',
  auth: 'required',
  perms: ['challsWrite'],
  scope: 'challenges:write',
  bodyCap: 'admin',
  path: '/api/v2/admin/upload/picture',
  summary: 'Fetches a picture of another site, which must be on the internet, and stores it.',
  body: z.object({ url: LinkUrl.max(MAX_PICTURE_URL).meta({ 'x-address': true }) }),
  limits: ['organiserJobs'],
  replies: [goodPictureFetch, badPictureFetch, badFilesUpload],
})

export const uploadRouteList = [
  uploadFilesV1,
  uploadFilesV2,
  queryUploadsV1,
  queryUploadsV2,
  fetchPicture,
] as const
