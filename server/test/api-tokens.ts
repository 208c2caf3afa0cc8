import { createApiToken } from '@pennant/contract/api-tokens.ts'
import type { Scope } from '@pennant/contract/scopes.ts'
import type { Contest } from './harness.ts'

/** A token for a program, made with the token of a session or a team. */
export async function apiTokenOf(
  contest: Contest,
  token: string,
  scopes: readonly Scope[],
): Promise<{ readonly id: string; readonly token: string }> {
  const body = { name: 'script', scopes: [...scopes] }
  const made = await contest.call(createApiToken, { token, body })
  if (made.kind !== 'goodApiTokenCreate') throw new Error(made.kind)
  return { id: made.data.apiToken.id, token: made.data.token }
}
