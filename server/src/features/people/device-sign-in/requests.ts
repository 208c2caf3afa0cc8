import { randomInt } from 'node:crypto'
import { deviceTimes, USER_CODE_LETTERS } from '@pennant/contract/device-sign-in.ts'
import { allScopes } from '@pennant/contract/scopes.ts'
import { z } from 'zod'
import type { Markers } from '../../../lib/key-value.ts'

// Requests of programs, as markers: they expire by themselves, and every process finds them.

/** What waits for a person, by user code. */
const Pending = z.object({
  /** SHA-256 of the device code, in hex. */
  hash: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(allScopes as [string, ...string[]])),
  ip: z.string(),
  requestedAt: z.int(),
})
export type Pending = z.output<typeof Pending>

/** What its program gets as a response, by hash of the device code. */
const State = z.object({
  state: z.enum(['pending', 'denied', 'confirmed']),
  granted: z.object({ name: z.string(), scopes: z.array(z.string()), expiresAt: z.int() }).nullable(),
})
export type State = z.output<typeof State>

/** Two requests get the same code once in billions of times. */
const MAX_TRIES = 5

export function createRequests(markers: Markers, now: () => number) {
  const restOf = ({ requestedAt }: Pending) => requestedAt + deviceTimes.lifeMs - now()

  return {
    /** Returns the user code. */
    async add(request: Pending): Promise<string> {
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const code = newUserCode()
        if (!(await markers.claim(keyOfCode(code), JSON.stringify(request), deviceTimes.lifeMs))) continue
        await this.setState(request, { state: 'pending', granted: null })
        return code
      }
      throw new Error('no user code is free')
    },

    find: async (code: string) => parsed(Pending, await markers.find(keyOfCode(code))),

    /** Of several callers, exactly one gets it. */
    take: async (code: string) => parsed(Pending, await markers.take(keyOfCode(code))),

    /** After a confirmation that failed, so that the person can try again. */
    putBack: (code: string, request: Pending) =>
      markers.set(keyOfCode(code), JSON.stringify(request), Math.max(1, restOf(request))),

    /** The program may miss the response, so it can ask until the request would have expired. */
    setState: (request: Pending, state: State) =>
      markers.set(keyOfHash(request.hash), JSON.stringify(state), Math.max(1, restOf(request))),

    findState: async (hash: string) => parsed(State, await markers.find(keyOfHash(hash))),
  }
}

function parsed<T>(schema: z.ZodType<T>, text: string | null): T | null {
  return text === null ? null : schema.parse(JSON.parse(text))
}

/** As in the request: in capitals, with or without the dash. */
const keyOfCode = (code: string) => `device-request:${code.replaceAll(/[- ]/g, '')}`
const keyOfHash = (hash: string) => `device:${hash}`

function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => USER_CODE_LETTERS[randomInt(USER_CODE_LETTERS.length)])
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}
