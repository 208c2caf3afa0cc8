import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import yaml from 'yaml'
import { z } from 'zod'

// A session is what a tool sends to a server, in its order, and what it reads from each response. `$text`, `$number`, `$list`
// and `$any` stand for any such value, `$absent` for no value; `{ $some: x }` is a list with one element like x, `{ $all: [x] }`
// one with an element like each of them. Of an object, only the named fields are read.

const Fields = z.record(z.string(), z.string())

const Step = z.strictObject({
  name: z.string(),
  /** Method and path. */
  send: z.string(),
  bearer: z.string().optional(),
  json: z.unknown().optional(),
  /** Sent as it is, as JSON. */
  body: z.string().optional(),
  form: z
    .array(z.strictObject({ field: z.string(), name: z.string(), type: z.string(), text: z.string() }))
    .optional(),
  /** Signs the body with the headers of rCTF; `bound` is the id of a challenge that the signed text has too. */
  sign: z.strictObject({ secret: z.string(), bound: z.string().optional() }).optional(),
  /** The status and the fields of the envelope; `json` and `text` are bodies without one. */
  reads: z.looseObject({ status: z.int() }),
  /** Names for values of the response, by path. */
  save: Fields.optional(),
})

const Session = z.strictObject({
  tool: z.string(),
  version: z.coerce.string(),
  /** The page that says where the calls are described. */
  facts: z.string(),
  steps: z.array(Step).min(1),
})

export type Session = z.output<typeof Session>
type Step = Session['steps'][number]

export type Values = Readonly<Record<string, string>>

/** Reads a session from a YAML file. Throws if it is malformed. */
export async function readSession(path: string): Promise<Session> {
  return Session.parse(yaml.parse(await readFile(path, 'utf8'), { merge: true }))
}

/**
 * Sends the requests of a session to the server at `url` and returns what differs from what the tool reads, one line each. Stops
 * at the first difference, as the tool would.
 */
export async function replay(session: Session, url: string, values: Values): Promise<string[]> {
  const known = new Map(Object.entries(values))
  for (const step of session.steps) {
    const response = await send(step, { url, known })
    const found = await bodyOf(response, step)
    const { status, ...reads } = fill(step.reads, known) as Step['reads']
    const different =
      response.status === status
        ? differences(reads, found, '')
        : [` has the status ${response.status} instead of ${status}`]
    if (different.length > 0)
      return different.map(
        (each) => `${session.tool}, ${step.name}:${each}. ${JSON.stringify(found).slice(0, 1000)}`,
      )
    for (const [name, path] of Object.entries(step.save ?? {})) known.set(name, String(at(found, path)))
  }
  return []
}

interface Context {
  readonly url: string
  readonly known: ReadonlyMap<string, string>
}

async function send(step: Step, { url, known }: Context): Promise<Response> {
  const [method = '', path = ''] = (fill(step.send, known) as string).split(' ')
  const headers = new Headers()
  if (step.bearer !== undefined) headers.set('authorization', `Bearer ${fill(step.bearer, known) as string}`)
  const init: RequestInit = { method, headers }
  if (step.form) init.body = formOf(step.form)
  else if (step.json !== undefined || step.body !== undefined) {
    headers.set('content-type', 'application/json')
    init.body = step.body ?? JSON.stringify(fill(step.json, known))
  }
  if (step.sign) {
    const timestamp = String(Date.now())
    const prefix = step.sign.bound === undefined ? '' : `${step.sign.bound}.`
    const signed = createHmac('sha256', step.sign.secret).update(
      `${timestamp}.${prefix}${init.body as string}`,
    )
    headers.set('X-RCTF-Timestamp', timestamp)
    headers.set('X-RCTF-Signature', `sha256=${signed.digest('hex')}`)
  }
  return await fetch(url + path, init)
}

function formOf(parts: NonNullable<Step['form']>): FormData {
  const form = new FormData()
  for (const { field, name, type, text } of parts) form.append(field, new Blob([text], { type }), name)
  return form
}

async function bodyOf(response: Response, { reads }: Step): Promise<unknown> {
  if ('text' in reads) return { text: await response.text() }
  const json: unknown = await response.json()
  return 'json' in reads ? { json } : json
}

/** Replaces `${name}` in all texts. Throws for an unknown name. */
function fill(value: unknown, known: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\$\{([\w.]+)\}/g, (_, name: string) => {
      const found = known.get(name)
      if (found === undefined) throw new Error(`no value ${name}`)
      return found
    })
  if (Array.isArray(value)) return value.map((each) => fill(each, known))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, known)]))
}

const PATTERNS: Readonly<Record<string, (value: unknown) => boolean>> = {
  $any: (value) => value !== undefined,
  $absent: (value) => value === undefined,
  $text: (value) => typeof value === 'string' && value !== '',
  $number: (value) => typeof value === 'number',
  $list: Array.isArray,
}

/** What differs between the values that a tool reads and those that it got, one line each. */
export function differences(reads: unknown, found: unknown, path: string): string[] {
  const wrong = [`${path} is ${JSON.stringify(found) ?? 'absent'} instead of ${JSON.stringify(reads)}`]
  if (typeof reads === 'string' && reads in PATTERNS) return PATTERNS[reads]?.(found) ? [] : wrong
  if (Array.isArray(reads)) {
    if (!Array.isArray(found) || found.length !== reads.length) return wrong
    return reads.flatMap((each, index) => differences(each, found[index], `${path} ${index}`))
  }
  if (!isObject(reads)) return Object.is(reads, found) ? [] : wrong
  const some = '$some' in reads ? [reads['$some']] : reads['$all']
  if (Array.isArray(some)) return some.flatMap((each) => differencesOfBest(each, found, path))
  if (!isObject(found)) return wrong
  return Object.entries(reads).flatMap(([key, each]) => differences(each, found[key], `${path} ${key}`))
}

/** The differences to the element that has the fewest. */
function differencesOfBest(wanted: unknown, found: unknown, path: string): string[] {
  if (!Array.isArray(found) || found.length === 0) return [`${path} has no element`]
  const all = found.map((each: unknown) => differences(wanted, each, path))
  return all.reduce((best, each) => (each.length < best.length ? each : best))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((each, key) => (each as Readonly<Record<string, unknown>>)[key], value)
}
