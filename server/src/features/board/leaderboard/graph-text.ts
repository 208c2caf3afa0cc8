import type { WorldView } from '../../../world/model.ts'
import type { GraphPoint } from '../../../world/reads.ts'

/** Caches the JSON start of a point by time: a hundred lines share their times, and formatting is slow. */
type Openings = Map<number, string>

/** The graph lines as comma-separated JSON, in the order of the teams. */
export function graphText(world: WorldView, teamIds: readonly string[], sampleMs: number): string {
  const openings: Openings = new Map()
  const lines = world.graph(teamIds, sampleMs).map(({ teamId, points, dynamicPoints }) => {
    const name = JSON.stringify(world.team(teamId)?.name ?? '')
    const start = `{"id":${JSON.stringify(teamId)},"name":${name},"points":[`
    return `${start}${samples(points, openings)}],"dynamicPoints":[${samples(dynamicPoints, openings)}]}`
  })
  return lines.join(',')
}

// Takes half the time of JSON.stringify for the 58,000 points of a long event's page.
function samples(points: readonly GraphPoint[], openings: Openings): string {
  if (points.length === 0) return ''
  const texts: string[] = []
  for (const { time, score } of points) {
    let opening = openings.get(time)
    if (opening === undefined) openings.set(time, (opening = `{"time":${time},"score":`))
    texts.push(opening + score)
  }
  return `${texts.join('},')}}`
}
