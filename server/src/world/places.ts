import type { Places, Ranking } from './order.ts'

/** The places of the present order; made once for it, so that a burst of solves without a reader costs nothing. */
export function placesOf({ standings, teams }: Ranking): Places {
  if (standings.places) return standings.places
  const { order, ranked } = standings
  const global = new Int32Array(teams.rows.length)
  const inDivision = new Int32Array(teams.rows.length)
  const divisions = Array.from({ length: teams.divisions.size }, () => new Int32Array(ranked))
  const counts = new Int32Array(teams.divisions.size)
  for (let at = 0; at < ranked; at += 1) {
    const team = order[at] as number
    const division = teams.divisionOf[team] as number
    const list = divisions[division] as Int32Array
    const count = counts[division] as number
    list[count] = team
    counts[division] = count + 1
    global[team] = at + 1
    inDivision[team] = count + 1
  }
  standings.places = {
    global,
    inDivision,
    divisions: divisions.map((list, division) => list.slice(0, counts[division])),
  }
  return standings.places
}
