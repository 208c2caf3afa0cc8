import { isIP } from 'node:net'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import type { FairPlayThresholds } from '@pennant/contract/fair-play.ts'
import { groupBy } from '../../../../lib/group-by.ts'
import type { AttemptFact, Facts } from './facts.ts'
import { signal, type Signal } from './signal.ts'

// What many innocent teams share: it may explain a case or make it weaker, and never makes one.

export function contextSignals(facts: Facts, thresholds: FairPlayThresholds): Signal[] {
  return [...addressSignals(facts, thresholds), ...tokenSignals(facts, thresholds)]
}

function addressSignals({ teams, attempts }: Facts, thresholds: FairPlayThresholds): Signal[] {
  const createdAt = new Map(teams.map((team) => [team.id, team.createdAt]))
  const known = attempts.filter(({ ip }) => isIP(ip) !== 0)
  return [...groupBy(known, ({ ip }) => ip).values()].flatMap((rows) => {
    const firsts = new Map<string, AttemptFact>()
    for (const row of rows) if (!firsts.has(row.teamId)) firsts.set(row.teamId, row)
    if (firsts.size < 2 || firsts.size > thresholds.addressTeams) return []
    const found = [...firsts.values()]
    return found.flatMap((later, at) => {
      const earlier = found[at - 1]
      if (!earlier) return []
      const pair = { teamIds: [later.teamId, earlier.teamId], challengeId: null, at: later.at }
      const submissionIds = [later.id, earlier.id]
      const evidence = { teams: firsts.size }
      const apart = Math.abs((createdAt.get(later.teamId) ?? 0) - (createdAt.get(earlier.teamId) ?? Infinity))
      return [
        signal({ ...pair, kind: 'sharedAddress', submissionIds, evidence }),
        ...(apart <= thresholds.twinMinutes * MINUTE_MS
          ? [
              signal({
                ...pair,
                kind: 'twinRegistration',
                submissionIds,
                evidence: { seconds: Math.round(apart / 1000) },
              }),
            ]
          : []),
      ]
    })
  })
}

/** The program knows no countries, so it compares networks. One signal per token. */
function tokenSignals({ attempts }: Facts, { tokenMinutes }: FairPlayThresholds): Signal[] {
  const known = attempts.filter(({ ip, apiTokenId }) => apiTokenId !== null && isIP(ip) !== 0)
  return [...groupBy(known, ({ apiTokenId }) => apiTokenId).values()].flatMap((rows) => {
    const at = rows.findIndex((row, index) => {
      const before = rows[index - 1]
      return (
        before && networkOf(row.ip) !== networkOf(before.ip) && row.at - before.at <= tokenMinutes * MINUTE_MS
      )
    })
    const [earlier, later] = [rows[at - 1], rows[at]]
    if (!earlier || !later) return []
    return [
      signal({
        kind: 'tokenInTwoNetworks',
        teamIds: [later.teamId],
        challengeId: null,
        at: later.at,
        submissionIds: [later.id, earlier.id],
        evidence: { seconds: Math.round((later.at - earlier.at) / 1000) },
      }),
    ]
  })
}

/** The first two bytes of an IPv4 address, the first two groups of an IPv6 address: about one provider. */
function networkOf(ip: string): string {
  return ip.includes(':') ? ip.split(':').slice(0, 2).join(':') : ip.split('.').slice(0, 2).join('.')
}
