import type { FastifyInstance } from 'fastify'
import { localPath } from '../../providers/uploads/local-path.ts'
import { segmentsOf } from './segments.ts'

/** Redirects requests for files of a private store to temporary signed URLs. */
export function signedFiles(signedUrl: (key: string) => Promise<string>): (app: FastifyInstance) => void {
  return (app) => {
    app.get('/uploads/*', async (request, reply) => {
      const segments = segmentsOf(request.url)
      // Only signs valid upload keys, whatever else is in the bucket.
      if (!segments || localPath('', segments) === null) return reply.callNotFound()
      return reply
        .header('cache-control', 'no-store')
        .header('x-content-type-options', 'nosniff')
        .redirect(await signedUrl(segments.join('/')), 302)
    })
  }
}
