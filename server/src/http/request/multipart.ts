import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { badBody, badBodySize } from '@pennant/contract/replies.ts'
import type { ApiResponse } from '@pennant/contract/route.ts'
import { AbortedError, areTooSmall, TinyChunksError, type IncomingBody } from './body.ts'

/** A file of a form. Its content must be read, or parsing stalls. */
export interface FormFile {
  readonly field: string | undefined
  /** As sent, including any path, with the characters that browsers escape. */
  readonly name: string | undefined
  readonly content: Readable
}

/** Refusals that any form can get. */
export type FormRefusal = ReturnType<typeof badBody> | ReturnType<typeof badBodySize>

export interface FormOptions<Refusal extends ApiResponse> {
  /** Maximum size of the whole body in bytes. */
  readonly cap: number
  /** A refusal ends the parsing. */
  readonly onFile: (file: FormFile) => Promise<Refusal | FormRefusal | null>
  readonly onField?: (name: string | undefined, value: string) => Refusal | FormRefusal | null
}

/** Far above what any of our forms needs. */
const LIMITS = { parts: 1000, fields: 100, fieldSize: 16 * 1024, headerSize: 16 * 1024, headerPairs: 100 }

/** Chunks are collected into blocks of this size, because even a one-byte chunk takes several hundred bytes of memory. */
const BLOCK_BYTES = 16 * 1024
/** Memory of one form: a block, one read of the socket, and the buffers of parser, field and file. */
const FORM_BYTES = 128 * 1024

const MULTIPART = /^multipart\/form-data\b/i

/** The response to a malformed form: docs/reference/requests-and-responses.md#multipart-forms */
export function malformedForm() {
  return badBody({ reason: 'body:formData:malformed' })
}

/**
 * Parses a multipart form as a stream: files are never in memory as a whole. Resolves when every `onFile` has resolved,
 * with the first refusal or null.
 */
export async function readForm<Refusal extends ApiResponse = never>(
  incoming: IncomingBody,
  options: FormOptions<Refusal>,
): Promise<Refusal | FormRefusal | null> {
  const { raw } = incoming
  const type = raw.headers['content-type']
  const length = Number(raw.headers['content-length'] ?? 0)
  if (length > options.cap) return badBodySize({ maxSize: options.cap })
  const isEmpty = length === 0 && raw.headers['transfer-encoding'] === undefined
  if (type === undefined && isEmpty) return null
  const parser = createParser(raw, type)
  return parser ? await parse(incoming, parser, options) : malformedForm()
}

function createParser(raw: IncomingMessage, type: string | undefined): BusboyInstance | null {
  const encoding = raw.headers['content-encoding']
  if (type === undefined || !MULTIPART.test(type)) return null
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return null
  try {
    return new Busboy({
      headers: { ...raw.headers, 'content-type': type },
      limits: LIMITS,
      // Otherwise `a/b` would become `b`, and an invalid name would pass as valid.
      preservePath: true,
    })
  } catch {
    // For example, the boundary is missing.
    return null
  }
}

async function parse<Refusal extends ApiResponse>(
  { raw, account }: IncomingBody,
  parser: BusboyInstance,
  options: FormOptions<Refusal>,
): Promise<Refusal | FormRefusal | null> {
  account.reserve(FORM_BYTES)
  const reading: Promise<unknown>[] = []
  const contents: Readable[] = []
  let stopFeeding: (() => void) | undefined
  const whole = new Promise<Refusal | FormRefusal | null>((resolve, reject) => {
    // The first one to settle the promise decides; the others have no effect.
    const refuse = (refusal: Refusal | FormRefusal | null) => void (refusal && resolve(refusal))
    const abort = (cause?: Error) => reject(new AbortedError('request aborted', { cause }))
    const tooMany = () => resolve(badBody({ reason: 'body:formData: has too many parts' }))

    parser
      .on('file', (field, content, name) => {
        contents.push(content)
        content.on('error', () => resolve(malformedForm()))
        reading.push(options.onFile({ field, name: unescaped(name), content }).then(refuse, reject))
      })
      .on('field', (name, value) => refuse(options.onField?.(name, value) ?? null))
      .on('partsLimit', tooMany)
      .on('fieldsLimit', tooMany)
      .on('error', () => resolve(malformedForm()))
      .once('finish', () => void Promise.all(reading).then(() => resolve(null), reject))
    raw.once('error', abort).once('close', () => raw.readableEnded || abort())
    const onTooLarge = () => resolve(badBodySize({ maxSize: options.cap }))
    const onTooSmall = () => reject(new TinyChunksError('body chunks too small'))
    stopFeeding = feed(raw, parser, { cap: options.cap, onTooLarge, onTooSmall })
  })
  try {
    return await whole
  } finally {
    stopFeeding?.()
    for (const content of contents) content.destroy()
    await Promise.allSettled(reading)
  }
}

/** Browsers escape these characters in the names of files, and no others (HTML, multipart/form-data encoding algorithm). */
function unescaped(name: string | undefined): string | undefined {
  return name?.replaceAll(/%(?:22|0A|0D)/g, decodeURIComponent)
}

interface FeedOptions {
  readonly cap: number
  readonly onTooLarge: () => void
  readonly onTooSmall: () => void
}

/**
 * Passes the body to the parser in blocks until the returned function is called. For backpressure it pauses the socket
 * rather than the request, because a paused request queues every chunk as a separate object.
 */
function feed(raw: IncomingMessage, parser: BusboyInstance, { cap, ...options }: FeedOptions): () => void {
  const { socket } = raw
  const block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
  let isBusy = false
  let size = 0
  let chunks = 0
  let used = 0
  let scheduled: NodeJS.Immediate | undefined

  function flush(): void {
    clearImmediate(scheduled)
    scheduled = undefined
    if (used === 0) return
    // Copied, because the parser passes slices to streams that are read later.
    isBusy = !parser.write(Buffer.from(block.subarray(0, used)))
    used = 0
    if (isBusy) socket.pause()
  }
  function onData(chunk: Buffer): void {
    size += chunk.length
    chunks += 1
    if (areTooSmall(chunks, size)) return options.onTooSmall()
    if (size > cap) return options.onTooLarge()
    for (let at = 0; at < chunk.length;) {
      const copied = chunk.copy(block, used, at)
      used += copied
      at += copied
      if (used === BLOCK_BYTES) flush()
    }
    scheduled ??= setImmediate(flush)
  }
  function onEnd(): void {
    flush()
    parser.end()
  }
  // Reading the request resumes the socket, so it has to be paused again.
  const onResume = () => void (isBusy && socket.pause())
  const onDrain = () => {
    isBusy = false
    socket.resume()
  }

  parser.on('drain', onDrain)
  socket.on('resume', onResume)
  raw.on('data', onData).once('end', onEnd)
  return () => {
    clearImmediate(scheduled)
    raw.off('data', onData).off('end', onEnd).pause()
    parser.off('drain', onDrain)
    socket.off('resume', onResume).resume()
  }
}
