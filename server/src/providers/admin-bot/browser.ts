import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { requestJson } from '../request-json.ts'
import { provider, ProviderError } from '../provider.ts'
import { ServiceAddress } from '../service-address.ts'
import type { AdminBot } from './admin-bot.ts'

/** A worker runs one job at a time, so a job of an hour already delays everyone else too much. */
const MAX_TIMEOUT_MS = HOUR_MS
const MAX_INPUTS = 100
/** Compilers can print long errors. */
const MAX_ERROR_LENGTH = 4_000

const Derived = z.object({
  inputs: z
    .record(
      z.string().min(1).max(256),
      z.object({ pattern: z.string().max(10_000), flags: z.string().max(16).exactOptional() }),
    )
    .refine((inputs) => Object.keys(inputs).length <= MAX_INPUTS),
  timeoutMilliseconds: z.int().min(1).max(MAX_TIMEOUT_MS),
  requireInstancerInstancesRunning: z.boolean(),
})

const WHO = 'The admin-bot worker'

const Refusal = z.object({ detail: z.string() })

/** Workers that drive a browser (the `bot` package). */
export const browserBot = provider<AdminBot>()({
  name: 'admin-bots/browser',
  options: z.strictObject({
    endpoint: ServiceAddress.describe('URL of a worker, without `/v1/test`.'),
    secretKey: z.string().min(1).describe('Secret shared by the workers and this server.'),
    callTimeout: z.int().min(1).max(60_000).default(10_000).describe('Timeout of one call, in milliseconds.'),
  }),

  start({ endpoint, secretKey, callTimeout }, { fetch, log }) {
    const secretDigest = sha256(secretKey)
    return {
      configLanguage: 'typescript',
      fileExtension: '.ts',
      isWorker: (token) => timingSafeEqual(sha256(token), secretDigest),

      async derive(source) {
        const signal = AbortSignal.timeout(callTimeout)
        const url = `${endpoint}/v1/test`
        try {
          const { status, value } = await requestJson({
            who: WHO,
            fetch,
            url,
            method: 'POST',
            token: secretKey,
            body: { source },
            signal,
          })
          const refusal = Refusal.safeParse(value)
          if (refusal.success) return { error: textOf(refusal.data.detail, secretKey) }
          const derived = Derived.safeParse(value)
          if (status === 200 && derived.success) return { value: derived.data }
          throw new ProviderError(`${WHO} returned an unusable response.`)
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error
          log.warn(
            { reason: error.message },
            'the admin-bot worker could not check the source code of a challenge',
          )
          return { error: error.message }
        }
      },
    }
  },
})

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function textOf(detail: string, secret: string): string {
  return detail.replaceAll(secret, '…').slice(0, MAX_ERROR_LENGTH) || 'The worker refused it without a word.'
}
