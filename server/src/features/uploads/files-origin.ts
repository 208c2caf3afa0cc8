import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Whether the Host header matches this origin. */
export function isForOrigin({ headers }: FastifyRequest, origin: string): boolean {
  const { protocol, host } = new URL(origin)
  const url = `${protocol}//${headers.host ?? ''}`
  return URL.canParse(url) && new URL(url).host === host
}

/**
 * Serves nothing but files on the files origin, so that a malicious file cannot reach the API or the site
 * from there.
 */
export function onlyFilesOn(filesOrigin: string): (app: FastifyInstance) => void {
  return (app) => {
    app.addHook('onRequest', async (request, reply) => {
      if (isForOrigin(request, filesOrigin) && !request.url.startsWith('/uploads/'))
        return reply.callNotFound()
    })
  }
}
