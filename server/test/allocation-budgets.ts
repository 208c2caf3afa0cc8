/**
 * Bytes of JavaScript objects that the server may allocate for a request, Node's own included: docs/performance.md#allocations
 */
export const ALLOCATION_BUDGETS = {
  'challs V2, signed in': 13_000,
  'challs V2, anonymous': 12_000,
  'challs V2, not modified': 11_400,
  'challs V1, signed in': 12_300,
  'leaderboard, signed in': 12_700,
  'leaderboard from 9000': 12_400,
  'leaderboard with graph': 12_600,
  'leaderboard/challs': 11_800,
  'solves of a challenge': 12_600,
  'users/me': 16_500,
  'own results': 15_000,
  'client config': 11_800,
  'client config, all headers of a browser': 14_200,
  'wrong flag': 68_000,
  'right flag': 198_300,
} as const
