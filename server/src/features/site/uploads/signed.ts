import { redirect, type FileRoute } from '../../../http/response/files.ts'
import { localPath } from '../../../providers/uploads/local-path.ts'
import { segmentsOf } from './segments.ts'

/** Redirects requests for files of a private store to temporary signed URLs. */
export function signedFiles(signedUrl: (key: string) => Promise<string>): FileRoute {
  return {
    path: '/uploads/*',
    async respond({ url }) {
      const segments = segmentsOf(url)
      // Only signs valid upload keys, whatever else is in the bucket.
      if (!segments || localPath('', segments) === null) return null
      return redirect(await signedUrl(segments.join('/')))
    },
  }
}
