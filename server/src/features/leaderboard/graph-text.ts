import type { GraphPoint, WorldView } from '../../world/model.ts'

/** The start of a point's text by its time: a hundred lines share their times, and a long number is slow to write. */
type Openings = Map<number, string>

/** Lines of the graph as JSON texts with commas between them, in the order of the teams. */
export function graphText(world: WorldView, teamIds: readonly string[], sampleMs: number): string {
  const openings: Openings = new Map()
  const lines = world.graph(teamIds, sampleMs).map(({ teamId, points, dynamicPoints }) => {
    const name = JSON.stringify(world.team(teamId)?.name ?? '')
    const start = `{"id":${JSON.stringify(teamId)},"name":${name},"points":[`
    return `${start}${samples(points, openings)}],"dynamicPoints":[${samples(dynamicPoints, openings)}]}`
  })
  return lines.join(',')
}

// Half the time of JSON.stringify for the 58,000 points of a long event's page.
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
