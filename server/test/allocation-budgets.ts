/**
 * Bytes of JavaScript objects that the server may allocate for a request, Node's own included: docs/performance.md#allocations
 */
export const ALLOCATION_BUDGETS = {
  'challs V2, signed in': 14_100,
  'challs V2, anonymous': 13_100,
  'challs V2, not modified': 12_700,
  'challs V1, signed in': 13_400,
  'leaderboard, signed in': 14_200,
  'leaderboard from 9000': 13_600,
  'leaderboard with graph': 13_700,
  'leaderboard/challs': 12_900,
  'solves of a challenge': 13_800,
  'users/me': 13_700,
  'client config': 12_800,
  'client config, all headers of a browser': 15_200,
  'wrong flag': 83_200,
  'right flag': 228_100,
} as const
