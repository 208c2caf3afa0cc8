import { request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'

/** A response with the bytes of its body, as Latin-1. */
export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends a request whose headers are exactly these, without what fetch adds or changes. */
export function exchange(
  url: string,
  { headers = {}, method = 'GET', body }: RawRequest = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: bytes.toString('latin1'),
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

interface RawRequest {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
}
