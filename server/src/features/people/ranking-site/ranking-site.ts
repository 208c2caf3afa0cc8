import { z } from 'zod'
import { ProviderError } from '../../../providers/provider.ts'
import { readBounded } from '../../../providers/read-bounded.ts'

export interface RankingSiteOptions {
  readonly clientId: string
  readonly clientSecret: string
  readonly tokenUrl: string
  readonly userUrl: string
  /** Timeout for both calls together. */
  readonly limitMs?: number
}

export interface RankedTeam {
  readonly extrankId: string
  readonly name: string
}

export interface RankingSite {
  /**
   * Returns the team of the user who received the code; null if the site rejects the code or the user has no
   * team. Rejects if the site fails; the error message contains no secrets.
   */
  findTeam(code: string): Promise<RankedTeam | null>
}

/** Short, because a player waits: docs/reference/external-auth.md#sign-in-with-the-ranking-site */
const LIMIT_MS = 10_000
/** Responses are only a few lines long. */
const MAX_ANSWER_BYTES = 256 * 1024
/** The ranking site does not limit names, but our token that contains the name has a maximum length. */
const MAX_NAME_LENGTH = 256

const Token = z.object({ access_token: z.string().min(1).max(4096) })

const User = z.object({
  team: z
    .object({
      id: z.union([z.int(), z.string().regex(/^[\x21-\x7e]{1,64}$/)]).transform(String),
      name: z.string().transform((name) => name.slice(0, MAX_NAME_LENGTH).toWellFormed()),
    })
    .nullish(),
})

/** OAuth client for the ranking site. */
export function createRankingSite(options: RankingSiteOptions, fetch: typeof globalThis.fetch): RankingSite {
  const { clientId, clientSecret, tokenUrl, userUrl, limitMs = LIMIT_MS } = options

  async function ask(url: string, init: RequestInit): Promise<{ status: number; json: unknown }> {
    try {
      // A redirect would send the secrets to another host.
      const response = await fetch(url, { ...init, redirect: 'error' })
      const text = (await readBounded(response, MAX_ANSWER_BYTES)).toString()
      return { status: response.status, json: response.ok ? JSON.parse(text) : null }
    } catch (error) {
      // The error is not attached as the cause: parser and client messages may quote a token.
      throw new ProviderError(`the ranking site returned an unusable response: ${nameOf(error)}`)
    }
  }

  return {
    async findTeam(code) {
      const signal = AbortSignal.timeout(limitMs)
      const accept = { accept: 'application/json' }
      const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, code })
      const exchanged = await ask(tokenUrl, { method: 'POST', headers: accept, body, signal })
      if (exchanged.status === 401) return null
      const token = Token.safeParse(exchanged.json)
      if (!token.success) throw unusable('a code', exchanged.status)

      const headers = { ...accept, authorization: `Bearer ${token.data.access_token}` }
      const found = await ask(userUrl, { headers, signal })
      const user = User.safeParse(found.json)
      if (!user.success) throw unusable('a user', found.status)
      const { team } = user.data
      return team ? { extrankId: team.id, name: team.name } : null
    },
  }
}

function unusable(what: string, status: number): ProviderError {
  return new ProviderError(`the ranking site responded to ${what} with an unexpected status ${status}`)
}

/** Returns `TimeoutError`, `SyntaxError`, or the error code of a failed connection. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}
