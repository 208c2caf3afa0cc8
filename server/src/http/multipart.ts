import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { badBody, badBodySize } from '@pennant/contract/replies.ts'
import type { Answer } from '@pennant/contract/route.ts'
import { AbortedError } from './body.ts'

/** One file of a form, in the order in which it comes. Its content must be read, or the form does not go on. */
export interface FormFile {
  readonly field: string | undefined
  /** As sent, paths and all. */
  readonly name: string | undefined
  readonly content: Readable
}

/** What may be wrong with any form. */
export type FormRefusal = ReturnType<typeof badBody> | ReturnType<typeof badBodySize>

export interface FormOptions<Refusal extends Answer> {
  /** Most bytes of the whole body. */
  readonly cap: number
  /** A refusal ends the reading. */
  readonly onFile: (file: FormFile) => Promise<Refusal | FormRefusal | null>
  readonly onField?: (name: string | undefined, value: string) => Refusal | FormRefusal | null
}

/** Far more than any form of ours has. */
const LIMITS = { parts: 1000, fields: 100, fieldSize: 64 * 1024, headerSize: 16 * 1024, headerPairs: 100 }

const MULTIPART = /^multipart\/form-data\b/i

/** The answer to what is not a form (contract, participant 1.2). */
export function malformedForm() {
  return badBody({ reason: 'body:formData:malformed' })
}

/**
 * Reads a multipart form piece by piece: no file is ever in memory as a whole. Resolves when every `onFile` has ended,
 * with the refusal when there was one.
 */
export async function readForm<Refusal extends Answer = never>(
  raw: IncomingMessage,
  options: FormOptions<Refusal>,
): Promise<Refusal | FormRefusal | null> {
  const type = raw.headers['content-type']
  const length = Number(raw.headers['content-length'] ?? 0)
  if (length > options.cap) return badBodySize({ maxSize: options.cap })
  const isEmpty = length === 0 && raw.headers['transfer-encoding'] === undefined
  if (type === undefined && isEmpty) return null
  const parser = createParser(raw, type)
  return parser ? await parse(raw, parser, options) : malformedForm()
}

function createParser(raw: IncomingMessage, type: string | undefined): BusboyInstance | null {
  const encoding = raw.headers['content-encoding']
  if (type === undefined || !MULTIPART.test(type)) return null
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return null
  try {
    return new Busboy({
      headers: { ...raw.headers, 'content-type': type },
      limits: LIMITS,
      // Else `a/b` would come as `b`, and a wrong name pass for a good one.
      preservePath: true,
    })
  } catch {
    // No boundary, for one.
    return null
  }
}

async function parse<Refusal extends Answer>(
  raw: IncomingMessage,
  parser: BusboyInstance,
  options: FormOptions<Refusal>,
): Promise<Refusal | FormRefusal | null> {
  const reading: Promise<unknown>[] = []
  const contents: Readable[] = []
  const whole = new Promise<Refusal | FormRefusal | null>((resolve, reject) => {
    // Whichever comes first is the answer; what the others do after it changes nothing.
    const refuse = (refusal: Refusal | FormRefusal | null) => void (refusal && resolve(refusal))
    const abort = (cause?: Error) => reject(new AbortedError('The form broke off.', { cause }))
    const tooMany = () => resolve(badBody({ reason: 'body:formData: has too many parts' }))

    let size = 0
    raw.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > options.cap) resolve(badBodySize({ maxSize: options.cap }))
    })
    raw.once('error', abort).once('close', () => raw.readableEnded || abort())
    parser
      .on('file', (field, content, name) => {
        contents.push(content)
        content.on('error', () => resolve(malformedForm()))
        reading.push(options.onFile({ field, name, content }).then(refuse, reject))
      })
      .on('field', (name, value) => refuse(options.onField?.(name, value) ?? null))
      .on('partsLimit', tooMany)
      .on('fieldsLimit', tooMany)
      .on('error', () => resolve(malformedForm()))
      .once('finish', () => void Promise.all(reading).then(() => resolve(null), reject))
    raw.pipe(parser)
  })
  try {
    return await whole
  } finally {
    raw.unpipe(parser).pause()
    for (const content of contents) content.destroy()
    await Promise.allSettled(reading)
  }
}
