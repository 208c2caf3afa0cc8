import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { attachment } from '../../../lib/attachment.ts'
import { redirect, type FileRequest, type FileRoute } from '../../../http/response/files.ts'
import { isFresh, type Rendered } from '../../../http/response/send.ts'
import { localPath } from '../../../providers/uploads/local-path.ts'
import { hostTest } from './files-origin.ts'
import { mediaTypeOf } from './media-types.ts'
import { readRange } from './range.ts'
import { segmentsOf } from './segments.ts'
import { cacheSmallFiles, type FoundFile } from './small-files.ts'

export interface UploadFilesOptions {
  readonly folder: string
  /** Separate origin for files, instead of the site's own. */
  readonly filesOrigin?: string | undefined
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs: () => number
}

/** If a browser displays a file despite the attachment header, the sandbox gives it an origin of its own, without scripts. */
const ALWAYS = Object.entries({
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'accept-ranges': 'bytes',
}).flat()

/** The content of a key never changes. */
const FOREVER = ['cache-control', 'public, max-age=31557600, immutable']

/**
 * Serves the files of `uploads/local` to anyone who knows the key, even before the start. With a separate
 * files origin, other hosts redirect there, so that previously stored URLs still work.
 */
export function uploadFiles({ folder, filesOrigin, elapsedMs }: UploadFilesOptions): FileRoute {
  const isFilesHost = filesOrigin === undefined ? () => true : hostTest(filesOrigin)
  const files = cacheSmallFiles(elapsedMs)
  return {
    path: '/uploads/*',
    respond(request) {
      const segments = segmentsOf(request.url)
      const path = segments && localPath(folder, segments)
      if (!segments || !path) return null
      const responseWith = (found: FoundFile | null) => {
        if (!found) return null
        if (filesOrigin !== undefined && !isFilesHost(request.headers.host))
          return redirect(filesOrigin + urlOf(segments))
        return responseOf(request, segments, { ...found, path })
      }
      const content = files.kept(path)
      return content ? responseWith({ size: content.length, content }) : files.find(path).then(responseWith)
    },
  }
}

/** The key includes a hash of the content. */
function etagOf(segments: readonly string[]): string {
  return `"${encodeURIComponent(segments.join('/'))}"`
}

/** Never shown in the browser, and saved under its own name. */
function namedHeaders(segments: readonly string[]): string[] {
  const name = segments.at(-1) ?? ''
  return ['content-disposition', attachment(name), 'content-type', mediaTypeOf(extname(name))]
}

function urlOf(segments: readonly string[]): string {
  return `/uploads/${segments.map(encodeURIComponent).join('/')}`
}

interface ServedFile extends FoundFile {
  readonly path: string
}

function responseOf(
  { raw, headers }: FileRequest,
  segments: readonly string[],
  { path, size, content }: ServedFile,
): Rendered {
  const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = headers
  const etag = etagOf(segments)
  const common = [...ALWAYS, 'etag', etag]
  if (isFresh(ifNoneMatch, etag)) return { status: 304, headers: [...common, ...FOREVER], body: null }
  const named = [...common, ...namedHeaders(segments)]
  const isWhole = range === undefined || (ifRange !== undefined && ifRange !== etag)
  const part = isWhole ? 'whole' : readRange(range, size)
  if (part === 'none') {
    const none = ['content-range', `bytes */${size}`, 'cache-control', 'no-store', 'content-length', '0']
    return { status: 416, headers: [...named, ...none], body: null }
  }
  const { start, end } = part === 'whole' ? { start: 0, end: size - 1 } : part
  const ranged = part === 'whole' ? [] : ['content-range', `bytes ${start}-${end}/${size}`]
  const isEmpty = raw.method === 'HEAD' || end < start
  const bytes = content ? content.subarray(start, end + 1) : null
  return {
    status: part === 'whole' ? 200 : 206,
    headers: [...named, ...FOREVER, ...ranged, 'content-length', String(end - start + 1)],
    // A read stream cannot express the empty range of an empty file.
    body: isEmpty ? null : (bytes ?? createReadStream(path, { start, end })),
  }
}
