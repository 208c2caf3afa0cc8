import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface NameServer extends AsyncDisposable {
  /** Address with port, for a resolver. */
  readonly address: string
  /** Text records by name; other names do not exist. */
  readonly texts: Map<string, string>
}

const HEADER_BYTES = 12

/** A DNS server on this machine that has only text records. */
export async function startNameServer(): Promise<NameServer> {
  const texts = new Map<string, string>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, end } = questionOf(query)
    const text = texts.get(name)
    const header = Buffer.from(query.subarray(0, HEADER_BYTES))
    // A response; the name does not exist if there is no text.
    header.writeUInt16BE(text === undefined ? 0x85_83 : 0x85_80, 2)
    header.writeUInt16BE(text === undefined ? 0 : 1, 6)
    header.writeUInt32BE(0, 8)
    const parts = [header, query.subarray(HEADER_BYTES, end), ...(text === undefined ? [] : [answerOf(text)])]
    socket.send(Buffer.concat(parts), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    texts,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function questionOf(query: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  // The end of the name, the type and the class.
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

/** Pointer to the name of the question, type TXT, class IN, one minute, one text. */
function answerOf(text: string): Buffer {
  const head = Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 60, 0, text.length + 1, text.length])
  return Buffer.concat([head, Buffer.from(text, 'latin1')])
}
