import type { Rank } from '../verify/standings.ts'
import type { ExpectedStandings, ImportedTeam } from './contest.ts'
import type { Report } from './report.ts'
import { plural } from '../../lib/plural.ts'

/** Reports where the standings of the imported rows differ from those of the source. */
export function compareStandings(
  { ranks, rule }: ExpectedStandings,
  computed: readonly Rank[],
  { teams, report }: { readonly teams: readonly ImportedTeam[]; readonly report: Report },
): void {
  const names = new Map(teams.map(({ id, name }) => [id, name]))
  const expected = new Map(ranks.map(({ teamId, score }, at) => [teamId, { rank: at + 1, score }]))
  // Some platforms do not rank teams without points.
  const ranked = computed.filter(({ id, score }) => {
    const isUnranked = score === 0 && !expected.has(id)
    if (isUnranked)
      report.note(
        'unranked',
        'Teams without points are ranked here and not in the source.',
        names.get(id) ?? id,
      )
    return !isUnranked
  })
  const found = new Map(ranked.map(({ id, score }, at) => [id, { rank: at + 1, score }]))
  for (const id of new Set([...expected.keys(), ...found.keys()])) {
    const [theirs, ours] = [expected.get(id), found.get(id)]
    if (theirs?.rank === ours?.rank && theirs?.score === ours?.score) continue
    report.loss(
      'standings',
      `The standings differ from those of the source, which are ordered by ${rule}.`,
      `${names.get(id) ?? id}: ${lineOf(theirs)} becomes ${lineOf(ours)}`,
    )
  }
}

function lineOf(line: { readonly rank: number; readonly score: number } | undefined): string {
  return line ? `rank ${line.rank} with ${plural(line.score, 'point')}` : 'no rank'
}
