import type { IncomingMessage } from 'node:http'
import { badBody, badBodySize, badJson } from '@pennant/contract/replies.ts'
import type { Answer } from '@pennant/contract/route.ts'

/** Deeper JSON is refused: nobody sends it in earnest, and walking it would cost the stack. */
const MAX_DEPTH = 64

export type BodyRead = { readonly bytes: Buffer } | { readonly refused: Answer }

/** The caller went away while sending. There is nobody to answer. */
export class AbortedError extends Error {
  override readonly name = 'AbortedError'
}

/** Whether the bytes of the body are the text itself. Compressed bodies are not taken. */
export function isPlain(raw: IncomingMessage): boolean {
  const encoding = raw.headers['content-encoding']
  return encoding === undefined || encoding.toLowerCase() === 'identity'
}

/** Reads a request's body up to `cap` bytes. Over the cap nothing more is read (contract, participant 1.5). */
export function readBody(raw: IncomingMessage, cap: number): Promise<BodyRead> {
  const refused = { refused: badBodySize({ maxSize: cap }) }
  if (Number(raw.headers['content-length'] ?? 0) > cap) return Promise.resolve(refused)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const onData = (chunk: Buffer) => {
      size += chunk.length
      if (size <= cap) {
        chunks.push(chunk)
        return
      }
      raw.off('data', onData)
      raw.pause()
      resolve(refused)
    }
    raw.on('data', onData)
    raw.once('end', () =>
      resolve({ bytes: chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks) }),
    )
    raw.once('error', (cause) => reject(new AbortedError('The request broke off.', { cause })))
    raw.once('close', () => {
      if (!raw.readableEnded) reject(new AbortedError('The request broke off.'))
    })
  })
}

export type JsonRead = { readonly value: unknown } | { readonly refused: Answer }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses UTF-8 JSON whatever the content type says. An empty body is not JSON. */
export function parseJson(bytes: Buffer): JsonRead {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    return { refused: badJson() }
  }
  return isTooDeep(value)
    ? { refused: badBody({ reason: `body:: nested deeper than ${MAX_DEPTH} levels` }) }
    : { value }
}

function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
    if (level.length === 0) return false
  }
  return true
}
