import { connect } from 'node:net'

/** Sends raw bytes and returns everything received until the server closes the connection. */
export function exchange(url: string, sent: string, { halfClose = false } = {}): Promise<string> {
  const { hostname, port } = new URL(url)
  const bytes = Buffer.from(sent, 'latin1')
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    const received: Buffer[] = []
    socket
      .on('data', (chunk: Buffer) => received.push(chunk))
      .on('end', () => socket.end())
      // The server may reset the connection after its response, because it has not read the rest of the
      // request.
      .on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error)
      })
      .on('close', () => resolve(Buffer.concat(received).toString('latin1')))
    if (halfClose) socket.end(bytes)
    else socket.write(bytes)
  })
}

export interface RawResponse {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Splits received text into responses. The server never sends chunked bodies. */
export function responsesIn(text: string): RawResponse[] {
  const responses: RawResponse[] = []
  let rest = text
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (!/^HTTP\/1\.1 \d{3} /.test(rest) || end < 0) throw new Error(`no HTTP: ${rest.slice(0, 200)}`)
    const head = rest.slice(0, end)
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
    responses.push({
      status: Number(head.slice(9, 12)),
      head: head.toLowerCase(),
      body: rest.slice(end + 4, end + 4 + length),
    })
    rest = rest.slice(end + 4 + length)
  }
  return responses
}
