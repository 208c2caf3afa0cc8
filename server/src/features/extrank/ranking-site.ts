import { z } from 'zod'
import { ProviderError } from '../../providers/provider.ts'
import { readBounded } from '../../providers/read-bounded.ts'

export interface RankingSiteOptions {
  readonly clientId: string
  readonly clientSecret: string
  readonly tokenUrl: string
  readonly userUrl: string
  /** For both calls together. */
  readonly limitMs?: number
}

export interface RankedTeam {
  readonly extrankId: string
  readonly name: string
}

export interface RankingSite {
  /**
   * The team of whoever got the code; null when the site does not accept it, or its user has no team. Rejects when
   * the site fails, with a message that holds nothing secret.
   */
  findTeam(code: string): Promise<RankedTeam | null>
}

/** A player waits for it (contract, participant 16.1). */
const LIMIT_MS = 10_000
/** The answers are some lines. */
const MAX_ANSWER_BYTES = 256 * 1024
/** Names there know no bounds; the token that carries this one does. */
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

/** The OAuth side of the ranking site. */
export function createRankingSite(options: RankingSiteOptions, fetch: typeof globalThis.fetch): RankingSite {
  const { clientId, clientSecret, tokenUrl, userUrl, limitMs = LIMIT_MS } = options

  async function ask(url: string, init: RequestInit): Promise<{ status: number; json: unknown }> {
    try {
      // A redirect would carry the secrets elsewhere.
      const response = await fetch(url, { ...init, redirect: 'error' })
      const text = (await readBounded(response, MAX_ANSWER_BYTES)).toString()
      return { status: response.status, json: response.ok ? JSON.parse(text) : null }
    } catch (error) {
      // Not as the cause: what a parser quotes, or a client tells of a request, may be a token.
      throw new ProviderError(`the ranking site gave no usable answer: ${nameOf(error)}`)
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
  return new ProviderError(`the ranking site answered ${what} with status ${status} and not as agreed`)
}

/** `TimeoutError`, `SyntaxError`, or the code of a connection that failed. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}
