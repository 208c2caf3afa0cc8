import type { FastifyInstance } from 'fastify'
import { localPath } from '../../providers/uploads/local-path.ts'
import { segmentsOf } from './segments.ts'

/** Sends those who ask for a file of a private store to an address at which they may have it for a while. */
export function signedFiles(signedUrl: (key: string) => Promise<string>): (app: FastifyInstance) => void {
  return (app) => {
    app.get('/uploads/*', async (request, reply) => {
      const segments = segmentsOf(request.url)
      // Nothing but keys is signed, whatever else the bucket holds.
      if (!segments || localPath('', segments) === null) return reply.callNotFound()
      return reply
        .header('cache-control', 'no-store')
        .header('x-content-type-options', 'nosniff')
        .redirect(await signedUrl(segments.join('/')), 302)
    })
  }
}
