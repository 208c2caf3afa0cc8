import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { badBody, badBodySize, badJson } from '@pennant/contract/replies.ts'
import type { ApiResponse } from '@pennant/contract/route.ts'
import type { BodyAccount } from './body-budget.ts'

/** Maximum nesting of JSON: no client needs more, and recursion over deep values would overflow the stack. */
const MAX_DEPTH = 64

/** Chunks are copied into blocks of this size, because even a one-byte chunk takes several hundred bytes of memory. */
const BLOCK_BYTES = 16 * 1024

/** A request and the account for the memory of its body. */
export interface IncomingBody {
  readonly raw: IncomingMessage
  readonly headers: IncomingHttpHeaders
  readonly account: BodyAccount
}

export interface ReadOptions {
  /** Maximum size of the body in bytes. */
  readonly cap: number
  /** Called for each block, in order. If the body is not kept, the same buffer is reused for every block. */
  readonly onBlock?: (block: Buffer) => void
  /** False discards the body while it is read. It counts against the budget anyway, so the response does not differ. */
  readonly isKept?: boolean
}

export type BodyRead = { readonly body: ReadBody } | { readonly refused: ApiResponse }

export interface ReadBody {
  /** The whole body in one buffer; empty if it was not kept. */
  join(): Buffer
}

/** The client closed the connection while sending, so there is no one to send a response to. */
export class AbortedError extends Error {
  override readonly name = 'AbortedError'
}

/** The body came in chunks so small that handling them would cost too much CPU time. */
export class TinyChunksError extends AbortedError {}

/** Chunks of any size that a body may have. */
const FREE_CHUNKS = 1024
/** Minimum average size after that. Real clients send more; smaller chunks cost this process more time than the sender. */
const MIN_MEAN_BYTES = 32

/** Whether a body is rejected because its chunks are too small. One read of a socket can contain 10,000 one-byte chunks. */
export function areTooSmall(chunks: number, bytes: number): boolean {
  return chunks > FREE_CHUNKS && bytes < chunks * MIN_MEAN_BYTES
}

/** Whether the body has no content coding. Compressed bodies are not accepted. */
export function isPlain({ headers }: Pick<IncomingBody, 'headers'>): boolean {
  const encoding = headers['content-encoding']
  return encoding === undefined || encoding.toLowerCase() === 'identity'
}

/**
 * Reads a request body of at most `cap` bytes (docs/reference/requests-and-responses.md#body-size-limits). However it
 * is chunked, it takes its size plus one block of memory while it is read, and twice its size while it is joined.
 */
export function readBody({ raw, headers, account }: IncomingBody, options: ReadOptions): Promise<BodyRead> {
  const refused = { refused: badBodySize({ maxSize: options.cap }) }
  const announced = Number(headers['content-length'] ?? 0)
  if (announced > options.cap) return Promise.resolve(refused)
  const blocks = createBlocks(account, options)
  return new Promise((resolve, reject) => {
    let size = 0
    let chunks = 0
    const stop = () => {
      raw.off('data', onData)
      raw.pause()
    }
    function onData(chunk: Buffer): void {
      size += chunk.length
      chunks += 1
      if (areTooSmall(chunks, size)) {
        stop()
        reject(new TinyChunksError('body chunks too small'))
        return
      }
      if (size > options.cap) {
        stop()
        resolve(refused)
        return
      }
      try {
        // The usual case: a small body that came in one piece needs no copy.
        if (chunk.length === announced) blocks.takeWhole(chunk)
        else blocks.copy(chunk)
      } catch (error) {
        stop()
        reject(error as Error)
      }
    }
    raw.on('data', onData)
    raw.once('end', () => {
      blocks.end()
      resolve({ body: blocks })
    })
    raw.once('error', (cause) => reject(new AbortedError('request aborted', { cause })))
    raw.once('close', () => {
      if (!raw.readableEnded) reject(new AbortedError('request aborted'))
    })
  })
}

function createBlocks(account: BodyAccount, { onBlock, isKept = true }: ReadOptions) {
  let full: Buffer[] = []
  let block: Buffer = Buffer.alloc(0)
  let used = 0
  let reservedBytes = 0

  function reserve(bytes: number): void {
    account.reserve(bytes)
    reservedBytes += bytes
  }

  function nextBlock(): void {
    if (used > 0) {
      onBlock?.(block)
      if (isKept) full.push(block)
    }
    reserve(BLOCK_BYTES)
    if (isKept || used === 0) block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
    used = 0
  }

  return {
    takeWhole(chunk: Buffer): void {
      reserve(chunk.length)
      block = chunk
      used = chunk.length
    },
    copy(chunk: Buffer): void {
      let at = 0
      while (at < chunk.length) {
        if (used === block.length) nextBlock()
        const copied = chunk.copy(block, used, at)
        used += copied
        at += copied
      }
    },
    end(): void {
      if (used > 0) onBlock?.(block.subarray(0, used))
    },
    join(): Buffer {
      const last = block.subarray(0, isKept ? used : 0)
      if (full.length === 0) return last
      const size = full.length * BLOCK_BYTES + last.length
      account.reserve(size)
      const whole = Buffer.concat([...full, last], size)
      full = []
      block = whole
      used = size
      account.release(reservedBytes)
      reservedBytes = size
      return whole
    },
  }
}

export type JsonRead = { readonly value: unknown } | { readonly refused: ApiResponse }

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses UTF-8 JSON regardless of the content type. An empty body is not JSON. */
export function parseJson(bytes: Buffer): JsonRead {
  // Checked before parsing: a body of opening brackets takes a hundred times its size when it is parsed.
  if (isTooDeep(bytes))
    return { refused: badBody({ reason: `body:: nested deeper than ${MAX_DEPTH} levels` }) }
  try {
    return { value: JSON.parse(utf8.decode(bytes)) as unknown }
  } catch {
    return { refused: badJson() }
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** Counts brackets outside strings. In UTF-8 these bytes are not part of any other character. */
function isTooDeep(bytes: Buffer): boolean {
  let depth = 0
  let isInString = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (isInString && byte === BACKSLASH) at++
    else if (byte === QUOTE) isInString = !isInString
    else if (isInString) continue
    else if (OPENING.has(byte)) depth++
    else if (CLOSING.has(byte)) depth--
    if (depth > MAX_DEPTH) return true
  }
  return false
}
