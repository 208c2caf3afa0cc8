import sql from 'sql-template-tag'
import type { ChangeTransaction } from '../../db/database.ts'
import type { FieldProblem } from './wave-membership.ts'

type Graph = ReadonlyMap<string, readonly string[]>

/** The ids of a cycle that begins and ends with `id`, or null. Each challenge is visited once. */
export function findCycle(id: string, prerequisitesOf: Graph): string[] | null {
  const cameFrom = new Map<string, string>()
  const waiting = [id]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const next of prerequisitesOf.get(at) ?? []) {
      if (next === id) return pathTo(at, cameFrom).concat(id)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, at)
      waiting.push(next)
    }
  }
  return null
}

function pathTo(end: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path = [end]
  for (let at = cameFrom.get(end); at !== undefined; at = cameFrom.get(at)) path.unshift(at)
  return path
}

/** Cycles that are named in a message are cut to this many challenges. */
const MAX_NAMED = 10

/** The problem with the prerequisites of a challenge, or null. Under the change lock, so two edits cannot close a cycle. */
export async function prerequisiteProblem(
  tx: ChangeTransaction,
  id: string,
  prerequisites: readonly string[],
): Promise<FieldProblem | null> {
  const rows = await tx.query<{ id: string; prerequisites: string[] }>(sql`
    select id, prerequisites from challenges where prerequisites <> '[]' or id = any(${prerequisites})`)
  const graph = new Map<string, readonly string[]>(rows.map((row) => [row.id, row.prerequisites]))
  graph.set(id, prerequisites)
  const unknown = prerequisites.find((each) => each !== id && !graph.has(each))
  if (unknown !== undefined) return problem(`no such challenge: ${unknown}`)
  const cycle = findCycle(id, graph)
  if (!cycle) return null
  const named = cycle.length > MAX_NAMED ? [...cycle.slice(0, MAX_NAMED), '…'] : cycle
  return problem(`are a cycle, which no team can open: ${named.join(' → ')}`)
}

function problem(reason: string): FieldProblem {
  return { field: 'prerequisites', reason }
}

/** What required a deleted challenge is open without it. Returns the ids of the challenges that changed. */
export async function forgetPrerequisite(tx: ChangeTransaction, id: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    update challenges set prerequisites = prerequisites - ${id}::text, version = version + 1
    where prerequisites @> ${JSON.stringify([id])}::jsonb returning id`)
  return rows.map((row) => row.id)
}
