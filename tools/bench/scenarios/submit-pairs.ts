import type { Pair } from '../fill.ts'
import { load, type LoadResult } from './load.ts'

const CONNECTIONS = 32

/** Submits one flag for each pair, by default the right one, as fast as the server answers. */
export function submitPairs(
  url: string,
  pairs: readonly Pair[],
  flagOf = (challengeId: string) => `flag{${challengeId}}`,
): Promise<LoadResult> {
  return load({
    url,
    method: 'POST',
    connections: CONNECTIONS,
    headers: { 'content-type': 'application/json' },
    requests: pairs.length,
    next(n) {
      const { token, challengeId } = pairs[n % pairs.length] ?? { token: '', challengeId: '' }
      return {
        path: `/api/v1/challs/${challengeId}/submit`,
        body: JSON.stringify({ flag: flagOf(challengeId) }),
        headers: { authorization: `Bearer ${token}` },
      }
    },
  })
}
